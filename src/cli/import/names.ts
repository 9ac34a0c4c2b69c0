/** Identifiers for the program that is written. */

const RESERVED = new Set(
  (
    'abstract any arguments as async await boolean break case catch class const continue debugger declare default ' +
    'delete do else enum eval export extends false finally for from function get global if implements import in ' +
    'instanceof interface let module namespace new null number object of package private protected public require ' +
    'return set static string super switch symbol this throw true try type typeof undefined unknown var void while ' +
    'with yield process console exports join app'
  ).split(' '),
);

/** Gives out names that no one has yet. */
export class Names {
  private readonly used = new Set<string>();

  /** A constant for something of this name: `db-1` -> `db1`; the hints tell it from others. */
  public identifier(name: string, ...hints: readonly string[]): string {
    const base = camelCase(name);
    let candidate = base;
    for (const hint of hints) {
      if (this.isFree(candidate)) break;
      candidate = base + hint.charAt(0).toUpperCase() + hint.slice(1);
    }
    for (let count = 2; !this.isFree(candidate); count++) candidate = `${base}${count}`;
    this.used.add(candidate);
    return candidate;
  }

  /** Any text that nobody has, such as a construct's id. */
  public text(...candidates: readonly string[]): string {
    const last = candidates.at(-1)!;
    let found = candidates.find((candidate) => !this.used.has(candidate));
    for (let count = 2; found === undefined; count++) {
      if (!this.used.has(`${last}-${count}`)) found = `${last}-${count}`;
    }
    this.used.add(found);
    return found;
  }

  private isFree(name: string): boolean {
    return !this.used.has(name) && !RESERVED.has(name);
  }
}

/** `my-db.example` -> `myDbExample`; something that is no identifier at all -> `object`. */
export function camelCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words
    .map((word, i) => (i === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('');
  if (joined === '') return 'object';
  const short = joined.slice(0, 60);
  return /^[0-9]/.test(short) ? `n${short}` : short;
}
