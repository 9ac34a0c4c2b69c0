import { errorText } from '../../../api/error-text';
import { MAX_DEPTH, TOO_DEEP } from './depth';

/** Reports syntax errors in the words of Go's JSON decoder, and duplicate keys. */

class GoSyntaxError extends Error {}

const END = 'unexpected end of JSON input';
const LITERALS: Record<string, string> = { t: 'true', f: 'false', n: 'null' };

/** A string without escapes. */
const PLAIN_STRING = /"[^"\\\x00-\x1f]*"/y;

function quoted(char: string): string {
  if (char === "'") return `'\\''`;
  if (char === '"') return `'"'`;
  return `'${JSON.stringify(char).slice(1, -1)}'`;
}

class Scanner {
  public readonly duplicates = new Set<string>();
  private at = 0;
  private depth = 0;

  public constructor(private readonly text: string) {}

  /** @throws GoSyntaxError */
  public scan(): void {
    this.value('');
    this.space();
    if (this.at < this.text.length) this.fail('after top-level value');
  }

  private fail(where: string): never {
    const char = this.text[this.at];
    throw new GoSyntaxError(char === undefined ? END : `invalid character ${quoted(char)} ${where}`);
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  private value(path: string): void {
    if (++this.depth > MAX_DEPTH) this.fail(TOO_DEEP);
    this.container(path);
    this.depth--;
  }

  private container(path: string): void {
    this.space();
    const char = this.text[this.at];
    if (char === '{') this.object(path);
    else if (char === '[') this.array(path);
    else if (char === '"') this.string();
    else if (char === '-' || (char >= '0' && char <= '9')) this.number();
    else if (char !== undefined && LITERALS[char]) this.literal(LITERALS[char]);
    else this.fail('looking for beginning of value');
  }

  private object(path: string): void {
    const seen = new Set<string>();
    this.at++;
    this.space();
    if (this.text[this.at] === '}') {
      this.at++;
      return;
    }
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') this.fail('looking for beginning of object key string');
      const key = this.string();
      const here = path ? `${path}.${key}` : key;
      if (seen.has(key)) this.duplicates.add(here);
      seen.add(key);
      this.space();
      if (this.text[this.at] !== ':') this.fail('after object key');
      this.at++;
      this.value(here);
      if (this.ends('}', 'after object key:value pair')) return;
    }
  }

  private array(path: string): void {
    this.at++;
    this.space();
    if (this.text[this.at] === ']') {
      this.at++;
      return;
    }
    for (let i = 0; ; i++) {
      this.value(`${path}[${i}]`);
      if (this.ends(']', 'after array element')) return;
    }
  }

  private ends(close: string, where: string): boolean {
    this.space();
    const char = this.text[this.at];
    if (char !== ',' && char !== close) this.fail(where);
    this.at++;
    return char === close;
  }

  private string(): string {
    PLAIN_STRING.lastIndex = this.at;
    if (PLAIN_STRING.test(this.text)) {
      const from = this.at + 1;
      this.at = PLAIN_STRING.lastIndex;
      return this.text.slice(from, this.at - 1);
    }
    const start = this.at++;
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined || char < ' ') this.fail('in string literal');
      this.at++;
      if (char === '"') return JSON.parse(this.text.slice(start, this.at)) as string;
      if (char !== '\\') continue;
      if (!'bfnrt\\/"u'.includes(this.text[this.at] ?? '\0')) this.fail('in string escape code');
      if (this.text[this.at++] !== 'u') continue;
      for (let i = 0; i < 4; i++, this.at++) {
        if (!/[\da-fA-F]/.test(this.text[this.at] ?? '')) this.fail('in \\u hexadecimal character escape');
      }
    }
  }

  private digits(where: string): void {
    if (!/\d/.test(this.text[this.at] ?? '')) this.fail(where);
    while (/\d/.test(this.text[this.at] ?? '')) this.at++;
  }

  private number(): void {
    if (this.text[this.at] === '-') this.at++;
    if (this.text[this.at] === '0') this.at++;
    else this.digits('in numeric literal');
    if (this.text[this.at] === '.') {
      this.at++;
      this.digits('after decimal point in numeric literal');
    }
    if (!/[eE]/.test(this.text[this.at] ?? '')) return;
    this.at++;
    if (/[+-]/.test(this.text[this.at] ?? '')) this.at++;
    this.digits('in exponent of numeric literal');
  }

  private literal(word: string): void {
    for (const char of word) {
      if (this.text[this.at] !== char) this.fail(`in literal ${word} (expecting '${char}')`);
      this.at++;
    }
  }
}

/** Go's message about text that is not JSON; undefined when it is. */
export function goSyntaxError(text: string): string | undefined {
  try {
    new Scanner(text).scan();
  } catch (error) {
    if (error instanceof GoSyntaxError) return error.message;
    throw error;
  }
  return undefined;
}

/** Paths (`data.a`, `spec.containers[0].image`) of duplicate keys in valid JSON. */
export function duplicateFields(text: string): string[] {
  const scanner = new Scanner(text);
  scanner.scan();
  return [...scanner.duplicates];
}

/** Go's message for an `error` of parsing `text`. */
export function syntaxError(text: string, error: unknown): string {
  return goSyntaxError(text) ?? errorText(error);
}
