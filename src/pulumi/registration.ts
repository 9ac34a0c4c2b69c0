import * as pulumi from '@pulumi/pulumi';
import { findingsOf, root, ValidationError } from '../api/findings';
import { register } from './objects';
import type { ResolvedObject } from './resolve';

/** Options of every component. */
export interface ComponentOptions extends pulumi.ComponentResourceOptions {
  /**
   * Existing objects to adopt: `namespace/name` of the component's main object, or an ID for each logical name of its
   * objects, such as `{ web: 'default/web', 'web/http': 'default/web-http' }`. The program must describe the objects as
   * they are. Remove the option after the first `pulumi up`.
   */
  readonly import?: string | Readonly<Record<string, string>>;
  /** Outputs of the component's main object that are secret, in addition to those that depend on secret Inputs. */
  readonly additionalSecretOutputs?: string[];
  /** Whether the component's main object is deleted before its replacement is created. */
  readonly deleteBeforeReplace?: boolean;
  /**
   * Namespace of objects without one, like the namespace of a chart.
   * @default - the parent's namespace, if the parent is a component of virt8s
   */
  readonly namespace?: pulumi.Input<string>;
  /**
   * Construct context, such as `virt8s.io/configuration`.
   * @default - the parent's context, if the parent is a component of virt8s
   */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** Options that apply only to the component's main object. */
const OF_OWN_OBJECT = [
  'ignoreChanges',
  'replaceOnChanges',
  'replacementTrigger',
  'hideDiffs',
  'hooks',
  'additionalSecretOutputs',
  'deleteBeforeReplace',
] as const;
/** Options that apply to all objects of a component, but that Pulumi does not pass on to children. */
const OF_ALL_OBJECTS = [
  'customTimeouts',
  'retainOnDelete',
  'deletedWith',
  'replaceWith',
  'version',
  'pluginDownloadURL',
] as const;

/** Registered objects of a component. */
export interface Registered {
  /** Main object of the component. */
  readonly main: pulumi.CustomResource | undefined;
  /** Objects by logical name. */
  readonly byName: Record<string, pulumi.CustomResource>;
}

/**
 * Registers the objects of a component as its children. Their logical names begin with the component's name, so that
 * the component's aliases apply to them.
 *
 * @param before - resources that must exist before the objects
 * @throws when `import` names an object that the component does not have
 */
export function registerAll(
  parent: pulumi.Resource,
  name: string,
  objects: readonly ResolvedObject[],
  options: ComponentOptions,
  before: readonly pulumi.Resource[],
): Registered {
  const nameOf = (path: string): string => (path === '' ? name : `${name}/${path}`);
  const names = objects.map(({ path }) => nameOf(path));
  const ids = idsToImport(name, names, options.import);
  const byName: Record<string, pulumi.CustomResource> = {};
  const pending = new Map(objects.map((object) => [object.path, object]));
  const make = (path: string): pulumi.CustomResource | undefined => {
    const object = pending.get(path);
    if (!object) return byName[nameOf(path)];
    pending.delete(path);
    const first = object.after.map(make).filter((it) => it !== undefined);
    return (byName[nameOf(path)] = register(nameOf(path), object.manifest, object.fields, {
      ...pick(options, OF_ALL_OBJECTS),
      ...(path === '' ? pick(options, OF_OWN_OBJECT) : {}),
      ...(ids[nameOf(path)] === undefined ? {} : { import: ids[nameOf(path)] }),
      parent,
      dependsOn: [options.dependsOn ?? [], ...before, ...first] as pulumi.Resource[],
    }));
  };
  for (const { path } of objects) make(path);
  return { main: byName[name], byName };
}

function idsToImport(
  name: string,
  names: readonly string[],
  ids: ComponentOptions['import'] = {},
): Readonly<Record<string, string>> {
  const byName = typeof ids === 'string' ? { [name]: ids } : ids;
  const lost = Object.keys(byName).find((key) => !names.includes(key));
  if (lost === undefined) return byName;
  throw new ValidationError([
    {
      rule: 'pulumi-import',
      path: root,
      subject: name,
      property: 'import',
      value: lost,
      allowed: names,
      cause: `no object is called ${JSON.stringify(lost)}`,
      remedy: 'use the logical name of an object of this component',
    },
  ]);
}

/**
 * Wraps errors of the construct library for Pulumi: their message is complete, and their stack would point to code that
 * the user does not know.
 */
export function reportedOf(error: unknown, component: pulumi.Resource): unknown {
  return findingsOf(error) ? new pulumi.ResourceError((error as Error).message, component, true) : error;
}

/** Returns the options for registering the component itself. */
export function forComponent(opts: ComponentOptions): pulumi.ComponentResourceOptions {
  const taken = new Set<string>([...OF_OWN_OBJECT, ...OF_ALL_OBJECTS, 'import', 'context', 'namespace']);
  return Object.fromEntries(Object.entries(opts).filter(([key]) => !taken.has(key)));
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]])) as Pick<T, K>;
}
