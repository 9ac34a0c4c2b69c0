import * as pulumi from '@pulumi/pulumi';
import { Construct, type IConstruct } from 'constructs';
import { checkArguments } from './arguments';
import type { In, Lifted } from './inputs';
import { outputOf } from './outputs';
import { ingredients, REFERENCE, type Reference } from './reading';
import { knownAfter, membersOf, Recording, type Recipe } from './recording';
import { forComponent, registerAll, type ComponentOptions, type Registered, reportedOf } from './registration';
import { resolve } from './resolve';
import { rejectStringifiedOutputs } from './stringified';
import { withTarget } from './target';

/**
 * Constructs of virt8s, or of any cdk8s library, as a Pulumi component whose children are their objects.
 *
 * The objects are registered after the current turn of the program that created the component, when every Output that
 * they depend on is settled. Until then, methods of the component can be called. The construct library throws errors
 * about a value where the value is passed; errors about a whole object fail the program before the first of its objects
 * is registered.
 */
export class ConstructComponent extends pulumi.ComponentResource {
  readonly #recording: Recording;
  readonly #options: ComponentOptions;
  #registration!: { resolve: (objects: Registered) => void; reject: (error: unknown) => void };
  readonly #registered: Promise<Registered>;

  public constructor(type: string, recipe: Pick<Recipe, 'name' | 'args' | 'make'>, opts: ComponentOptions = {}) {
    checkArguments({ type, name: recipe.name, args: recipe.args, opts });
    const above = opts.parent instanceof ConstructComponent ? opts.parent.#recording : undefined;
    const context = withTarget(opts.context ?? above?.context ?? {});
    const namespace = opts.namespace ?? above?.namespace;
    for (const arg of [...recipe.args, { namespace }]) rejectStringifiedOutputs(recipe.name, arg);
    const recording = new Recording({ ...recipe, context, namespace });
    super(type, recipe.name, {}, forComponent(opts));
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

  /** Value that the component represents when it is an argument. @internal */
  public get [REFERENCE](): Reference {
    return { recording: this.#recording, ref: { kind: 'root' } };
  }

  /** Registered objects, by logical name. */
  public get objects(): pulumi.Output<Record<string, pulumi.CustomResource>> {
    return knownAfter(this.#recording, pulumi.output(this.#registered.then(({ byName }) => byName))) as never;
  }

  /** Namespace of the platform; otherwise that of the component's main object, or else the provider's default. */
  public get namespace(): pulumi.Output<string> {
    // a construct of several equal objects knows its namespace itself
    if ('namespace' in this.#recording.sample)
      return this.#recording.lift({ kind: 'member', on: { kind: 'root' }, key: 'namespace' }) as pulumi.Output<string>;
    const metadata = this.#registered.then(({ main }) => main && (main as unknown as WithMetadata).metadata);
    return knownAfter(
      this.#recording,
      pulumi.output(metadata).apply((it) => it?.namespace ?? 'default'),
    );
  }

  /** Main object of the component as a Pulumi resource. @internal */
  protected get _main(): Promise<pulumi.CustomResource | undefined> {
    return this.#registered.then(({ main }) => main);
  }

  /** Recorded declaration of the constructs. @internal */
  protected get _recording(): Recording {
    return this.#recording;
  }

  /** Calls a method of the construct or of one of its members, such as `['metadata', 'addAnnotation']`. @internal */
  protected _call(path: readonly string[], ...args: unknown[]): unknown {
    const target = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], this);
    return (target as (...args: unknown[]) => unknown)(...args);
  }

  protected override async initialize(): Promise<void> {
    // wait for the end of this turn of the program: its method calls still change the objects
    await new Promise((resolve) => setImmediate(resolve));
    const recording = this.#recording;
    recording.closed = true;
    try {
      const resolved = await resolve(recording);
      const before = await this.#before();
      for (const { path, manifest } of resolved.objects) {
        rejectStringifiedOutputs(path === '' ? recording.name : `${recording.name}/${path}`, manifest);
      }
      recording.resolved(resolved.instance);
      if (resolved.unvalidated)
        await pulumi.log.warn('cannot be validated in this preview, because some inputs are not known yet', this);
      this.#registration.resolve(registerAll(this, recording.name, resolved.objects, this.#options, before));
    } catch (error) {
      const reported = reportedOf(error, this);
      recording.failed(reported);
      this.#registration.reject(reported);
      throw reported;
    }
  }

  /**
   * Returns the resources that must exist before the objects: the sources of all Inputs. If two components refer to each
   * other, only one waits.
   */
  async #before(): Promise<pulumi.Resource[]> {
    const { variables, recordings } = ingredients(this.#recording.parts());
    const sources = await Promise.all([...variables].map((it) => pulumi.getAllResources(outputOf(it))));
    const components = [...recordings].flatMap(({ owner }) => owner ?? []);
    const all = new Set([...sources.flatMap((it) => [...it]), ...components]);
    const before = [...all].filter((it) => it !== this && !waitsFor(it, this));
    waiting.set(this, before);
    return before;
  }
}

/** Resources that each component waits for. */
const waiting = new WeakMap<pulumi.Resource, readonly pulumi.Resource[]>();

function waitsFor(waits: pulumi.Resource, resource: pulumi.Resource, seen = new Set<pulumi.Resource>()): boolean {
  if (seen.has(waits)) return false;
  seen.add(waits);
  return (waiting.get(waits) ?? []).some((it) => it === resource || waitsFor(it, resource, seen));
}

interface WithMetadata {
  readonly metadata: pulumi.Output<{ readonly namespace?: string } | undefined>;
}

type OwnArguments<P extends readonly unknown[]> = {
  [I in keyof P]: [P[I]] extends [string]
    ? pulumi.Input<P[I]>
    : In<P[I]> extends infer A
      ? Exclude<A, Promise<unknown> | pulumi.OutputInstance<unknown>>
      : never;
};

/** Component of a construct class. It takes a name, the construct's arguments as Inputs, and Pulumi's options. */
export interface ComponentClass<T, P extends readonly unknown[], Own = unknown> {
  new (name: string, ...args: [...OwnArguments<P>, opts?: ComponentOptions]): ConstructComponent & Lifted<T> & Own;
}

/**
 * Creates the component class of a construct class.
 *
 * @param core - the construct
 * @param type - type of the component in URNs: `virt8s:room:Class`
 * @param arity - number of the construct's arguments after scope and id
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
