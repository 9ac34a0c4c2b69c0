/** Static checks of CEL expressions, with the messages of Kubernetes' compiler. */
import { ASTNode } from '@marcbachmann/cel-js';
import { pattern } from '../pattern';
import { parseCel } from './program';
import { NAMESPACES, Overload, overloadsOf } from './signatures';
import { childrenOf } from './syntax';
import { syntaxIssue } from './syntax-issue';
import * as types from './types';
import {
  BOOL,
  bound,
  CelType,
  DYN,
  fits,
  INT,
  isDyn,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  sizeOf,
  stringOf,
  typeName,
} from './types';

/** Types of the variables that an expression may use. */
export type Scope = ReadonlyMap<string, CelType>;

/** Result of a check: the type of the expression and its maximum cost, or what is wrong with it. */
export type Checked = { readonly type: CelType; readonly cost: number } | { readonly error: string };

/** Checks the syntax, names and types of an expression. */
export function checkCel(expression: string, scope: Scope): Checked {
  let ast: ASTNode;
  try {
    ast = parseCel(expression).ast;
  } catch (error) {
    return { error: `compilation failed: ${syntaxIssue(expression, error as Error)}` };
  }
  const checker = new Checker(expression);
  const type = checker.typeOf(ast, scope);
  return checker.issues.length > 0
    ? { error: `compilation failed: ${checker.issues.join('\n')}` }
    : { type, cost: checker.cost };
}

