import { Environment, Optional, ParseResult } from '@marcbachmann/cel-js';
import { registerKubernetesFunctions } from './functions';
import { registerMacros } from './macros';

let environment: Environment | undefined;
const programs = new Map<string, ParseResult>();

/** A compiled expression, from a cache. Throws with CEL's message when it does not parse. */
export function compileCel(expr: string): ParseResult {
  let program = programs.get(expr);
  if (!program) programs.set(expr, (program = celEnvironment().parse(dotted(expr))));
  return program;
}

/** Evaluates one CEL expression. Integers go in and come out as bigint. Throws with CEL's message. */
export function evaluateCel(expr: string, vars: Record<string, unknown>): unknown {
  return compileCel(expr)(vars);
}

export { Optional };

function celEnvironment(): Environment {
  if (environment) return environment;
  const created = new Environment({
    unlistedVariablesAreDyn: true,
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
  });
  registerKubernetesFunctions(created);
  registerMacros(created);
  return (environment = created);
}

/** The parser does not support namespaced functions: `sets.contains(a, b)` is rewritten to `sets_contains(a, b)`. */
const dotted = (expr: string): string => expr.replace(/\bsets\.(contains|equivalent|intersects)\(/g, 'sets_$1(');
