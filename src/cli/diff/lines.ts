/** Compares two texts line by line. Pure. */

export interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Unchanged lines that are shown around a change. */
const CONTEXT = 2;
/** Above this number of line pairs, the middle is shown as replaced, to limit the time. */
const MAX_PAIRS = 4_000_000;

/** Removed and added lines with their context; `…` replaces unchanged lines. */
export function lineDiff(before: string, after: string): Line[] {
  const [one, two] = [before, after].map((text) => (text === '' ? [] : text.replace(/\n$/, '').split('\n')));
  let head = 0;
  while (head < one.length && head < two.length && one[head] === two[head]) head++;
  let tail = 0;
  while (tail < one.length - head && tail < two.length - head && one.at(-1 - tail) === two.at(-1 - tail)) tail++;
  const all: Line[] = [
    ...one.slice(0, head).map((text) => ({ sign: ' ' as const, text })),
    ...between(one.slice(head, one.length - tail), two.slice(head, two.length - tail)),
    ...one.slice(one.length - tail).map((text) => ({ sign: ' ' as const, text })),
  ];
  return cut(all);
}

/** Compares by the longest common subsequence. */
function between(one: readonly string[], two: readonly string[]): Line[] {
  const gone = one.map((text): Line => ({ sign: '-', text }));
  const come = two.map((text): Line => ({ sign: '+', text }));
  if (one.length * two.length > MAX_PAIRS || one.length === 0 || two.length === 0) return [...gone, ...come];
  const width = two.length + 1;
  const longest = new Uint32Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = two.length - 1; j >= 0; j--) {
      const [down, right] = [longest[(i + 1) * width + j], longest[i * width + j + 1]];
      longest[i * width + j] = one[i] === two[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(down, right);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < one.length && j < two.length) {
    if (one[i] === two[j]) {
      lines.push({ sign: ' ', text: one[i++] });
      j++;
    } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) lines.push(gone[i++]);
    else lines.push(come[j++]);
  }
  return [...lines, ...gone.slice(i), ...come.slice(j)];
}

function cut(lines: readonly Line[]): Line[] {
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== ' ');
  const shown: Line[] = [];
  let skipped = false;
  for (const [at, line] of lines.entries()) {
    if (isNear(at)) {
      if (skipped && shown.length > 0) shown.push({ sign: ' ', text: '…' });
      shown.push(line);
    }
    skipped = !isNear(at);
  }
  return shown;
}
