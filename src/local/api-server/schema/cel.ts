import { evaluate } from '@marcbachmann/cel-js';

/** Evaluates one CEL expression. Throws with CEL's message when it does not compile or fails. */
export function evaluateCel(expr: string, vars: Record<string, unknown>): unknown {
  return evaluate(expr, vars);
}
