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
  /** The constant of an object that was declared before; else `{ name: '…' }`. */
  reference(kind: string | readonly string[], name: string, namespace?: string): Expression;
}

/** A construct that may make the object; whether it does is tried. */
export interface Candidate {
  /** Exported class. */
  readonly construct: string;
  /** Its properties, besides metadata. */
  readonly props: Readonly<Record<string, Expression | undefined>>;
  /** The property that takes fields that no other reaches, and where these fields are in the object. */
  readonly rest?: { readonly property: string; readonly path: readonly string[] };
  /** What is called after it was made. */
  readonly calls?: (self: Variable) => readonly Expression[];
}

/** Answers undefined when no construct fits. */
export type Mapping = (object: Manifest, around: Surroundings) => Candidate | undefined;
