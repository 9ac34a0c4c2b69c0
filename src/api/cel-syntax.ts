import { hasCharacters } from './schema';

/**
 * Parses CEL without running it: whether it is an expression, the type of its value, and its references. This reports
 * typing mistakes at once; the launcher, which runs it, checks the rest.
 */

/** Static type of a value. */
export type CelValue = 'bool' | 'other' | 'unknown' | `message ${string}`;

export type CelReading =
  | { readonly value: CelValue; readonly references: readonly CelReference[]; readonly problem?: undefined }
  | { readonly problem: string };

/** A variable, and the field of it that is selected first. */
export interface CelReference {
  readonly name: string;
  readonly field?: string;
}

const TOKEN =
  /\s+|\/\/[^\n]*|([rb]{0,2}(?:"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))|(0x[\da-f]+u?|\d+\.\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|\d+(?:e[+-]?\d+|u)?)|([a-z_]\w*)|(\|\||&&|[<>=!]=|[-+*/%<>!?:.,()[\]{}])/giy;

type Token = { readonly kind: 'text' | 'number' | 'name' | 'sign' | 'end'; readonly text: string };

const MACROS = ['all', 'exists', 'exists_one', 'existsOne', 'map', 'filter'];
/** Types, which are also values. */
const TYPES = 'bool bytes double dyn int list map null_type string timestamp duration type uint'.split(' ');
const PRODUCTS = ['*', '/', '%'];
const SUMS = ['+', '-'];
const AND = ['&&'];
const OR = ['||'];
const COMPARISONS = ['<', '<=', '>=', '>', '==', '!=', 'in'];

class Mistake extends Error {}

/** Limit of characters in an expression, as in CEL's own parser. */
export const LONGEST_CEL = 100_000;
/** Limit of nesting, so that the parser does not run out of stack. */
const MAX_DEPTH = 100;

/** Parses an expression. */
export function readCel(text: string): CelReading {
  if (hasCharacters(text, LONGEST_CEL + 1)) {
    return { problem: `expression code point size exceeds limit: limit ${LONGEST_CEL}` };
  }
  try {
    const reader = new Reader(tokensOf(text));
    const value = reader.whole();
    return { value, references: reader.references };
  } catch (error) {
    if (error instanceof Mistake) return { problem: error.message };
    throw error;
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) throw new Mistake(`Syntax error: token recognition error at: ${JSON.stringify(text[at])}`);
    const [, string, number, name, sign] = found;
    if (string !== undefined) tokens.push({ kind: 'text', text: string });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
  }
  return tokens;
}

class Reader {
  public readonly references: CelReference[] = [];
  private readonly scopes: string[] = [];
  private next = 0;
  private depth = 0;

  public constructor(private readonly tokens: readonly Token[]) {}

  public whole(): CelValue {
    const value = this.expression();
    if (this.peek().kind !== 'end') throw this.unexpected();
    return value;
  }

  private peek(): Token {
    return this.tokens[this.next] ?? { kind: 'end', text: '<EOF>' };
  }

  private takes(text: string): boolean {
    return this.takesOneOf([text]);
  }

  private takesOneOf(texts: readonly string[]): boolean {
    const { kind, text } = this.peek();
    if ((kind !== 'sign' && text !== 'in') || !texts.includes(text)) return false;
    this.next++;
    return true;
  }

  private needs(text: string): void {
    if (!this.takes(text)) throw this.unexpected(text);
  }

  private unexpected(wanted?: string): Mistake {
    const expecting = wanted === undefined ? '' : ` expecting '${wanted}'`;
    return new Mistake(`Syntax error: mismatched input '${this.peek().text}'${expecting}`);
  }

  private expression(): CelValue {
    if (++this.depth > MAX_DEPTH) throw new Mistake(`expression is nested deeper than ${MAX_DEPTH}`);
    const condition = this.disjunction();
    if (!this.takes('?')) {
      this.depth--;
      return condition;
    }
    const yes = this.disjunction();
    this.needs(':');
    const no = this.expression();
    this.depth--;
    return yes === no ? yes : 'unknown';
  }

  // allocated once, because a list of 50,000 numbers uses each as often
  private readonly factor = (): CelValue => this.unary();
  private readonly product = (): CelValue => this.chain(PRODUCTS, this.factor, 'other');
  private readonly sum = (): CelValue => this.chain(SUMS, this.product, 'other');
  private readonly comparison = (): CelValue => this.chain(COMPARISONS, this.sum, 'bool');
  private readonly conjunction = (): CelValue => this.chain(AND, this.comparison, 'bool');
  private readonly disjunction = (): CelValue => this.chain(OR, this.conjunction, 'bool');

  /** Parses operands with operators between them; a single operand keeps its type. */
  private chain(operators: readonly string[], operand: () => CelValue, result: CelValue): CelValue {
    let value = operand();
    while (this.takesOneOf(operators)) {
      operand();
      value = result;
    }
    return value;
  }

  private unary(): CelValue {
    if (this.takes('!')) {
      while (this.takes('!'));
      this.member();
      return 'bool';
    }
    if (!this.takes('-')) return this.member();
    while (this.takes('-'));
    this.member();
    return 'other';
  }

  private member(): CelValue {
    const { kind, text } = this.peek();
    const named = kind === 'name' && !['true', 'false', 'null', 'in'].includes(text);
    if (named || (kind === 'sign' && text === '.')) return this.nameOrCall();
    return this.selections(this.primary());
  }

  /** `a.b.c`, `a.b(c)`, `a.b{c: d}`. */
  private nameOrCall(): CelValue {
    this.takes('.');
    const name = this.name();
    if (this.takes('(')) {
      this.list(')');
      return this.selections('unknown');
    }
    const path = [name];
    while (this.peek().text === '.' && this.tokens[this.next + 1]?.kind === 'name') {
      const call = this.tokens[this.next + 2]?.text === '(';
      if (call) break;
      this.next++;
      path.push(this.name());
    }
    if (this.takes('{')) {
      this.entries(() => this.name());
      return this.selections(`message ${path.join('.')}`);
    }
    if (!this.scopes.includes(name) && !TYPES.includes(name)) this.references.push({ name, field: path[1] });
    return this.selections('unknown');
  }

  private selections(of: CelValue): CelValue {
    let value = of;
    for (;;) {
      if (this.takes('[')) {
        this.takes('?');
        this.expression();
        this.needs(']');
      } else if (this.takes('.')) {
        this.takes('?');
        const name = this.name();
        if (this.takes('(')) this.call(name);
      } else return value;
      value = 'unknown';
    }
  }

  /** Parses a macro, which declares a variable for its other arguments. */
  private call(name: string): void {
    const { kind, text } = this.peek();
    const variable = MACROS.includes(name) && kind === 'name' ? text : undefined;
    if (variable !== undefined) this.scopes.push(variable);
    this.list(')');
    if (variable !== undefined) this.scopes.pop();
  }

  private primary(): CelValue {
    const { kind, text } = this.peek();
    if (kind === 'end') throw this.unexpected();
    this.next++;
    if (kind === 'text' || kind === 'number') return 'other';
    if (kind === 'name' && text !== 'in') return text === 'null' ? 'other' : 'bool';
    if (text === '(') {
      const value = this.expression();
      this.needs(')');
      return value;
    }
    if (text === '[') this.list(']');
    else if (text === '{') this.entries(() => this.expression());
    else {
      this.next--;
      throw this.unexpected();
    }
    return 'other';
  }

  private name(): string {
    const { kind, text } = this.peek();
    if (kind !== 'name') throw this.unexpected('a name');
    this.next++;
    return text;
  }

  private list(end: string): void {
    while (!this.takes(end)) {
      this.takes('?');
      this.expression();
      if (!this.takes(',')) return this.needs(end);
    }
  }

  private entries(key: () => unknown): void {
    while (!this.takes('}')) {
      this.takes('?');
      key();
      this.needs(':');
      this.expression();
      if (!this.takes(',')) return this.needs('}');
    }
  }
}
