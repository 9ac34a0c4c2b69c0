import * as pulumi from '@pulumi/pulumi';
import { Construct, type IConstruct } from 'constructs';
import type { In, Lifted } from './inputs';
import { register } from './objects';
import { outputOf } from './outputs';
import { ingredients, REFERENCE } from './reading';
import { membersOf, Recording, type Recipe, type Reference } from './recording';
import { resolve, type ResolvedObject } from './resolve';

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

/**
 * Constructs of virt8s, or of any library for cdk8s, as a component of Pulumi: their objects are its children.
 *
 * The objects are registered when the turn of the program that made the component is over and every Output that they
 * follow from is settled, so methods of the component can be called before. Errors of the construct library are thrown
 * where a value is said; what concerns the whole object fails the program before the first of its objects is
 * registered.
 */
export class ConstructComponent extends pulumi.ComponentResource {
  readonly #recording: Recording;
  readonly #options: ComponentOptions;
  #registration!: { resolve: (objects: Registered) => void; reject: (error: unknown) => void };
  readonly #registered: Promise<Registered>;

  public constructor(type: string, recipe: Omit<Recipe, 'context'>, opts: ComponentOptions = {}) {
    const context = opts.context ?? (opts.parent instanceof ConstructComponent ? opts.parent.#recording.context : {});
    const recording = new Recording({ ...recipe, context });
    super(type, recipe.name, {}, own(opts));
    this.#recording = recording;
    this.#options = opts;
    this.#registered = new Promise((resolve, reject) => (this.#registration = { resolve, reject }));
    this.#registered.catch(() => undefined);
    recording.ownedBy(this);
    for (const key of membersOf(recording.sample, Construct.prototype)) {
      if (key in this || key === 'node') continue;
      const get = (): unknown => recording.lift({ kind: 'member', on: { kind: 'root' }, key });
      Object.defineProperty(this, key, { get, configurable: true });
    }
  }

  /** What the component stands for when it is an argument. @internal */
  public get [REFERENCE](): Reference {
    return { recording: this.#recording, ref: { kind: 'root' } };
  }

  /** The registered objects by their logical names. */
  public get objects(): pulumi.Output<Record<string, pulumi.CustomResource>> {
    return pulumi.output(this.#registered.then(({ byName }) => byName)) as never;
  }

  /** Namespace of the component's own object: as declared, else where the provider puts it. */
  public get namespace(): pulumi.Output<string> {
    const metadata = this.#registered.then(({ main }) => main && (main as unknown as WithMetadata).metadata);
    return pulumi.output(metadata).apply((it) => it?.namespace ?? 'default');
  }

  /** The component's own object, as Pulumi knows it. @internal */
  protected get _main(): Promise<pulumi.CustomResource | undefined> {
    return this.#registered.then(({ main }) => main);
  }

  /** What was said about the constructs. @internal */
  protected get _recording(): Recording {
    return this.#recording;
  }

  /** Calls a method of the construct or of what it is made of, such as `['metadata', 'addAnnotation']`. @internal */
  protected _call(path: readonly string[], ...args: unknown[]): unknown {
    const target = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], this);
    return (target as (...args: unknown[]) => unknown)(...args);
  }

  protected override async initialize(): Promise<void> {
    // not before this turn of the program is over: calls of methods belong to what is registered
    await new Promise((resolve) => setImmediate(resolve));
    const recording = this.#recording;
    recording.closed = true;
    try {
      const resolved = await resolve(recording);
      recording.resolved(resolved.instance);
      if (resolved.unjudged !== undefined) {
        await pulumi.log.warn(`cannot be judged before its inputs are known: ${resolved.unjudged}`, this);
      }
      this.#registration.resolve(this.registerAll(resolved.objects));
    } catch (error) {
      const told = toldOf(error, this);
      recording.failed(told);
      this.#registration.reject(told);
      throw told;
    }
  }

  private registerAll(objects: readonly ResolvedObject[]): Registered {
    const recording = this.#recording;
    const options = this.#options;
    const { variables, recordings } = ingredients(recording.parts());
    const nameOf = (path: string): string => (path === '' ? recording.name : `${recording.name}/${path}`);
    const ids = this.idsToImport(objects.map(({ path }) => nameOf(path)));
    // whatever an Input comes from is there before any of the objects
    const before = [
      options.dependsOn ?? [],
      pulumi.all([...variables].map(outputOf)).apply(() => []),
      [...recordings].flatMap(({ owner }) => (owner && owner !== this ? [owner] : [])),
    ];
    const byName: Record<string, pulumi.CustomResource> = {};
    const pending = new Map(objects.map((object) => [object.path, object]));
    const make = (path: string): pulumi.CustomResource | undefined => {
      const name = nameOf(path);
      const object = pending.get(path);
      if (object) {
        pending.delete(path);
        const first = object.after.map(make);
        byName[name] = register(name, object.manifest, object.fields, {
          ...pick(options, OF_ALL_OBJECTS),
          ...(path === '' ? pick(options, OF_OWN_OBJECT) : {}),
          ...(ids[name] === undefined ? {} : { import: ids[name] }),
          parent: this,
          dependsOn: [...before, ...first.filter((it) => it !== undefined)] as pulumi.Resource[],
        });
      }
      return byName[name];
    };
    for (const { path } of objects) make(path);
    return { main: byName[recording.name], byName };
  }

  private idsToImport(names: readonly string[]): Readonly<Record<string, string>> {
    const ids = this.#options.import;
    if (ids === undefined) return {};
    if (typeof ids === 'string') return { [this.#recording.name]: ids };
    const lost = Object.keys(ids).find((name) => !names.includes(name));
    if (lost === undefined) return ids;
    const allowed = names.map((name) => JSON.stringify(name)).join(', ');
    throw new Error(
      `${this.#recording.name}: import: no object is called ${JSON.stringify(lost)} (allowed: ${allowed})\n  name an object of this component [pulumi-import]`,
    );
  }
}

interface Registered {
  readonly main: pulumi.CustomResource | undefined;
  readonly byName: Record<string, pulumi.CustomResource>;
}

interface WithMetadata {
  readonly metadata: pulumi.Output<{ readonly namespace?: string } | undefined>;
}

/** Errors of the construct library say everything; their stack leads nowhere that a user knows. */
function toldOf(error: unknown, component: pulumi.Resource): unknown {
  const told =
    error instanceof Error && (/^Validation failed with/.test(error.message) || error.name === 'ValidationError');
  return told ? new pulumi.ResourceError(error.message, component, true) : error;
}

/** What the component itself is registered with. */
function own(opts: ComponentOptions): pulumi.ComponentResourceOptions {
  const taken = new Set<string>([...OF_OWN_OBJECT, ...OF_ALL_OBJECTS, 'import', 'context']);
  return Object.fromEntries(Object.entries(opts).filter(([key]) => !taken.has(key)));
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]])) as Pick<T, K>;
}

