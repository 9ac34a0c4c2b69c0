import { ASTNode, Environment, ParseResult } from '@marcbachmann/cel-js';
import { own } from '../../json/values';
import { BoundedCache } from '../bounded-cache';
import { registerAuthorizer } from './authorizer';
import { OWN_NAMES, registerKubernetesFunctions } from './functions';
import { CostLimitError } from './limits';
import { registerMacros } from './macros';
import { childrenOf } from './syntax';

/** Maximum cost of one evaluation, as in Kubernetes: about 0.1 s. */
export const PER_CALL_LIMIT = 1_000_000;

/** Cost of the evaluation that is running: evaluations are synchronous. */
interface Meter {
  cost: number;
  limit: number;
  exceeded?: CostLimitError;
  /** Latest value of each node, for the costs of its parent. */
  readonly values: Map<ASTNode, unknown>;
}

/** Result of an evaluation: its value or its error, and its cost in either case. */
export interface Evaluation {
  readonly value?: unknown;
  readonly error?: Error;
  readonly cost: number;
}

/** A compiled expression. */
export interface Program {
  /** Evaluates the expression with values in the form of `toCel`. */
  evaluate(variables: Record<string, unknown>, limit?: number): Evaluation;
}

const programs = new BoundedCache(500, compile);

/** A compiled expression, from a cache. Throws with the library's message if it does not parse. */
export const programOf = (expression: string): Program => programs.get(expression);

let environment: Environment | undefined;

/** The syntax tree of an expression. Throws with the library's message if it does not parse. */
export function parseCel(expression: string): ParseResult {
  if (!environment) {
    const created = new Environment({
      unlistedVariablesAreDyn: true,
      enableOptionalTypes: true,
      homogeneousAggregateLiterals: false,
    });
    registerKubernetesFunctions(created);
    registerMacros(created);
    registerAuthorizer(created);
    environment = created;
  }
  return environment.parse(expression);
}

let meter: Meter | undefined;

function compile(expression: string): Program {
  const parsed = parseCel(expression);
  instrument(parsed.ast);
  return {
    evaluate(variables, limit = PER_CALL_LIMIT) {
      const outer = meter;
      const mine: Meter = { cost: 0, limit, values: new Map() };
      meter = mine;
      try {
        const value: unknown = parsed(variables);
        return mine.exceeded ? { error: mine.exceeded, cost: mine.cost } : { value, cost: mine.cost };
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error));
        return { error: mine.exceeded ?? failure, cost: mine.cost };
      } finally {
        meter = outer;
      }
    },
  };
}

/** Adds to the cost of the evaluation that is running. @throws CostLimitError above its limit */
function charge(cost: number): void {
  if (!meter) return;
  meter.cost += cost;
  if (meter.cost > meter.limit) throw (meter.exceeded ??= new CostLimitError());
}

type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown;

/** Parts of the library's nodes that its types do not declare. */
interface Node {
  evaluate: Evaluate;
}

/** Number of steps that a macro takes for each element beside its expression. */
const COST_PER_ELEMENT = 3;

/**
 * Charges the cost of each node when it is evaluated, and calls functions by their own names.
 * @param extra cost of a node beside its own
 * @param keep whether the cost of the parent depends on the node's value
 */
function instrument(node: ASTNode, extra = 0, keep = false): void {
  let perElement: readonly ASTNode[] = [];
  if (node.op === 'rcall' || node.op === 'call') {
    const args = node.args as unknown as [string];
    args[0] = own(OWN_NAMES, args[0]) ?? args[0];
  }
  if (node.op === 'rcall' && MACROS.has(node.args[0])) perElement = node.args[2].slice(1);
  const readsOperands = READING.has(node.op) && perElement.length === 0;
  for (const child of childrenOf(node))
    instrument(child, perElement.includes(child) ? COST_PER_ELEMENT : 0, readsOperands);
  wrap(node, extra, keep, readsOperands);
}

/** Operators whose cost depends on the sizes of their operands. */
const READING = new Set<string>(['==', '!=', 'in', '+', '<', '<=', '>', '>=', 'call', 'rcall']);

const MACROS = new Set('all exists exists_one existsOne map filter transformList transformMap'.split(' '));

function wrap(node: ASTNode, extra: number, keep: boolean, readsOperands: boolean): void {
  const cost = extra + baseCost(node);
  if (cost === 0 && !keep && !readsOperands) return;
  const target = node as unknown as Node;
  let inner = target.evaluate;
  let resolved = false;
  const evaluate: Evaluate = (evaluator, self, context) => {
    if (!resolved) {
      // the first call replaces the method by that of the node's operator
      resolved = true;
      return inner.call(node, evaluator, self, context);
    }
    charge(cost);
    const value = inner.call(node, evaluator, self, context);
    if (readsOperands) charge(operandCost(node));
    if (keep) meter?.values.set(node, value);
    return value;
  };
  Object.defineProperty(node, 'evaluate', { get: () => evaluate, set: (method: Evaluate) => (inner = method) });
}

function baseCost(node: ASTNode): number {
  switch (node.op) {
    case 'value':
    case '&&':
    case '||':
    case '?:':
      return 0;
    case 'rcall':
      return MACROS.has(node.args[0]) ? 0 : 1;
    case 'list':
      return 10;
    case 'map':
      return 30;
    default:
      return 1;
  }
}

const valueOf = (node: ASTNode): unknown => meter?.values.get(node);

/** Cost of reading the operands, by their sizes. */
function operandCost(node: ASTNode): number {
  switch (node.op) {
    case '==':
    case '!=':
      return Math.min(...childrenOf(node).map((child) => traversal(valueOf(child))));
    case 'in':
      return traversal(valueOf(node.args[1]));
    case '+':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'call':
      return sum(childrenOf(node).map((child) => traversal(valueOf(child))));
    case 'rcall': {
      if (MACROS.has(node.args[0])) return 0;
      const sizes = childrenOf(node).map((child) => traversal(valueOf(child)));
      const [name] = node.args;
      if (name === OWN_NAMES.matches || name === 'contains' || name.startsWith('find'))
        return sizes.reduce((a, b) => a * Math.max(b, 1), 1);
      return sum(sizes);
    }
    default:
      return 0;
  }
}

const sum = (sizes: readonly number[]): number => sizes.reduce((a, b) => a + b, 0);

/** Cost of reading a value: a tenth per character, one per element. */
function traversal(value: unknown): number {
  if (typeof value === 'string') return Math.ceil(value.length / 10);
  if (Array.isArray(value)) return value.length;
  if (value instanceof Uint8Array) return Math.ceil(value.length / 10);
  return 0;
}
