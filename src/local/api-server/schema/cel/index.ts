import { programOf } from './program';
import { toCel } from './values';

export { Optional } from '@marcbachmann/cel-js';
export { checkCel } from './check';
export type { Checked, Scope } from './check';
export { CostLimitError } from './limits';
export { PER_CALL_LIMIT, programOf } from './program';
export type { Evaluation, Program } from './program';
export { toCel } from './values';

/** First line of the library's message, in Kubernetes' wording. */
export function goMessage(error: unknown): string {
  const [line = ''] = (error as Error).message.split('\n');
  const [, index] = /index out of bounds, index (-?\d+)/.exec(line) ?? [];
  if (index !== undefined) return `index out of bounds: ${index}`;
  if (line.startsWith('integer overflow')) return 'integer overflow';
  return line.charAt(0).toLowerCase() + line.slice(1);
}

/**
 * Evaluates one CEL expression on JSON, and on values that are not JSON (`opaque`). Integers come out as bigint.
 * Throws with CEL's message.
 */
export function evaluateCel(
  expr: string,
  vars: Record<string, unknown>,
  opaque: Record<string, unknown> = {},
): unknown {
  const json = Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, toCel(value, undefined)]));
  const variables = { ...json, ...opaque };
  const { value, error } = programOf(expr).evaluate(variables);
  if (error) throw error;
  return value;
}
