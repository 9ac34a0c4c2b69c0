/** What a kind of objects is in code. */
import type { Expression, Variable } from '../expression';

/** An object as it stands in a manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** What a mapping may ask of the program around it. */
export interface Surroundings {
  /** Name of the object's constant. */
  readonly name: string;
  /** Name and namespace of the object. */
  readonly object: { readonly name: string; readonly namespace?: string };
  /**
   * The constant of an object that was declared before; else `{ name: '…' }`. Without a namespace, the object's own is
   * meant.
   */
  reference(kind: string | readonly string[], name: string, namespace?: string): Expression;
  /** The constant of a choice: `RunStrategy.ALWAYS`; of a value that has none `RunStrategy.of('…')`. */
  choice(name: string, value: string): Expression;
  /** The expression, if what it makes renders this; else undefined. */
  exact<T>(expression: Expression, wanted: unknown, render: (made: T) => unknown): Expression | undefined;
  /** How many changes what it renders needs to be this; Infinity when it cannot be made. */
  distance<T>(expression: Expression, wanted: unknown, render: (made: T) => unknown): number;
}

/** A construct that may make the object; whether it does is tried. */
export interface Candidate {
  /** Exported class. */
  readonly construct: string;
  /** Its properties, besides metadata. */
  readonly props: Readonly<Record<string, Expression | undefined>>;
  /** It takes no metadata but the name, which follows from a property. */
  readonly ownName?: boolean;
  /**
   * The property (`raw`, or `configuration.raw`) that takes fields that no other reaches, and where these fields are in
   * the object.
   */
  readonly rest?: { readonly property: string; readonly path: readonly string[] };
  /** What is called after it was made. */
  readonly calls?: (self: Variable) => readonly Expression[];
}

/** Answers undefined when no construct fits. */
export type Mapping = (object: Manifest, around: Surroundings) => Candidate | undefined;
