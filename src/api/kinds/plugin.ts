import { LONGEST_CEL, readCel } from '../cel-syntax';
import { Finding, Path, root } from '../findings';
import type { Plugin, PluginSpec } from '../generated/plugin-v1alpha1';
import type { KindAdmission } from './kind';
import { first, refusal, when } from './refusal';
import { shaped } from './shape';
import { mistakesOf } from '../mistakes';

const spec = root.at('spec');

export const pluginAdmission: KindAdmission<Plugin> = shaped<Plugin>(
  {
    create: (plugin, { config }) =>
      first(
        () =>
          when(
            !config.hasGate('Plugins'),
            refusal(
              'gate-plugins',
              root,
              'Plugins feature gate is not enabled',
              'add Plugins to spec.configuration.developerConfiguration.featureGates of the KubeVirt object',
              { field: '', gates: ['Plugins'] },
            ),
          ),
        () => pluginRules(plugin.spec),
      ),
    update: (plugin) => pluginRules(plugin.spec),
  },
  'lenient',
);

const pluginRules = (plugin: PluginSpec): Finding[] => [...expressions(plugin), ...socketPaths(plugin)];

/** Environment of an expression. The launcher uses Go's fields (`vmi.Spec`), the handler those of the API (`vmi.spec`). */
interface CelContext {
  readonly variables: readonly string[];
  readonly field: RegExp;
  readonly example: string;
}

const LAUNCHER: CelContext = {
  variables: ['vmi', 'domainSpec'],
  field: /^[A-Z]/,
  example: 'vmi.Spec.Architecture == "amd64"',
};
const HANDLER: CelContext = {
  variables: ['vmi'],
  field: /^(apiVersion|kind|metadata|spec|status)$/,
  example: 'vmi.spec.architecture == "amd64"',
};

function expressions({ condition, domainHooks = [], nodeHooks = [] }: PluginSpec): Finding[] {
  const texts = [condition, ...domainHooks.flatMap((hook) => [hook.cel?.expression, hook.condition])];
  const all = [...texts, ...nodeHooks.map((hook) => hook.condition)].reduce(
    (sum, text) => sum + (text?.length ?? 0),
    0,
  );
  // parsing takes time in proportion to the length
  if (all > LONGEST_CEL) {
    const message = `the expressions of a plugin have more than ${LONGEST_CEL} characters together`;
    return [refusal('plugin-cel', spec, message, 'split the plugin')];
  }
  return [
    ...cel(condition, 'condition', spec.at('condition'), LAUNCHER),
    ...mistakesOf(domainHooks, (hook, i) => {
      const at = spec.at('domainHooks', i);
      return [
        ...cel(hook.cel?.expression, 'mutation', at.at('cel', 'expression'), LAUNCHER),
        ...cel(hook.condition, 'condition', at.at('condition'), LAUNCHER),
      ];
    }),
    ...mistakesOf(nodeHooks, (hook, i) =>
      cel(hook.condition, 'condition', spec.at('nodeHooks', i, 'condition'), HANDLER),
    ),
  ];
}

function cel(text: string | undefined, use: 'condition' | 'mutation', at: Path, place: CelContext): Finding[] {
  if (!text) return [];
  const problem = celProblem(text, use, place);
  if (problem === undefined) return [];
  const example = use === 'mutation' ? 'Domain{Title: "a"}' : place.example;
  return [
    refusal('plugin-cel', at, `invalid CEL ${use} expression: ${problem}`, `write it like ${example}`, { value: text }),
  ];
}

function celProblem(text: string, use: 'condition' | 'mutation', { variables, field }: CelContext): string | undefined {
  const reading = readCel(text);
  if (reading.problem !== undefined) return reading.problem;
  const { value, references } = reading;
  const stranger = references.find(({ name }) => !variables.includes(name));
  if (stranger) return `undeclared reference to '${stranger.name}'`;
  const lost = references.find((each) => each.name === 'vmi' && each.field !== undefined && !field.test(each.field));
  if (lost) return `undefined field '${lost.field}'`;
  if (value === 'unknown') return undefined;
  if (use === 'condition') return value === 'bool' ? undefined : `condition must return bool, got ${shown(value)}`;
  const isDomain = value === 'message Domain' || value === 'message libvirtxml.Domain';
  return isDomain ? undefined : `mutation must return Domain, got ${shown(value)}`;
}

const shown = (value: string): string => (value === 'other' ? 'another type' : value.replace(/^message /, ''));

function socketPaths({ domainHooks = [] }: PluginSpec): Finding[] {
  return mistakesOf(domainHooks, ({ sidecar }, i) =>
    when(
      sidecar && cleaned(sidecar.socketPath ?? '') !== (sidecar.socketPath ?? ''),
      refusal(
        'plugin-socket',
        spec.at('domainHooks', i, 'sidecar', 'socketPath'),
        "socketPath must be a clean path (no '..' segments or redundant separators)",
        `write ${cleaned(sidecar?.socketPath ?? '')}`,
        { value: sidecar?.socketPath },
      ),
    ),
  );
}

/** Returns the shortest form of a path, as Go does: without `.` and empty parts, with `..` only at the start. */
function cleaned(path: string): string {
  const rooted = path.startsWith('/');
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    const last = kept.at(-1);
    if (part !== '..' || (!rooted && (last === undefined || last === '..'))) kept.push(part);
    else kept.pop();
  }
  return (rooted ? '/' : '') + kept.join('/') || '.';
}
