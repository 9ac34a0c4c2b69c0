import { ASTNode, Environment, Optional } from '@marcbachmann/cel-js';
import { isMap } from '../../json/values';

/* Macros that Kubernetes has and the library has not: two-variable comprehensions, optMap and optFlatMap. */

/** Macro interface of the library, which its types do not declare. */
interface Scope {
  forkWithVariable(name: string, type: unknown): Scope;
  reuse(parent: Scope): Scope;
  setIterValue(value: unknown, evaluator: Evaluator): Scope;
}
interface Checker {
  check(node: ASTNode, scope: Scope): unknown;
  getType(name: string): unknown;
}
interface Evaluator {
  run(node: ASTNode, scope: Scope): unknown;
}
interface Call {
  readonly ast: ASTNode & { setMeta(key: string, value: unknown): unknown };
  readonly args: readonly ASTNode[];
  readonly receiver: ASTNode;
}

/** Evaluates one of the macro's expressions with its variables bound. */
type Run = (expression: number, ...values: unknown[]) => unknown;

interface MacroOptions {
  /** Number of arguments that are names of variables. */
  readonly variables: number;
  /** Type of the result. */
  readonly type: string;
  readonly evaluate: (target: unknown, run: Run, expressions: number) => unknown;
}

const macro =
  ({ variables, type, evaluate }: MacroOptions) =>
  ({ ast, args, receiver }: Call) => {
    const names = args.slice(0, variables).map((node) => String(node.args));
    const expressions = args.slice(variables);
    const scopes: Scope[] = [];
    return {
      ast,
      typeCheck(checker: Checker, _self: unknown, scope: Scope) {
        checker.check(receiver, scope);
        let inner = scope;
        for (const name of names) scopes.push((inner = inner.forkWithVariable(name, checker.getType('dyn'))));
        for (const expression of expressions) checker.check(expression, inner);
        ast.setMeta('async', false);
        return checker.getType(type);
      },
      evaluate(evaluator: Evaluator, _self: unknown, scope: Scope) {
        const run: Run = (expression, ...values) => {
          const bound = scopes.reduce((outer, own, i) => own.reuse(outer).setIterValue(values[i], evaluator), scope);
          return evaluator.run(expressions[expression] as ASTNode, bound);
        };
        return evaluate(evaluator.run(receiver, scope), run, expressions.length);
      },
    };
  };

/** Index and element of a list, key and value of a map. */
function pairs(target: unknown): [unknown, unknown][] {
  if (Array.isArray(target)) return target.map((value, i): [unknown, unknown] => [BigInt(i), value]);
  if (target instanceof Map) return [...(target as Map<unknown, unknown>)];
  return isMap(target) ? Object.entries(target) : [];
}

/** Errors of single elements do not count when another decides, as in CEL. */
function decides(target: unknown, run: Run, wanted: boolean): boolean {
  let failed: unknown;
  for (const [key, value] of pairs(target)) {
    try {
      if (run(0, key, value) === wanted) return true;
    } catch (error) {
      failed ??= error;
    }
  }
  if (failed !== undefined) throw failed;
  return false;
}

/** Entries that a macro keeps. If it has two expressions, the first is a filter. */
const kept = (target: unknown, run: Run, expressions: number): [unknown, unknown][] =>
  pairs(target)
    .filter(([key, value]) => expressions === 1 || run(0, key, value) === true)
    .map(([key, value]) => [key, run(expressions - 1, key, value)]);

const TWO_VARIABLES: Readonly<Record<string, Omit<MacroOptions, 'variables'>>> = {
  all: { type: 'bool', evaluate: (target, run) => !decides(target, run, false) },
  exists: { type: 'bool', evaluate: (target, run) => decides(target, run, true) },
  existsOne: { type: 'bool', evaluate: (target, run) => pairs(target).filter(([k, v]) => run(0, k, v)).length === 1 },
  exists_one: { type: 'bool', evaluate: (target, run) => pairs(target).filter(([k, v]) => run(0, k, v)).length === 1 },
  transformList: {
    type: 'list<dyn>',
    evaluate: (target, run, expressions) => kept(target, run, expressions).map(([, value]) => value),
  },
  transformMap: {
    type: 'map<dyn, dyn>',
    evaluate: (target, run, expressions) => new Map(kept(target, run, expressions)),
  },
};

/** Adds the macros. */
export function registerMacros(env: Environment): void {
  const add = (signature: string, options: MacroOptions) =>
    env.registerFunction(signature, macro(options) as unknown as (...args: unknown[]) => unknown);
  for (const [name, options] of Object.entries(TWO_VARIABLES)) {
    const full = { ...options, variables: 2 };
    // macros are found by name and number of arguments; maps come to these, too
    add(`list<dyn>.${name}(ast, ast, ast): ${options.type}`, full);
    if (name.startsWith('transform')) add(`list<dyn>.${name}(ast, ast, ast, ast): ${options.type}`, full);
  }
  const optional = (flat: boolean): MacroOptions => ({
    variables: 1,
    type: 'optional<dyn>',
    evaluate: (target, run) => {
      if (!(target instanceof Optional) || !target.hasValue()) return Optional.none();
      const result = run(0, target.value());
      return flat ? result : Optional.of(result);
    },
  });
  add('optional<dyn>.optMap(ast, ast): optional<dyn>', optional(false));
  add('optional<dyn>.optFlatMap(ast, ast): optional<dyn>', optional(true));
}
