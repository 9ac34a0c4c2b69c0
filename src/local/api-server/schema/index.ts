export { builtinSchema } from './builtin';
export type { Cause } from './cause';
export { checkCel, evaluateCel } from './cel';
export type { Scope } from './cel';
export type { JsonSchema, ValidationRule } from './json-schema';
export { anyType } from './type-schema';
export type { TypeSchema } from './type-schema';
export { unknownFields } from './unknown-fields';
