import { internalForm } from './internal-form';

const CONTEXT = 3;
/** Number of lines from which frequent lines do not begin a match. */
const MANY_LINES = 200;

interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

type Step = readonly [tag: 'equal' | 'change', a: number, aEnd: number, b: number, bEnd: number];

/** Unified differences between two values in their unversioned form (internal-form.ts), as messages about updates show them. */
export function goDiff(before: unknown, after: unknown, type: string): string {
  const [a, b] = [before, after].map((value) => linesOf(internalForm(value, type)));
  return unifiedDiff(a, b);
}

const linesOf = (value: unknown): string[] =>
  JSON.stringify(value, null, 1)
    .replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
    .split('\n');

/** Groups of changed lines with their context. The algorithm is that of Python's difflib, so that groups are the same. */
export function unifiedDiff(a: readonly string[], b: readonly string[]): string {
  const text: string[] = [];
  for (const group of groups(steps(a, b))) {
    const [first, last] = [group[0], group[group.length - 1]];
    text.push(`@@ -${range(first[1], last[2])} +${range(first[3], last[4])} @@`);
    for (const [tag, aFrom, aTo, bFrom, bTo] of group) {
      if (tag === 'equal') a.slice(aFrom, aTo).forEach((line) => text.push(` ${line}`));
      else {
        a.slice(aFrom, aTo).forEach((line) => text.push(`-${line}`));
        b.slice(bFrom, bTo).forEach((line) => text.push(`+${line}`));
      }
    }
  }
  return text.map((line) => `${line}\n`).join('');
}

function range(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length ? from + 1 : from},${length}`;
}

/** Splits the steps where more than two contexts are equal. */
function groups(all: readonly Step[]): Step[][] {
  const found: Step[][] = [];
  let group: Step[] = [];
  all.forEach(([tag, a, aEnd, b, bEnd], i) => {
    if (tag !== 'equal') {
      group.push([tag, a, aEnd, b, bEnd]);
      return;
    }
    const [first, last] = [i === 0, i === all.length - 1];
    if (first) group.push([tag, Math.max(a, aEnd - CONTEXT), aEnd, Math.max(b, bEnd - CONTEXT), bEnd]);
    else if (last) group.push([tag, a, Math.min(aEnd, a + CONTEXT), b, Math.min(bEnd, b + CONTEXT)]);
    else if (aEnd - a <= 2 * CONTEXT) group.push([tag, a, aEnd, b, bEnd]);
    else {
      group.push([tag, a, a + CONTEXT, b, b + CONTEXT]);
      found.push(group);
      group = [[tag, aEnd - CONTEXT, aEnd, bEnd - CONTEXT, bEnd]];
    }
  });
  if (group.some(([tag]) => tag !== 'equal')) found.push(group);
  return found;
}

function steps(a: readonly string[], b: readonly string[]): Step[] {
  const found: Step[] = [];
  let [i, j] = [0, 0];
  for (const match of [...matches(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (i < match.a || j < match.b) found.push(['change', i, match.a, j, match.b]);
    [i, j] = [match.a + match.size, match.b + match.size];
    if (match.size) found.push(['equal', match.a, i, match.b, j]);
  }
  return found;
}

/** Equal parts, in their order; parts that touch are one. */
function matches(a: readonly string[], b: readonly string[]): Match[] {
  const positions = new Map<string, number[]>();
  b.forEach((line, i) => positions.set(line, [...(positions.get(line) ?? []), i]));
  if (b.length >= MANY_LINES) {
    const most = Math.floor(b.length / 100) + 1;
    for (const [line, at] of positions) if (at.length > most) positions.delete(line);
  }
  const found: Match[] = [];
  const visit = (aFrom: number, aTo: number, bFrom: number, bTo: number): void => {
    const match = longest(a, b, positions, aFrom, aTo, bFrom, bTo);
    if (!match.size) return;
    if (aFrom < match.a && bFrom < match.b) visit(aFrom, match.a, bFrom, match.b);
    found.push(match);
    const [aEnd, bEnd] = [match.a + match.size, match.b + match.size];
    if (aEnd < aTo && bEnd < bTo) visit(aEnd, aTo, bEnd, bTo);
  };
  visit(0, a.length, 0, b.length);
  return found.reduce<Match[]>((joined, match) => {
    const last = joined.at(-1);
    if (last && last.a + last.size === match.a && last.b + last.size === match.b) {
      joined[joined.length - 1] = { ...last, size: last.size + match.size };
    } else joined.push(match);
    return joined;
  }, []);
}

/** The longest equal part of two ranges, extended by equal lines around it. The first of several. */
function longest(
  a: readonly string[],
  b: readonly string[],
  positions: ReadonlyMap<string, readonly number[]>,
  aFrom: number,
  aTo: number,
  bFrom: number,
  bTo: number,
): Match {
  let best: Match = { a: aFrom, b: bFrom, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>();
    for (const j of positions.get(a[i]) ?? []) {
      if (j < bFrom) continue;
      if (j >= bTo) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: i, b: j, size } = best;
  while (i > aFrom && j > bFrom && a[i - 1] === b[j - 1]) [i, j, size] = [i - 1, j - 1, size + 1];
  while (i + size < aTo && j + size < bTo && a[i + size] === b[j + size]) size++;
  return { a: i, b: j, size };
}
