import * as pulumi from '@pulumi/pulumi';
import type { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { root, ValidationError } from '../api/findings';
import { NoGuess, search, type Variant } from './guesses';
import { outputOf } from './outputs';
import { rejectStringifiedOutputs } from './stringified';
import { ingredients, Reading, REFERENCE } from './reading';
import type { Declaration, Instance, Ref, Reference, Step } from './reading';

/** Function that builds the constructs of a component. */
export interface Recipe {
  /** Name of the component, with which the names of its objects begin. */
  readonly name: string;
  /** Construct context, as in a cdk8s app. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Namespace of objects without one. */
  readonly namespace?: unknown;
  /** Arguments, which may contain variables. */
  readonly args: readonly unknown[];
  /** Builds the constructs from the arguments. It must be deterministic. */
  readonly make: (chart: Chart, args: unknown[]) => IConstruct;
}

/** Constructs that were built with guesses. */
interface Live {
  readonly reading: Reading;
  readonly instance: Instance;
}

/**
 * Everything that a program declares about one component: the arguments and each later method call. With it, the
 * constructs can be built again when more is known. A mistake in a value is thrown where the value is passed.
 */
export class Recording implements Declaration {
  /** Later method calls, in order. */
  public readonly steps: Step[] = [];
  private live!: { readonly a: Live; /** Built with different guesses, if valid ones exist. */ readonly b?: Live };
  private component?: pulumi.Resource;
  private exact: Promise<Instance>;
  private settle!: { resolve: (instance: Instance) => void; reject: (error: unknown) => void };
  /** Whether the objects are registered, so that no more calls are allowed. */
  public closed = false;

  public constructor(private readonly recipe: Recipe) {
    this.exact = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    // the component itself reports the error
    this.exact.catch(() => undefined);
    this.rehearse();
  }

  /** Name of the component. */
  public get name(): string {
    return this.recipe.name;
  }

  /** Construct context. */
  public get context(): Readonly<Record<string, unknown>> {
    return this.recipe.context;
  }

  /** Namespace of objects without one. */
  public get namespace(): unknown {
    return this.recipe.namespace;
  }

  /** Returns every value that the program passed. */
  public parts(): unknown[] {
    return [this.recipe.args, this.recipe.namespace, ...this.steps.map(({ args }) => args)];
  }

  /** Builds the root construct of the component. */
  public build(chart: Chart, evaluate: (arg: unknown) => unknown): IConstruct {
    return this.recipe.make(chart, this.recipe.args.map(evaluate));
  }

  /** Component that owns these constructs. */
  public get owner(): pulumi.Resource | undefined {
    return this.component;
  }

  /** Root construct, built with guesses. */
  public get sample(): IConstruct {
    return this.live.a.instance.root as IConstruct;
  }

  /** Makes Outputs that are read from now on depend on the objects of this component. */
  public ownedBy(owner: pulumi.Resource): void {
    this.component = owner;
  }

  /** Completes the recording with the constructs that were built from the settled Outputs. */
  public resolved(instance: Instance): void {
    this.settle.resolve(instance);
  }

  /** Completes the recording with the error that prevented building the constructs. */
  public failed(error: unknown): void {
    this.settle.reject(error);
  }

  /** Returns the view of a part of the constructs for the program: an Output for a value, a handle for an object. */
  public lift(ref: Ref): unknown {
    const value = this.live.a.instance.at(ref);
    if (typeof value === 'function') {
      const { on, key } = ref as Extract<Ref, { kind: 'member' }>;
      return (...args: unknown[]) => this.call(on, key, args);
    }
    if (Array.isArray(value)) return value.map((_, i) => this.lift({ kind: 'member', on: ref, key: `${i}` }));
    if (typeof value === 'object' && value !== null) return this.handle(ref);
    return this.read(ref);
  }

  private call(on: Ref, method: string, args: unknown[]): unknown {
    if (this.closed) {
      throw new ValidationError([
        {
          rule: 'pulumi-too-late',
          path: root,
          subject: this.name,
          cause: `${method}() comes too late: the objects are registered already`,
          remedy: 'call it in the same turn of the program as the constructor, before any await or apply',
        },
      ]);
    }
    for (const arg of args) rejectStringifiedOutputs(`${this.name}: ${method}`, arg);
    for (const other of awaitedBy(args)) {
      if (other === this || waitsFor(other, this)) rejectCycle(this.name, method);
      waits.set(this, (waits.get(this) ?? new Set()).add(other));
    }
    const step = { on, method, args };
    this.steps.push(step);
    const index = this.steps.length - 1;
    try {
      this.rehearse(step);
    } catch (error) {
      this.steps.pop();
      this.rehearse();
      throw error;
    }
    const { instance } = this.live.a;
    const result = instance.at({ kind: 'result', step: index });
    if (result === undefined) return undefined;
    return this.lift(result === instance.at(on) ? on : { kind: 'result', step: index });
  }

  /** Builds the constructs with guesses. If nothing new must be guessed, it only performs this step. */
  private rehearse(step?: Step): void {
    const { variables } = ingredients(this.parts());
    if (step && ingredients(step.args).variables.size === 0) {
      try {
        for (const { instance, reading } of new Set(Object.values(this.live))) instance.perform(step, reading);
        return;
      } catch (error) {
        if (variables.size === 0) throw error;
      }
    }
    const live = (variant: Variant): Live =>
      search(variables, variant, (guess) => {
        const reading = new Reading(guess);
        return { reading, instance: reading.instance(this) };
      });
    const a = live('a');
    this.live = { a, b: variables.size === 0 ? a : other(() => live('b')) };
  }

  /** Returns an Output for a value. It is known immediately if the value depends on no Output. */
  private read(ref: Ref): pulumi.Output<unknown> {
    const owner = pulumi.output(this.component?.urn);
    const value = this.live.a.instance.at(ref);
    if (this.live.b && this.live.b.instance.at(ref) === value) return owner.apply(() => value);
    const { variables } = ingredients(this.parts());
    return pulumi.all([owner, ...[...variables].map(outputOf)]).apply(async () => (await this.exact).at(ref));
  }

  private handle(ref: Ref): object {
    return new Proxy(Object.create(null) as object, {
      get: (_, key) => {
        if (key === REFERENCE) return { recording: this, ref } satisfies Reference;
        // keys that libraries use to detect Promises, Outputs and JSON: a handle has none of them
        if (typeof key === 'symbol' || key.startsWith('__') || key === 'then' || key === 'toJSON') return undefined;
        return this.lift({ kind: 'member', on: ref, key });
      },
      has: (_, key) => typeof key === 'string' && key in (this.live.a.instance.at(ref) as object),
    });
  }
}

/** Components whose objects must be registered before an Output or a resource has a value. */
const laterThan = new WeakMap<object, Recording>();

/** Marks a value that is known after the objects of a component are registered. */
export function knownAfter<T extends object>(recording: Recording, value: T): T {
  laterThan.set(value, recording);
  return value;
}

/** Components whose objects each component waits for. */
const waits = new WeakMap<Recording, Set<Recording>>();

function waitsFor(one: Recording, other: Recording, seen = new Set<Recording>()): boolean {
  if (seen.has(one)) return false;
  seen.add(one);
  return [...(waits.get(one) ?? [])].some((it) => it === other || waitsFor(it, other, seen));
}

/** Returns the components whose objects must be registered before the arguments have values. */
function awaitedBy(args: readonly unknown[]): Recording[] {
  return [...ingredients(args).variables].flatMap((variable) => {
    const resources = (variable as { resources?: () => Iterable<object> }).resources?.() ?? [];
    return [variable, ...resources].flatMap((it) => laterThan.get(it) ?? []);
  });
}

/** Pulumi would wait forever, without a message. */
function rejectCycle(name: string, method: string): never {
  const cause = `${method}() depends on an Output that is known after the objects of this component are registered`;
  const remedy = 'use the Output in another component that this one does not wait for';
  throw new ValidationError([{ rule: 'pulumi-too-late', path: root, subject: name, cause, remedy }]);
}

function other<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof NoGuess) return undefined;
    throw error;
  }
}

/** Returns the names of a construct's public members. */
export function membersOf(construct: IConstruct, upTo: object): string[] {
  const names = new Set<string>(Object.keys(construct));
  for (let at: object = Object.getPrototypeOf(construct); at && at !== upTo; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return [...names].filter((name) => !name.startsWith('_') && name !== 'constructor');
}
