/**
 * Type information for patches and apply: the structure, and how lists and maps merge.
 * Nodes may be recursive (JSONSchemaProps), so built-in types make `fields`, `values` and `items` lazily.
 */
export interface TypeSchema {
  /** `any` is untyped data: maps merge by key, lists are atomic, nothing is unknown. */
  readonly kind: 'scalar' | 'map' | 'list' | 'any';
  /** JSON type of a scalar. */
  readonly scalar?: ScalarType;
  /** OpenAPI's `format`, for documents only. */
  readonly format?: string;
  /** Declared fields of a map (an object with known fields). */
  readonly fields?: Readonly<Record<string, TypeSchema>>;
  /** Type of the values of a map with free keys (labels). */
  readonly values?: TypeSchema;
  /** Type of a list's elements. */
  readonly items?: TypeSchema;
  /** The whole value has one owner and is replaced as one. */
  readonly atomic?: boolean;
  /** Type of a list in server-side apply. Default: atomic. */
  readonly listType?: 'atomic' | 'set' | 'map';
  /** Key fields of a `map` list. */
  readonly listKeys?: readonly string[];
  /** Unknown fields of this map are kept (`x-kubernetes-preserve-unknown-fields`, RawExtension). */
  readonly preserveUnknown?: boolean;
  /** Strategic merge: `merge`, `retainKeys`, `merge,retainKeys`; absent means replace. */
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** Default of a missing field; also applies to keys of a `map` list (`protocol: TCP`). */
  readonly default?: unknown;
  /** Required fields, for documents only. */
  readonly required?: readonly string[];
  /** Name of the definition in OpenAPI documents: `io.k8s.api.core.v1.Pod`. */
  readonly name?: string;
}

export type ScalarType = 'string' | 'integer' | 'number' | 'boolean' | 'int-or-string' | 'quantity' | 'untyped';

/** Untyped data. */
export const anyType: TypeSchema = { kind: 'any', preserveUnknown: true };
