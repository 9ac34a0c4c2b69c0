/**
 * Code of an import as data. Expressions can be printed and run, so that the written code was tested. Pure.
 */

/** Module of a name: `import { Size } from 'cdk8s'`. */
export type Library = 'cdk8s' | 'virt8s';

/** Plain data from YAML; `undefined` is printed as `undefined`. */
export interface Value {
  readonly type: 'value';
  readonly value: unknown;
}
/** Text of several lines; printed as a constant of this name before the statement that uses it. */
export interface LongText {
  readonly type: 'text';
  readonly name: string;
  readonly value: string;
}
export interface ObjectOf {
  readonly type: 'object';
  readonly entries: readonly (readonly [key: string, value: Expression])[];
}
export interface ListOf {
  readonly type: 'list';
  readonly items: readonly Expression[];
}
/** Exported name with members: `RunStrategy.ALWAYS`. */
export interface Exported {
  readonly type: 'exported';
  readonly library: Library;
  readonly path: readonly string[];
}
/** Constant of the program. */
export interface Variable {
  readonly type: 'variable';
  readonly name: string;
}
export interface Member {
  readonly type: 'member';
  readonly of: Expression;
  readonly name: string;
}
export interface Call {
  readonly type: 'call';
  readonly callee: Expression;
  readonly args: readonly Expression[];
}
export interface New {
  readonly type: 'new';
  readonly callee: Exported;
  readonly args: readonly Expression[];
}
export type Expression = Value | LongText | ObjectOf | ListOf | Exported | Variable | Member | Call | New;

/** Statement of the program: a constant or a call. */
export interface Statement {
  /** Name of the constant. */
  readonly declares?: string;
  readonly expression: Expression;
  /** Comment before it. */
  readonly comment?: readonly string[];
}

/** Modules of exported names. Mappings only use the factories below. */
const CDK8S = new Set(['ApiObject', 'App', 'Chart', 'Duration', 'JsonPatch', 'Size']);

export const value = (plain: unknown): Value => ({ type: 'value', value: plain });
export const list = (items: readonly Expression[]): ListOf => ({ type: 'list', items });
export const variable = (name: string): Variable => ({ type: 'variable', name });

/** `'RunStrategy.ALWAYS'` */
export function exported(dotted: string): Exported {
  const path = dotted.split('.');
  return { type: 'exported', library: CDK8S.has(path[0]!) ? 'cdk8s' : 'virt8s', path };
}

/** Object literal; entries without a value are omitted. */
export const object = (entries: Readonly<Record<string, Expression | undefined>>): ObjectOf => ({
  type: 'object',
  entries: Object.entries(entries).filter((entry): entry is [string, Expression] => entry[1] !== undefined),
});

/** Call such as `call('Disk.containerDisk', image, options)`; empty arguments at the end are omitted. */
export const call = (dotted: string, ...args: readonly (Expression | undefined)[]): Call => ({
  type: 'call',
  callee: exported(dotted),
  args: said(args),
});

/** `vm.addDisk(disk)` */
export const method = (of: Expression, names: string, ...args: readonly (Expression | undefined)[]): Call => ({
  type: 'call',
  callee: names.split('.').reduce<Expression>((inner, name) => ({ type: 'member', of: inner, name }), of),
  args: said(args),
});

/** `new VirtualMachine(chart, 'web', { … })` */
export const construct = (dotted: string, ...args: readonly (Expression | undefined)[]): New => ({
  type: 'new',
  callee: exported(dotted),
  args: said(args),
});

function said(args: readonly (Expression | undefined)[]): Expression[] {
  return args.filter(
    (arg): arg is Expression => arg !== undefined && !(arg.type === 'object' && arg.entries.length === 0),
  );
}

/** Values of the names of a program. */
export interface Scope {
  readonly libraries: Readonly<Record<Library, Readonly<Record<string, unknown>>>>;
  readonly variables: ReadonlyMap<string, unknown>;
}

/** Evaluates an expression. Throws the errors of the code. */
export function evaluate(expression: Expression, scope: Scope): unknown {
  switch (expression.type) {
    case 'value':
      return copy(expression.value);
    case 'text':
      return expression.value;
    case 'object':
      return Object.fromEntries(expression.entries.map(([key, inner]) => [key, evaluate(inner, scope)]));
    case 'list':
      return expression.items.map((item) => evaluate(item, scope));
    case 'exported':
      return expression.path.reduce<unknown>(
        (of, name) => (of as Record<string, unknown> | undefined)?.[name],
        scope.libraries[expression.library],
      );
    case 'variable':
      return scope.variables.get(expression.name);
    case 'member':
      return (evaluate(expression.of, scope) as Record<string, unknown>)[expression.name];
    case 'new': {
      const made = evaluate(expression.callee, scope) as new (...args: unknown[]) => unknown;
      return new made(...expression.args.map((arg) => evaluate(arg, scope)));
    }
    case 'call': {
      const { callee } = expression;
      const args = expression.args.map((arg) => evaluate(arg, scope));
      const [of, name] =
        callee.type === 'member'
          ? [evaluate(callee.of, scope), callee.name]
          : callee.type === 'exported'
            ? [evaluate({ ...callee, path: callee.path.slice(0, -1) }, scope), callee.path.at(-1)!]
            : [undefined, ''];
      return (of as Record<string, (...args: unknown[]) => unknown>)[name]!(...args);
    }
  }
}

/** Copies data, because constructs may keep and modify it. */
const copy = (plain: unknown): unknown =>
  typeof plain === 'object' && plain !== null ? structuredClone(plain) : plain;

/** Expression and all its parts, outermost first. */
export function* partsOf(expression: Expression): Generator<Expression> {
  yield expression;
  switch (expression.type) {
    case 'object':
      for (const [, inner] of expression.entries) yield* partsOf(inner);
      break;
    case 'list':
      for (const item of expression.items) yield* partsOf(item);
      break;
    case 'member':
      yield* partsOf(expression.of);
      break;
    case 'call':
    case 'new':
      yield* partsOf(expression.callee);
      for (const arg of expression.args) yield* partsOf(arg);
      break;
  }
}
