import * as pulumi from '@pulumi/pulumi';
import { findingsOf, root, ValidationError } from '../api/findings';
import { register } from './objects';
import type { ResolvedObject } from './resolve';

/** What every component takes. */
export interface ComponentOptions extends pulumi.ComponentResourceOptions {
  /**
   * Adopts objects that exist: `namespace/name` of the component's own object, or one for each logical name of its
   * objects, such as `{ web: 'default/web', 'web/http': 'default/web-http' }`. What the program says must be what is
   * there; take the option away after the first `pulumi up`.
   */
  readonly import?: string | Readonly<Record<string, string>>;
  /** Outputs of the component's own object that are secrets, beyond those that follow from secret Inputs. */
  readonly additionalSecretOutputs?: string[];
  /** Delete the component's own object before its replacement is made. */
  readonly deleteBeforeReplace?: boolean;
  /**
   * Namespace of objects that name none, like that of a chart.
   * @default - that of the parent, if it is a component of virt8s
   */
  readonly namespace?: pulumi.Input<string>;
  /**
   * Construct context, such as `virt8s.io/configuration`.
   * @default - that of the parent, if it is a component of virt8s
   */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** Options that a component takes for its own object, and not for the others. */
const OF_OWN_OBJECT = [
  'ignoreChanges',
  'replaceOnChanges',
  'replacementTrigger',
  'hideDiffs',
  'hooks',
  'additionalSecretOutputs',
  'deleteBeforeReplace',
] as const;
/** Options that a component takes for all its objects, and Pulumi does not hand down. */
const OF_ALL_OBJECTS = [
  'customTimeouts',
  'retainOnDelete',
  'deletedWith',
  'replaceWith',
  'version',
  'pluginDownloadURL',
] as const;

/** The objects of a component that are registered. */
export interface Registered {
  /** The component's own object. */
  readonly main: pulumi.CustomResource | undefined;
  /** All objects by their logical names. */
  readonly byName: Record<string, pulumi.CustomResource>;
}

/**
 * Registers the objects of a component as its children. Their logical names begin with the component's name, so that
 * its aliases hold for them.
 *
 * @param before - what must be there before any of them
 * @throws when an object to import is not among them
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
      remedy: 'name an object of this component',
    },
  ]);
}

/** Errors of the construct library say everything; their stack leads nowhere that a user knows. */
export function reportedOf(error: unknown, component: pulumi.Resource): unknown {
  return findingsOf(error) ? new pulumi.ResourceError((error as Error).message, component, true) : error;
}

/** What a component itself is registered with. */
export function forComponent(opts: ComponentOptions): pulumi.ComponentResourceOptions {
  const taken = new Set<string>([...OF_OWN_OBJECT, ...OF_ALL_OBJECTS, 'import', 'context', 'namespace']);
  return Object.fromEntries(Object.entries(opts).filter(([key]) => !taken.has(key)));
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]])) as Pick<T, K>;
}
