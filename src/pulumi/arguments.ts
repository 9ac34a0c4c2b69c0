import type { RuleId } from '../api/findings';
import { closest } from '../api/names';
import { mistakeInCode } from '../constructs/validation';
import { isBare, isObject, isRecord, isPulumiOutput, isPulumiResource, kindOf } from '../constructs/value-kinds';
import type { ComponentOptions } from './registration';

/** Checks the name and the options of a component. Programs without a type checker lose unknown options silently. */

/** Names of all options: the type checker reports a missing one. */
const OPTIONS: Readonly<Record<keyof Required<ComponentOptions>, true>> = {
  additionalSecretOutputs: true,
  aliases: true,
  context: true,
  customTimeouts: true,
  deleteBeforeReplace: true,
  deletedWith: true,
  dependsOn: true,
  envVarMappings: true,
  hideDiffs: true,
  hooks: true,
  id: true,
  ignoreChanges: true,
  import: true,
  namespace: true,
  parent: true,
  pluginDownloadURL: true,
  protect: true,
  provider: true,
  providers: true,
  replacementTrigger: true,
  replaceOnChanges: true,
  replaceWith: true,
  retainOnDelete: true,
  stateMigrations: true,
  transformations: true,
  transforms: true,
  urn: true,
  version: true,
};

/** Options of Pulumi that no property of a construct is called. */
const OF_PULUMI = [
  ...['dependsOn', 'parent', 'provider', 'providers', 'protect', 'aliases', 'ignoreChanges', 'replaceOnChanges'],
  ...['deleteBeforeReplace', 'retainOnDelete', 'customTimeouts', 'transformations', 'transforms'],
];

/** Arguments of a component's constructor. */
export interface ComponentArguments {
  /** Type of the component in URNs: `virt8s:room:Class`. */
  readonly type: string;
  readonly name: unknown;
  /** Arguments of the construct. */
  readonly args: readonly unknown[];
  readonly opts: unknown;
}

/**
 * Checks the arguments of a component, except those of its construct.
 *
 * @throws when the name is not a string, or an option has no effect
 */
export function checkArguments({ type, name, args, opts = {} }: ComponentArguments): void {
  const call = `new ${type.split(':').at(-1)}`;
  const reject = (at: string, cause: string, remedy: string, rule: RuleId = 'type'): never =>
    mistakeInCode(call, at, cause, remedy, rule);
  if (typeof name !== 'string') {
    const remedy =
      isObject(name) && !isPulumiOutput(name)
        ? "a component has no scope: pass the name first, as in ('web', { … })"
        : 'write a name that is known when the program runs; metadata.name accepts an Output';
    reject('name', `must be a string, not ${kindOf(name)}`, remedy);
  }
  if (name === '') reject('name', 'must not be empty', 'write a name that no other component of this type has');
  if (!isRecord(opts)) return reject('options', `must be an object, not ${kindOf(opts)}`, 'write it in braces: { … }');
  for (const option of Object.keys(opts).filter((each) => !(each in OPTIONS))) {
    const meant = closest(option, Object.keys(OPTIONS), 2);
    if (meant === undefined) continue;
    reject(
      `options.${option}`,
      `ComponentOptions has no property "${option}"`,
      `did you mean "${meant}"?`,
      'unknown-property',
    );
  }
  if (isObject(opts.namespace) && isPulumiResource(opts.namespace)) {
    const cause = `must be a string, not ${kindOf(opts.namespace)}`;
    reject('options.namespace', cause, 'pass its name: namespace.metadata.name');
  }
  for (const arg of args.filter((each): each is Record<string, unknown> => isRecord(each) && isBare(each))) {
    const option = OF_PULUMI.find((each) => arg[each] !== undefined && opts[each] === undefined);
    if (option === undefined) continue;
    const remedy = `pass it in the last argument: ('…', { … }, { ${option} })`;
    reject(option, 'is an option of Pulumi, not a property', remedy, 'unknown-property');
  }
}
