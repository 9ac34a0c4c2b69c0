/** Indexes of a Job as its status lists them: `1,3-5`. */
type Interval = readonly [first: number, last: number];

/** Error of a text that does not list indexes. */
interface Malformed {
  readonly error: string;
}

/** Number of indexes in a list, or what is wrong with it. */
export function countIndexes(text: string, completions: number): number | Malformed {
  const intervals = parse(text, completions);
  if ('error' in intervals) return intervals;
  return intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** First index that both lists contain; undefined if none or if a list is malformed. */
export function commonIndex(a: string, b: string, completions: number): number | undefined {
  const [left, right] = [parse(a, completions), parse(b, completions)];
  if ('error' in left || 'error' in right) return undefined;
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    const [first, last] = left[i]!;
    const [otherFirst, otherLast] = right[j]!;
    if (first <= otherLast && otherFirst <= last) return Math.max(first, otherFirst);
    if (first <= otherFirst) i++;
    else j++;
  }
  return undefined;
}

function parse(text: string, completions: number): Interval[] | Malformed {
  const intervals: Interval[] = [];
  for (const part of text ? text.split(',') : []) {
    const limits = part.split('-');
    if (limits.length > 2) {
      const rule = "violates the requirement that an index interval can have at most two parts separated by '-'";
      return { error: `the fragment ${JSON.stringify(part)} ${rule}` };
    }
    const wrong = limits.map((limit) => wrongIndex(limit, completions)).find(Boolean);
    if (wrong) return { error: wrong };
    const [first, last = first] = limits.map(Number) as [number, number?];
    const previous = intervals.at(-1)?.[1];
    if (limits.length > 1 && first >= last) return { error: unordered(first, last) };
    if (previous !== undefined && previous >= first) return { error: unordered(previous, first) };
    intervals.push([first, last]);
  }
  return intervals;
}

function wrongIndex(text: string, completions: number): string | undefined {
  if (!/^[-+]?\d+$/.test(text)) return `cannot convert string to integer for index: ${JSON.stringify(text)}`;
  return Number(text) >= completions ? `too large index: ${JSON.stringify(text)}` : undefined;
}

const unordered = (previous: number, current: number): string =>
  `non-increasing order, previous: ${previous}, current: ${current}`;
