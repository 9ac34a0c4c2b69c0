import { readFileSync } from 'node:fs';

/** Cgroups of a process; empty if it has ended. Each engine has its own. */
export function cgroupOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, 'utf8');
  } catch {
    return '';
  }
}
