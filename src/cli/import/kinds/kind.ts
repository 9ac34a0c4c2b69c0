/** Mapping of a kind to code. */
import type { Expression, Variable } from '../expression';

/** An object of a manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** Functions of the surrounding program that a mapping may call. */
export interface Surroundings {
  /** Name of the object's constant. */
  readonly name: string;
  /** Name and namespace of the object. */
  readonly object: { readonly name: string; readonly namespace?: string };
  /**
   * The constant of an object that was declared earlier, or `{ name: '…' }`. The default is the namespace of the
   * object.
   */
  reference(kind: string | readonly string[], name: string, namespace?: string): Expression;
  /** Constant for a value, such as `RunStrategy.ALWAYS`, or `RunStrategy.of('…')` for a value without a constant. */
  choice(name: string, value: string): Expression;
  /** Returns the expression if it renders this value, or undefined. */
  exact<T>(expression: Expression, wanted: unknown, render: (made: T) => unknown): Expression | undefined;
  /** Number of changes from the rendered value to this one; Infinity if the expression throws. */
  distance<T>(expression: Expression, wanted: unknown, render: (made: T) => unknown): number;
}

/** A construct that may declare the object; a trial run decides. */
export interface Candidate {
  /** Exported class. */
  readonly construct: string;
  /** Properties without metadata. */
  readonly props: Readonly<Record<string, Expression | undefined>>;
  /** Whether it has no metadata property: the name follows from another property. */
  readonly ownName?: boolean;
  /**
   * Property (`raw`, or `configuration.raw`) for fields without a property of their own, and the path of these fields in
   * the object.
   */
  readonly rest?: { readonly property: string; readonly path: readonly string[] };
  /** Calls after the construction. */
  readonly calls?: (self: Variable) => readonly Expression[];
}

/** Returns undefined if no construct fits. */
export type Mapping = (object: Manifest, around: Surroundings) => Candidate | undefined;
