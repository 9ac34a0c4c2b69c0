/** Ordered, disjoint intervals of completion indexes. Pure. */
export type Intervals = readonly (readonly [first: number, last: number])[];

/** Intervals of a text such as `1,3-5`; indexes from `completions` on are left out, malformed parts are ignored. */
export function parseIndexes(text: string | undefined, completions: number): Intervals {
  const intervals: (readonly [number, number])[] = [];
  for (const part of text ? text.split(',') : []) {
    const [first, last = first] = part.split('-').map((limit) => (/^\d+$/.test(limit) ? Number(limit) : NaN));
    if (first === undefined || last === undefined || Number.isNaN(first) || Number.isNaN(last)) continue;
    if (first >= completions) break;
    intervals.push([first, Math.min(last, completions - 1)]);
  }
  return merge(intervals, []);
}

/** Union of two sets of indexes. */
export function merge(a: Intervals, b: Intervals): Intervals {
  const merged: [number, number][] = [];
  for (const [first, last] of [...a, ...b].sort(([x], [y]) => x - y)) {
    const open = merged.at(-1);
    if (open && first <= open[1] + 1) open[1] = Math.max(open[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

export const withIndexes = (intervals: Intervals, indexes: Iterable<number>): Intervals =>
  merge(
    intervals,
    [...indexes].map((index) => [index, index] as const),
  );

export const total = (intervals: Intervals): number =>
  intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0);

export const contains = (intervals: Intervals, index: number): boolean =>
  intervals.some(([first, last]) => first <= index && index <= last);

/** Number of indexes that both sets contain. */
export function overlap(a: Intervals, b: Intervals): number {
  let sum = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [left, right] = [a[i]!, b[j]!];
    sum += Math.max(0, Math.min(left[1], right[1]) - Math.max(left[0], right[0]) + 1);
    if (left[1] < right[1]) i++;
    else j++;
  }
  return sum;
}

/** `1,3-5`; two neighbours are written `1,2`. */
export const format = (intervals: Intervals): string =>
  intervals
    .map(([first, last]) => {
      if (first === last) return String(first);
      return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
    })
    .join(',');

/** The lowest `count` indexes below `completions` that `taken` does not contain. */
export function firstFree(taken: Intervals, count: number, completions: number): number[] {
  const free: number[] = [];
  let candidate = 0;
  for (const [first, last] of [...taken, [completions, completions] as const]) {
    for (; candidate < Math.min(first, completions) && free.length < count; candidate++) free.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return free;
}
