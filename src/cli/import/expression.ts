/**
 * The code that an import writes, as data: what can be printed can be run, so that what is written was tried. Pure.
 */

/** Where a name comes from: `import { Size } from 'cdk8s'`. */
export type Library = 'cdk8s' | 'virt8s';

/** Plain data, as it came out of YAML; `undefined` is written as such. */
export interface Value {
  readonly type: 'value';
  readonly value: unknown;
}
/** A text of many lines; it is written as a constant of this name, before the statement that uses it. */
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
/** An exported name, and what is below it: `RunStrategy.ALWAYS`. */
export interface Exported {
  readonly type: 'exported';
  readonly library: Library;
  readonly path: readonly string[];
}
/** A constant of the program. */
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

/** One line of the program: a constant, or something that is done. */
export interface Statement {
  /** Name of the constant. */
  readonly declares?: string;
  readonly expression: Expression;
  /** Said before it. */
  readonly comment?: readonly string[];
}

/** Where the library of an exported name is known: the factories below are all that mappings use. */
const CDK8S = new Set(['ApiObject', 'App', 'Chart', 'Duration', 'JsonPatch', 'Size']);

export const value = (plain: unknown): Value => ({ type: 'value', value: plain });
export const list = (items: readonly Expression[]): ListOf => ({ type: 'list', items });
export const variable = (name: string): Variable => ({ type: 'variable', name });

/** `'RunStrategy.ALWAYS'` */
export function exported(dotted: string): Exported {
  const path = dotted.split('.');
  return { type: 'exported', library: CDK8S.has(path[0]!) ? 'cdk8s' : 'virt8s', path };
}

/** Entries without a value are left out. */
export const object = (entries: Readonly<Record<string, Expression | undefined>>): ObjectOf => ({
  type: 'object',
  entries: Object.entries(entries).filter((entry): entry is [string, Expression] => entry[1] !== undefined),
});

/** `call('Disk.containerDisk', image, options)`; arguments at the end that say nothing are left out. */
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

/** What the names of a program stand for. */
export interface Scope {
  readonly libraries: Readonly<Record<Library, Readonly<Record<string, unknown>>>>;
  readonly variables: ReadonlyMap<string, unknown>;
}

/** Runs an expression. Throws what the code would throw. */
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

/** Constructs may keep what they are given: each run gets its own. */
const copy = (plain: unknown): unknown =>
  typeof plain === 'object' && plain !== null ? structuredClone(plain) : plain;

/** Every part of an expression, itself first. */
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
