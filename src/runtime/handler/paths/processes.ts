import { closeSync, constants, openSync, readdirSync, statSync } from 'node:fs';
import { isInContainer } from './cgroups';
import { Place } from './safe-path';

/** A process of a container, held by its /proc directory: a PID that is used anew is another directory. */
export interface ContainerProcess {
  readonly pid: number;
  /** /proc/<pid>; reading through it fails once the process is gone. */
  readonly place: Place;
}

/** A path of each hierarchy; the kernel has some fifteen. */
const MAX_CGROUP_BYTES = 16 * 4_096;

/** The process of a container with the lowest PID; undefined when none lives. Close its place after use. */
export function findProcess(procDir: string, containerId: string): ContainerProcess | undefined {
  const pids = readdirSync(procDir)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
  for (const pid of pids) {
    let place: Place | undefined;
    try {
      place = Place.trusted(`${procDir}/${pid}`);
      if (isInContainer(place.readText('cgroup', MAX_CGROUP_BYTES), containerId)) return { pid, place };
    } catch {
      // ended while we looked
    }
    place?.close();
  }
  return undefined;
}

/** A descriptor of the network namespace of a process, for nsenter. Refuses the namespace that we or the host are in. */
export function openNetns(process: ContainerProcess, procDir: string): number {
  const fd = openSync(`${process.place.path}/ns/net`, constants.O_RDONLY);
  const inode = statSync(`/proc/self/fd/${fd}`).ino;
  if (inode !== netnsOf('/proc/self') && inode !== netnsOf(`${procDir}/1`)) return fd;
  closeSync(fd);
  throw new Error(
    `process ${process.pid} has no network namespace of its own; a launcher Pod must not use hostNetwork`,
  );
}

/** Undefined for a process that we may not look at: PID 1 of an outer container, where ours is the host's namespace. */
function netnsOf(proc: string): number | undefined {
  try {
    return statSync(`${proc}/ns/net`).ino;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
    throw error;
  }
}
