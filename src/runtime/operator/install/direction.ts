import type { Direction } from './decide';

/** Returns in which order programs change from the installed version to another one. */
export function directionOf(installed: string | undefined, wanted: string): Direction {
  if (installed === undefined) return 'install';
  return isOlder(wanted, installed) ? 'rollback' : 'upgrade';
}

/** Compares versions such as `v1.10.2`; of other texts, none is older. */
function isOlder(a: string, b: string): boolean {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  if (!left || !right) return false;
  for (const [i, number] of left.entries()) {
    if (number !== right[i]) return number < right[i]!;
  }
  return false;
}

function numbersOf(version: string): number[] | undefined {
  const [, ...numbers] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return numbers.length === 3 ? numbers.map(Number) : undefined;
}
