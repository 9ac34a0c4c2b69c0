import type { Resource } from '@pulumi/pulumi';
import { App, ApiObject, Chart, Names } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { isBare, isRecord } from '../constructs/value-kinds';
import { isVariable, type Variable } from './outputs';

/** Component as a program declared it, with everything that a reading needs to build its constructs. */
export interface Declaration {
  /** Name of the component. */
  readonly name: string;
  /** Construct context. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Namespace of objects without one. */
  readonly namespace: unknown;
  /** Later method calls, in order. */
  readonly steps: readonly Step[];
  /** Resource that owns the constructs. */
  readonly owner?: Resource | undefined;
  /** Returns every value that the program passed. */
  parts(): unknown[];
  /** Builds the root construct of the component. */
  build(chart: Chart, evaluate: (arg: unknown) => unknown): IConstruct;
}

/** Value of a component that a handle refers to. */
export interface Reference {
  readonly recording: Declaration;
  readonly ref: Ref;
}

/** Key of the reference on handles and components. */
export const REFERENCE = Symbol.for('virt8s.pulumi.reference');

/** Returns the reference of a handle or a component; undefined for other values. */
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

/** Variables and components that a value depends on. */
export interface Ingredients {
  readonly variables: Set<Variable>;
  /** Components that the value refers to. */
  readonly recordings: Set<Declaration>;
}

/** Collects the variables and components below a value. */
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
  else if (isLiteral(value)) for (const item of Object.values(value)) ingredients(item, found);
  return found;
}

/** One build of the constructs, with a value for each variable. */
export class Reading {
  private readonly app = new App();
  private readonly made = new Map<Later, unknown>();
  private readonly instances = new Map<Declaration, Instance>();

  public constructor(
    private readonly value: (variable: Variable) => unknown,
    /** Whether the variable is a secret. */
    public readonly isSecret: (variable: Variable) => boolean = () => false,
  ) {}

  /** Replaces each variable by its value, and each handle by its construct. */
  public evaluate(value: unknown): unknown {
    const reference = referenceOf(value);
    if (isVariable(value)) return this.value(value);
    if (reference) return this.instance(reference.recording).at(reference.ref);
    if (value instanceof Later) {
      if (!this.made.has(value)) this.made.set(value, value._make(this));
      return this.made.get(value);
    }
    if (Array.isArray(value)) return value.map((item) => this.evaluate(item));
    if (isLiteral(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, this.evaluate(v)]));
    return value;
  }

  /** Returns the constructs of a component. They are in the same app as the constructs that they refer to. */
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

/** Chart that names objects as if it were the only chart of its app, regardless of its own id. */
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

/** Path from the root construct of a component to one of its members or results. */
export type Ref =
  | { readonly kind: 'root' }
  | { readonly kind: 'member'; readonly on: Ref; readonly key: string }
  | { readonly kind: 'result'; readonly step: number };

/** Method call on a component or one of its members. */
export interface Step {
  readonly on: Ref;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** Constructs of one component, in one reading. */
export class Instance {
  /** Root construct of the component. */
  public root?: IConstruct;
  private readonly results: unknown[] = [];

  public constructor(public readonly chart: Chart) {}

  /** Returns the value that a reference points to. */
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

const isLiteral = (value: unknown): value is Record<string, unknown> => isRecord(value) && isBare(value);
