import { FieldError, root } from '../field-error';
import type { Plugin, PluginSpec } from '../generated/plugin-v1alpha1';
import type { KindAdmission } from './kind';
import { first, refusal, when } from './refusal';
import { shaped } from './shape';

const spec = root.at('spec');

export const pluginAdmission: KindAdmission<Plugin> = shaped<Plugin>({
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
            { field: '' },
          ),
        ),
      () => socketPaths(plugin.spec),
    ),
  update: (plugin) => socketPaths(plugin.spec),
});

function socketPaths({ domainHooks = [] }: PluginSpec): FieldError[] {
  return domainHooks.flatMap(({ sidecar }, i) =>
    when(
      sidecar && cleaned(sidecar.socketPath) !== sidecar.socketPath,
      refusal(
        'plugin-socket',
        spec.at('domainHooks', i, 'sidecar', 'socketPath'),
        "socketPath must be a clean path (no '..' segments or redundant separators)",
        `write ${cleaned(sidecar?.socketPath ?? '')}`,
        { got: sidecar?.socketPath },
      ),
    ),
  );
}

/** The shortest name of the same path, as Go has it: no `.`, no empty part, `..` only at the start. */
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
