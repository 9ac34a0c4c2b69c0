import type { IntOrPercent } from './apps-v1';

/** A number of Pods: an integer, or a percentage of `total`. Text that is neither counts as 0. Pure. */
export function scaled(value: IntOrPercent | undefined, total: number, round: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value ?? '')?.[1];
  if (percent === undefined) return 0;
  return Math[round === 'up' ? 'ceil' : 'floor']((Number(percent) * total) / 100);
}
