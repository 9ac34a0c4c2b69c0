import type { Resource } from '@pulumi/pulumi';
import { App, ApiObject, Chart, Names } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { isVariable, type Variable } from './outputs';

/** One component as a program declared it: what a reading needs to make its constructs. */
export interface Declaration {
  /** Name of the component. */
  readonly name: string;
  /** Construct context. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Namespace of objects that set none. */
  readonly namespace: unknown;
  /** Later calls, in their order. */
  readonly steps: readonly Step[];
  /** Resource that owns the constructs. */
  readonly owner?: Resource;
  /** Returns every value that the program passed. */
  parts(): unknown[];
  /** Makes the root construct of the component. */
  build(chart: Chart, evaluate: (arg: unknown) => unknown): IConstruct;
}

/** Value of a component that a handle refers to. */
export interface Reference {
  readonly recording: Declaration;
  readonly ref: Ref;
}

/** On handles and components: what they stand for. */
export const REFERENCE = Symbol.for('virt8s.pulumi.reference');

/** What a value stands for, if it is a handle or a component. */
export function referenceOf(value: unknown): Reference | undefined {
  return typeof value === 'object' && value !== null
    ? ((value as Record<symbol, unknown>)[REFERENCE] as Reference | undefined)
    : undefined;
}

/** A call of the construct library with arguments that are known later. */
export class Later {
  public constructor(
    private readonly make: (args: unknown[], secret: boolean) => unknown,
    public readonly args: readonly unknown[],
  ) {}

  /** @internal */
  public _make(reading: Reading): unknown {
    const { variables } = ingredients(this.args);
    return this.make(
      this.args.map((arg) => reading.evaluate(arg)),
      [...variables].some((variable) => reading.isSecret(variable)),
    );
  }
}

/** What the objects of a value follow from. */
export interface Ingredients {
  readonly variables: Set<Variable>;
  /** Components that it refers to. */
  readonly recordings: Set<Declaration>;
}

/** Everything below a value that is known later. */
export function ingredients(value: unknown, found: Ingredients = { variables: new Set(), recordings: new Set() }) {
  const reference = referenceOf(value);
  if (isVariable(value)) found.variables.add(value);
  else if (reference) {
    if (!found.recordings.has(reference.recording)) {
      found.recordings.add(reference.recording);
      for (const part of reference.recording.parts()) ingredients(part, found);
    }
  } else if (value instanceof Later) ingredients(value.args, found);
  else if (Array.isArray(value)) for (const item of value) ingredients(item, found);
  else if (isPlain(value)) for (const item of Object.values(value)) ingredients(item, found);
  return found;
}

/** One run of constructs, with a value for each variable. */
export class Reading {
  private readonly app = new App();
  private readonly made = new Map<Later, unknown>();
  private readonly instances = new Map<Declaration, Instance>();

  public constructor(
    private readonly value: (variable: Variable) => unknown,
    /** Whether the variable is a secret. */
    public readonly isSecret: (variable: Variable) => boolean = () => false,
  ) {}

  /** The value with a value for each variable in it, and constructs for handles. */
  public evaluate(value: unknown): unknown {
    const reference = referenceOf(value);
    if (isVariable(value)) return this.value(value);
    if (reference) return this.instance(reference.recording).at(reference.ref);
    if (value instanceof Later) {
      if (!this.made.has(value)) this.made.set(value, value._make(this));
      return this.made.get(value);
    }
    if (Array.isArray(value)) return value.map((item) => this.evaluate(item));
    if (isPlain(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, this.evaluate(v)]));
    return value;
  }

  /** The constructs of a component, in the same app as those that they refer to. */
  public instance(recording: Declaration): Instance {
    let instance = this.instances.get(recording);
    if (!instance) {
      const id = this.app.node.tryFindChild(recording.name)
        ? `${recording.name}~${this.instances.size}`
        : recording.name;
      const namespace = this.evaluate(recording.namespace) as string | undefined;
      const chart = new NamingChart(this.app, id, recording.name, namespace);
      for (const [key, value] of Object.entries(recording.context)) chart.node.setContext(key, value);
      instance = new Instance(chart);
      this.instances.set(recording, instance);
      instance.root = recording.build(chart, (arg) => this.evaluate(arg));
      for (const step of recording.steps) instance.perform(step, this);
    }
    return instance;
  }
}

/** A chart that names objects as if it were the only one of its app, however it is called there. */
class NamingChart extends Chart {
  public constructor(
    scope: App,
    id: string,
    private readonly base: string,
    namespace: string | undefined,
  ) {
    super(scope, id, { disableResourceNameHashes: true, namespace });
  }

  public override generateObjectName(apiObject: ApiObject): string {
    const [, ...below] = apiObject.node.path.split('/');
    const path = [this.base, ...below].join('/');
    return Names.toDnsLabel({ node: { path } } as unknown as ApiObject, {
      includeHash: false,
      maxLen: apiObject.kind === 'CronJob' ? 52 : undefined,
    });
  }
}

/** A way to something from the root construct of a component. */
export type Ref =
  | { readonly kind: 'root' }
  | { readonly kind: 'member'; readonly on: Ref; readonly key: string }
  | { readonly kind: 'result'; readonly step: number };

/** A call of a method, on a component or on what it is made of. */
export interface Step {
  readonly on: Ref;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** The constructs that one component is made of, in one reading. */
export class Instance {
  /** The construct that the component stands for. */
  public root?: IConstruct;
  private readonly results: unknown[] = [];

  public constructor(public readonly chart: Chart) {}

  /** What a reference leads to here. */
  public at(ref: Ref): unknown {
    if (ref.kind === 'root') return this.root;
    if (ref.kind === 'result') return this.results[ref.step];
    const owner = this.at(ref.on);
    return owner === undefined || owner === null ? undefined : (owner as Record<string, unknown>)[ref.key];
  }

  /** Repeats a call. */
  public perform({ on, method, args }: Step, reading: Reading): unknown {
    const target = this.at(on) as Record<string, (...args: unknown[]) => unknown>;
    const result = target[method](...args.map((arg) => reading.evaluate(arg)));
    this.results.push(result);
    return result;
  }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
