import { Cause } from './cause';

/** What is wrong with a CustomResourceDefinition itself. */
export function validateCrd(_crd: unknown): Cause[] {
  return [];
}
