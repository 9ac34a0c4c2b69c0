import { readFileSync, readdirSync } from 'node:fs';

/** Proportional set size of a process in MiB; 0 when it ended. */
export function pssMiB(pid: number): number {
  try {
    const [, kib] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kib ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** MiB in a field of `/proc/PID/status`: resident memory now, or at its peak. */
export function residentMiB(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const [, kib] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly cgroup: string;
}

export function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        return [
          {
            pid: Number(name),
            parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]),
            command: readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').join(' ').trim(),
            cgroup: readFileSync(`/proc/${name}/cgroup`, 'utf8'),
          },
        ];
      } catch {
        return [];
      }
    });
}

/** CPU time that a process used so far, in ms. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime and stime, in ticks of 10 ms
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