/** Text of an issue at a position of the expression, as the compiler shows it. */
export function issueAt(expression: string, position: number, message: string): string {
  const before = expression.slice(0, position).split('\n');
  const column = before[before.length - 1].length;
  const line = expression.split('\n')[before.length - 1] ?? '';
  return `ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

/** Macros over a list or map: number of their variables, and the type of the result. */
const MACROS: Readonly<
  Record<string, (args: number) => { variables: number; result: 'bool' | 'list' | 'map' } | undefined>
> = {
  all: (n) => (n === 2 || n === 3 ? { variables: n - 1, result: 'bool' } : undefined),
  exists: (n) => (n === 2 || n === 3 ? { variables: n - 1, result: 'bool' } : undefined),
  exists_one: (n) => (n === 2 || n === 3 ? { variables: n - 1, result: 'bool' } : undefined),
  existsOne: (n) => (n === 2 || n === 3 ? { variables: n - 1, result: 'bool' } : undefined),
  filter: (n) => (n === 2 ? { variables: 1, result: 'list' } : undefined),
  map: (n) => (n === 2 || n === 3 ? { variables: 1, result: 'list' } : undefined),
  transformList: (n) => (n === 3 || n === 4 ? { variables: 2, result: 'list' } : undefined),
  transformMap: (n) => (n === 3 || n === 4 ? { variables: 2, result: 'map' } : undefined),
};

class Checker {
  public readonly issues: string[] = [];
  /** Maximum cost of the nodes so far. */
  public cost = 0;

  public constructor(private readonly text: string) {}

  public typeOf(node: ASTNode, scope: Scope): CelType {
    this.cost += NODE_COSTS[node.op] ?? 0;
    switch (node.op) {
      case 'value':
        return literalType(node.args);
      case 'id':
        return this.variable(node.args, node, scope);
      case '.':
      case '.?':
        return this.select(node.args[0], node.args[1], node, scope);
      case '[]':
        return this.call('_[_]', childrenOf(node), node, scope);
      case '[?]': {
        const [target, index] = childrenOf(node).map((child) => this.typeOf(child, scope));
        const container = target.kind === 'optional' ? target.value : target;
        return optionalOf(this.resolve('_[_]', [container, index], node, false));
      }
      case 'list':
        return listOf(this.common(node.args, scope), node.args.length);
      case 'map':
        return mapOf(
          this.common(
            node.args.map(([key]) => key),
            scope,
          ),
          this.common(
            node.args.map(([, value]) => value),
            scope,
          ),
        );
      case '&&':
      case '||':
        for (const child of node.args) this.expectBool(child, scope);
        return BOOL;
      case '?:':
        return this.call('_?_:_', childrenOf(node), node, scope);
      case '!_':
      case '-_':
        return this.call(node.op, [node.args], node, scope);
      case 'call':
        return this.functionCall(node, scope);
      case 'rcall':
        return this.memberCall(node, scope);
      case 'in':
        return this.call('@in', node.args, node, scope);
      default:
        return this.call(`_${node.op}_`, childrenOf(node), node, scope);
    }
  }

  private fail(position: number, message: string): CelType {
    this.issues.push(issueAt(this.text, position, message));
    return DYN;
  }

  private variable(name: string, node: ASTNode, scope: Scope): CelType {
    const type = scope.get(name);
    if (type) return type;
    if (TYPE_NAMES.has(name)) return types.TYPE;
    return this.fail(node.start, `undeclared reference to '${name}' (in container '')`);
  }

  private select(target: ASTNode, field: string, node: ASTNode, scope: Scope): CelType {
    if (target.op === 'id' && scope.has(`${target.args}.${field}`)) return scope.get(`${target.args}.${field}`)!;
    const given = this.typeOf(target, scope);
    const inside = given.kind === 'optional' ? given.value : given;
    const wrap = (type: CelType) => (given.kind === 'optional' || node.op === '.?' ? optionalOf(type) : type);
    if (isDyn(inside) || inside.kind === 'variable') return wrap(DYN);
    if (inside.kind === 'map') return wrap(inside.value);
    const at = this.positionOf(node);
    if (inside.kind === 'object') {
      const type = inside.fields.get(field);
      return type ? wrap(type) : this.fail(at, `undefined field '${field}'`);
    }
    return this.fail(at, `type '${typeName(inside)}' does not support field selection`);
  }

  private call(name: string, args: readonly ASTNode[], node: ASTNode, scope: Scope): CelType {
    return this.resolve(
      name,
      args.map((arg) => this.typeOf(arg, scope)),
      node,
      false,
    );
  }

  /** Type of a call, from the overloads of the function. */
  private resolve(name: string, args: readonly CelType[], node: ASTNode, member: boolean): CelType {
    const overloads = (overloadsOf(name) ?? []).filter((overload) => overload.member === member);
    const results = overloads.flatMap((overload) => matchOverload(overload, args));
    this.cost += callCost(name, args);
    if (results.length === 0) {
      const [first, ...rest] = args.map(typeName);
      const shown = member ? `${first}.(${rest.join(', ')})` : `(${args.map(typeName).join(', ')})`;
      return this.fail(this.positionOf(node), `found no matching overload for '${name}' applied to '${shown}'`);
    }
    const [result] = results;
    if (name === '_+_' && typeName(result) === 'string') return stringOf(sizeOf(args[0]) + sizeOf(args[1]));
    return results.every((type) => typeName(type) === typeName(result)) ? result : DYN;
  }

  private functionCall(node: ASTNode & { op: 'call' }, scope: Scope): CelType {
    const [name, args] = node.args;
    if (name === 'has') return this.has(args[0], scope);
    if (!overloadsOf(name)?.some((overload) => !overload.member)) {
      for (const arg of args) this.typeOf(arg, scope);
      return this.fail(this.positionOf(node), `undeclared reference to '${name}' (in container '')`);
    }
    const type = this.call(name, args, node, scope);
    this.checkLiteral(name, args);
    return type;
  }

  /** Arguments that are literals are checked when the expression is compiled. */
  private checkLiteral(name: string, args: readonly ASTNode[]): void {
    const literal = args[args.length - 1];
    if (literal?.op !== 'value' || typeof literal.args !== 'string' || !Object.hasOwn(LITERALS, name)) return;
    if (!LITERALS[name](literal.args)) this.fail(literal.start, `invalid ${name} argument`);
  }

  private has(arg: ASTNode | undefined, scope: Scope): CelType {
    if (arg?.op !== '.' && arg?.op !== '.?') this.fail(arg?.start ?? 0, 'invalid argument to has() macro');
    else this.typeOf(arg, scope);
    return BOOL;
  }

  private memberCall(node: ASTNode & { op: 'rcall' }, scope: Scope): CelType {
    const [name, receiver, args] = node.args;
    if (receiver.op === 'id' && !scope.has(receiver.args)) {
      const full = `${receiver.args}.${name}`;
      if (NAMESPACES.has(receiver.args) && overloadsOf(full)) return this.call(full, args, node, scope);
    }
    const macro = Object.hasOwn(MACROS, name) ? MACROS[name](args.length) : undefined;
    if (macro) return this.macro(name, macro, receiver, args, scope);
    if (name === 'optMap' || name === 'optFlatMap') return this.optional(name, receiver, args, scope);
    const given = [receiver, ...args].map((arg) => this.typeOf(arg, scope));
    if (!overloadsOf(name)?.some((overload) => overload.member))
      return this.fail(this.positionOf(node), `undeclared reference to '${name}' (in container '')`);
    const type = this.resolve(name, given, node, true);
    this.checkLiteral(name, args);
    return type;
  }

  private macro(
    name: string,
    { variables, result }: { variables: number; result: 'bool' | 'list' | 'map' },
    receiver: ASTNode,
    args: readonly ASTNode[],
    scope: Scope,
  ): CelType {
    const range = this.typeOf(receiver, scope);
    const names = args.slice(0, variables).map((arg) => String(arg.args));
    const inner = new Map(scope);
    this.rangeTypes(range, variables, receiver).forEach((type, i) => inner.set(names[i], type));
    const expressions = args.slice(variables);
    const before = this.cost;
    this.cost = result === 'bool' ? 3 : 12;
    const made = this.macroResult(name, result, range, expressions, inner);
    this.cost = before + sizeOf(range) * this.cost + (result === 'bool' ? 1 : 11);
    return made;
  }

  private macroResult(
    name: string,
    result: 'bool' | 'list' | 'map',
    range: CelType,
    expressions: readonly ASTNode[],
    inner: Scope,
  ): CelType {
    const size = sizeOf(range);
    if (result === 'bool') {
      this.expectBool(expressions[0], inner);
      return BOOL;
    }
    if (expressions.length === 2) this.expectBool(expressions[0], inner);
    if (name === 'filter') {
      this.expectBool(expressions[0], inner);
      this.cost += 1;
      return range.kind === 'list' ? range : listOf(range.kind === 'map' ? range.key : DYN, size);
    }
    const made = this.typeOf(expressions[expressions.length - 1], inner);
    return result === 'list' ? listOf(made, size) : mapOf(range.kind === 'map' ? range.key : INT, made, size);
  }

  /** Types of the variables of a macro. */
  private rangeTypes(range: CelType, variables: number, node: ASTNode): CelType[] {
    if (range.kind === 'list') return variables === 1 ? [range.item] : [INT, range.item];
    if (range.kind === 'map') return [range.key, range.value];
    if (!isDyn(range) && range.kind !== 'variable')
      this.fail(
        this.positionOf(node),
        `expression of type '${typeName(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
      );
    return [DYN, DYN];
  }

  private optional(name: string, receiver: ASTNode, [variable, body]: readonly ASTNode[], scope: Scope): CelType {
    const given = this.typeOf(receiver, scope);
    const inner = new Map(scope).set(String(variable.args), given.kind === 'optional' ? given.value : DYN);
    const made = this.typeOf(body, inner);
    return name === 'optFlatMap' ? made : optionalOf(made);
  }

  private expectBool(node: ASTNode, scope: Scope): void {
    const type = this.typeOf(node, scope);
    if (!fits(type, BOOL, new Map()))
      this.fail(this.positionOf(node), `expected type 'bool' but found '${typeName(type)}'`);
  }

  /** Common type of the elements of a literal: they must have one type. */
  private common(nodes: readonly ASTNode[], scope: Scope): CelType {
    let common: CelType | undefined;
    for (const node of nodes) {
      const type = this.typeOf(node, scope);
      if (!common || isDyn(type)) common = common && isDyn(type) ? DYN : type;
      else if (!fits(type, common, new Map()))
        this.fail(this.positionOf(node), `expected type '${typeName(common)}' but found '${typeName(type)}'`);
    }
    return common ?? { kind: 'variable', name: '' };
  }

  /** Position at which the compiler reports a node: its operator, dot or parenthesis. */
  private positionOf(node: ASTNode): number {
    const after = (token: string, position: number) => Math.max(this.text.indexOf(token, position), 0);
    switch (node.op) {
      case 'value':
      case 'id':
      case 'list':
      case 'map':
      case '!_':
      case '-_':
        return node.start;
      case '.':
      case '.?':
        return after('.', node.args[0].end);
      case '[]':
      case '[?]':
        return after('[', node.args[0].end);
      case 'call':
        return after('(', node.start);
      case 'rcall':
        return after('(', node.args[1].end + node.args[0].length);
      case '?:':
        return after('?', node.args[0].end);
      default:
        return after(node.op, node.args[0].end);
    }
  }
}

