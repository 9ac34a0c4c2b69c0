import type { Differences } from './differences';

/** Agreement of answers, per area or kind. */
export type Totals = Map<string, { count: number; status: number; facts: number }>;

export function count(totals: Totals, of: string, found: Differences): void {
  const total = totals.get(of) ?? { count: 0, status: 0, facts: 0 };
  totals.set(of, total);
  total.count++;
  if (!found.status) total.status++;
  if (!found.lines.length) total.facts++;
}

/** Prints a table with a row for each area, and their sum. */
export function report(areas: Totals): void {
  const percent = (part: number, of: number): string => `${((part / of) * 100).toFixed(1)} %`;
  const rows = [...areas].map(([area, { count: requests, status, facts }]) => [
    area,
    { requests, status: percent(status, requests), facts: percent(facts, requests) },
  ]);
  const sum = (field: 'count' | 'status' | 'facts'): number =>
    [...areas.values()].reduce((total, area) => total + area[field], 0);
  const all = {
    requests: sum('count'),
    status: percent(sum('status'), sum('count')),
    facts: percent(sum('facts'), sum('count')),
  };
  console.table(Object.fromEntries([...rows, ['all', all]]));
}
