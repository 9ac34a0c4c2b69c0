import { StatusCause } from '../../../api/meta';
import { JsonSchema } from './json-schema';
import { TypeSchema } from './type-schema';

export type { JsonSchema, ValidationRule } from './json-schema';
export { anyType } from './type-schema';
export type { ScalarType, TypeSchema } from './type-schema';

/** One mistake, as it stands in `Status.details.causes`; the full text of it is `${field}: ${message}`. */
export type Cause = StatusCause & { reason: string; message: string; field: string };

/** A compiled `openAPIV3Schema` of one CRD version. */
export interface CrdSchema {
  /** Schema, list-type and CEL rules. `old` is the stored object of an update (transition rules, ratcheting). */
  validate(obj: unknown, old?: unknown): Cause[];
  /** Removes unknown fields in place; returns their paths (`spec.x[0].y`). */
  prune(obj: unknown): string[];
  /** Fills in defaults in place. */
  applyDefaults(obj: unknown): void;
  readonly typeSchema: TypeSchema;
}

export { compileCrdSchema } from './crd';
export { validateCrd } from './crd';
export { builtinSchema } from './builtin';
export { unknownFields } from './unknown-fields';
export { evaluateCel } from './cel';
export type { JsonSchema as CrdJsonSchema };