const NODE_COSTS: Readonly<Record<string, number>> = { id: 1, '.': 1, '.?': 1, list: 10, map: 30 };

/** Functions that read all elements of their list. */
const LIST_READERS = new Set(['isSorted', 'sum', 'min', 'max', 'indexOf', 'lastIndexOf', 'distinct', 'sort', 'join']);

/** Maximum cost of a call without its arguments, by their sizes and those of their elements. */
function callCost(name: string, args: readonly CelType[]): number {
  const [first = 0, second = 0] = args.map(sizeOf);
  switch (name) {
    case '_==_':
    case '_!=_':
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return Math.max(1, read(Math.min(first, second)));
    case '_+_':
      return Math.max(1, read(first + second));
    case '@in':
      return Math.max(1, second);
    case 'contains':
      return read(first) * Math.max(1, read(second));
    case 'matches':
    case 'find':
    case 'findAll':
      return read(first + 1) * Math.max(1, Math.ceil(second / 4));
    case 'startsWith':
    case 'endsWith':
      return Math.max(1, read(second));
    default:
      if (!LIST_READERS.has(name) || args[0]?.kind !== 'list') return 1;
      return 1 + first * Math.max(1, read(sizeOf(args[0].item)));
  }
}

/** Cost of reading a text. */
const read = (size: number): number => Math.ceil(size / 10);

const TYPE_NAMES = new Set('bool bytes double int list map null_type string type uint'.split(' '));

/** Checks of literal arguments. */
const LITERALS: Readonly<Record<string, (text: string) => boolean>> = {
  matches: (text) => {
    try {
      pattern(text);
      return true;
    } catch {
      return false;
    }
  },
  duration: (text) => /^[-+]?((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+$|^[-+]?0$/.test(text),
  timestamp: (text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)),
};

function matchOverload({ parameters, result }: Overload, args: readonly CelType[]): CelType[] {
  if (parameters.length !== args.length) return [];
  const bindings: types.Bindings = new Map();
  return parameters.every((parameter, i) => fits(args[i], parameter, bindings)) ? [bound(result, bindings)] : [];
}

function literalType(value: unknown): CelType {
  switch (typeof value) {
    case 'string':
      return stringOf(value.length);
    case 'bigint':
      return INT;
    case 'number':
      return types.DOUBLE;
    case 'boolean':
      return BOOL;
    default:
      if (value === null) return NULL;
      return value instanceof Uint8Array ? types.BYTES : types.UINT;
  }
}
