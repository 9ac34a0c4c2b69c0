/** Evaluation of one policy with one parameter object. Pure: no store, clock or network. */
import { CostLimitError, Evaluation, goMessage, PER_CALL_LIMIT, programOf } from '../../schema/cel';
import { Policy, Validation } from './types';

/** Maximum cost of all expressions of one policy and binding, as in Kubernetes. */
const BUDGET = 10_000_000;
const CONDITIONS_BUDGET = 2_500_000;
const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';
const MAX_MESSAGE = 5 * 1024;

/** Rejection by a validation, or by an error that counts as one. */
export interface Denial {
  readonly index: number;
  readonly message: string;
  readonly reason?: string;
}

export interface Findings {
  readonly denials: readonly Denial[];
  /** Denials that do not depend on the actions of the binding: audit annotations that failed. */
  readonly failures: readonly Denial[];
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
}

const NOTHING: Findings = { denials: [], failures: [], annotations: [] };

/** Error of an expression, in the words of Kubernetes. */
class ExpressionError extends Error {}

class Evaluator {
  private readonly variables = new Map<string, Evaluation>();
  /** Variables with their declared names; each is evaluated when it is first used. */
  private readonly scope: Record<string, unknown>;

  public constructor(
    { spec }: Policy,
    given: Record<string, unknown>,
    private budget: number,
  ) {
    const variables = {};
    for (const { name, expression } of spec.variables ?? [])
      Object.defineProperty(variables, name, { enumerable: true, get: () => this.variable(name, expression) });
    this.scope = { ...given, variables };
  }

  /** Value of an expression. @throws ExpressionError */
  public value(expression: string): unknown {
    const { value, error, cost } = evaluateSafely(expression, this.scope, Math.min(PER_CALL_LIMIT, this.budget + 1));
    this.budget -= cost;
    if (this.budget < 0) throw new ExpressionError(OUT_OF_BUDGET);
    if (error) throw new ExpressionError(`expression '${expression}' resulted in error: ${wording(error)}`);
    return value;
  }

  private variable(name: string, expression: string): unknown {
    let result = this.variables.get(name);
    if (!result) {
      result = evaluateSafely(expression, this.scope, PER_CALL_LIMIT);
      this.variables.set(name, result);
      this.budget -= result.cost;
    }
    if (result.error) throw new Error(`composited variable "${name}" fails to evaluate: ${wording(result.error)}`);
    return result.value;
  }
}

const wording = (error: Error): string => (error instanceof CostLimitError ? error.message : goMessage(error));

/** An expression that does not parse fails when it is evaluated. */
function evaluateSafely(expression: string, scope: Record<string, unknown>, limit: number): Evaluation {
  try {
    return programOf(expression).evaluate(scope, limit);
  } catch (error) {
    return { error: error as Error, cost: 0 };
  }
}

/** Evaluates a policy. `given` has the variables of the request in the form of CEL's values. */
export function evaluatePolicy(policy: Policy, given: Record<string, unknown>): Findings {
  const { spec } = policy;
  const fails = spec.failurePolicy !== 'Ignore';
  const denied = (message: string): Findings => (fails ? { ...NOTHING, denials: [{ index: 0, message }] } : NOTHING);
  const met = conditions(policy, given);
  if (met instanceof Error) return denied(met.message);
  if (!met) return NOTHING;
  const evaluator = new Evaluator(policy, given, BUDGET);
  const denials: Denial[] = [];
  for (const [index, validation] of (spec.validations ?? []).entries()) {
    try {
      if (evaluator.value(validation.expression) !== true)
        denials.push({ index, message: messageOf(validation, evaluator), reason: validation.reason ?? 'Invalid' });
    } catch (error) {
      const { message } = error as Error;
      if (message === OUT_OF_BUDGET) return denied(message);
      if (fails) denials.push({ index, message });
    }
  }
  return { denials, ...annotate(policy, new Evaluator(policy, given, BUDGET)) };
}

/** Whether all match conditions are met, or the error that prevents an answer. */
function conditions({ spec }: Policy, given: Record<string, unknown>): boolean | Error {
  const evaluator = new Evaluator({ spec: {} } as Policy, given, CONDITIONS_BUDGET);
  const failed: string[] = [];
  for (const { expression } of spec.matchConditions ?? []) {
    try {
      if (evaluator.value(expression) !== true) return false;
    } catch (error) {
      failed.push((error as Error).message);
    }
  }
  if (failed.length === 0) return true;
  return new Error(failed.length === 1 ? failed[0] : `[${failed.join(', ')}]`);
}

function messageOf({ expression, message, messageExpression }: Validation, evaluator: Evaluator): string {
  if (messageExpression) {
    try {
      const made = evaluator.value(messageExpression);
      const text = typeof made === 'string' ? made.trim() : '';
      if (text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= MAX_MESSAGE) return text;
    } catch (error) {
      if ((error as Error).message === OUT_OF_BUDGET) return `failed messageExpression: ${OUT_OF_BUDGET}`;
      // the message of the validation is used instead
    }
  }
  return message?.trim() || `failed expression: ${expression.trim()}`;
}

function annotate({ spec }: Policy, evaluator: Evaluator): Pick<Findings, 'failures' | 'annotations'> {
  const failures: Denial[] = [];
  const annotations: { key: string; value: string }[] = [];
  for (const [index, { key, valueExpression }] of (spec.auditAnnotations ?? []).entries()) {
    try {
      const value = evaluator.value(valueExpression.trim());
      const text = typeof value === 'string' ? value.trim() : '';
      if (text !== '') annotations.push({ key, value: text });
    } catch (error) {
      if (spec.failurePolicy !== 'Ignore') failures.push({ index, message: (error as Error).message });
    }
  }
  return { failures, annotations };
}
