/** Identifiers of the written program. */

const RESERVED = new Set(
  (
    'abstract any arguments as async await boolean break case catch class const continue debugger declare default ' +
    'delete do else enum eval export extends false finally for from function get global if implements import in ' +
    'instanceof interface let module namespace new null number object of package private protected public require ' +
    'return set static string super switch symbol this throw true try type typeof undefined unknown var void while ' +
    'with yield process console exports join app'
  ).split(' '),
);

/** Generates unique names. */
export class Names {
  private readonly used = new Set<string>();

  /** Unique constant for a name: `db1` for `db-1`. The hints resolve conflicts. */
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

  /** Unique text, such as the id of a construct. */
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

/** Converts `my-db.example` to `myDbExample`, and a name without letters to `object`. */
export function camelCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words
    .map((word, i) => (i === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('');
  if (joined === '') return 'object';
  const short = joined.slice(0, 60);
  return /^[0-9]/.test(short) ? `n${short}` : short;
}