type OwnArguments<P extends readonly unknown[]> = {
  [I in keyof P]: In<P[I]> extends infer A ? Exclude<A, Promise<unknown> | pulumi.OutputInstance<unknown>> : never;
};

/** The component of a construct class: the same arguments as Inputs, behind the name, and the options of Pulumi. */
export interface ComponentClass<T, P extends readonly unknown[], Own = unknown> {
  new (name: string, ...args: [...OwnArguments<P>, opts?: ComponentOptions]): ConstructComponent & Lifted<T> & Own;
}

/**
 * The component of a construct class.
 *
 * @param core - the construct
 * @param type - type of the component in URNs: `virt8s:room:Class`
 * @param arity - how many arguments the construct takes behind scope and id
 */
export function component<T extends IConstruct, P extends readonly unknown[]>(
  core: new (scope: Construct, id: string, ...rest: P) => T,
  type: string,
  arity = 1,
): ComponentClass<T, P> {
  const make = core as unknown as new (scope: Construct, id: string, ...rest: unknown[]) => T;
  class Component extends ConstructComponent {
    public constructor(name: string, ...rest: unknown[]) {
      const args = rest.slice(0, arity);
      super(
        type,
        { name, args, make: (chart, values) => new make(chart, name, ...values) },
        rest[arity] as ComponentOptions,
      );
    }
  }
  return Component as unknown as ComponentClass<T, P>;
}
