import { readFileSync } from 'node:fs';

/** Ticks of the kernel's clock for user programs in a second (`USER_HZ`). */
const TICKS = 100;

/** Seconds that the processors of this machine have worked since it started, those of all programs together. */
export function busySeconds(stat = readFileSync('/proc/stat', 'utf8')): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = stat
    .split('\n')[0]!
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) / TICKS;
}
