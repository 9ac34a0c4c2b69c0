import { closeSync, constants, openSync, readdirSync, statSync } from 'node:fs';
import { isInContainer } from './cgroups';
import { OpenedPath } from './safe-path';

/** A process of a container, held by its /proc directory: a reused PID has a different directory. */
export interface ContainerProcess {
  readonly pid: number;
  /** /proc/<pid>; reading through it fails once the process has exited. */
  readonly place: OpenedPath;
}

/** Limit on /proc/<pid>/cgroup: one path per hierarchy, and the kernel has about fifteen. */
const MAX_CGROUP_BYTES = 16 * 4_096;

/** Finds the process of a container with the lowest PID; undefined if none runs. The caller closes its directory. */
export function findProcess(procDir: string, containerId: string): ContainerProcess | undefined {
  const pids = readdirSync(procDir)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
  for (const pid of pids) {
    let place: OpenedPath | undefined;
    try {
      place = OpenedPath.trusted(`${procDir}/${pid}`);
      if (isInContainer(place.readText('cgroup', MAX_CGROUP_BYTES), containerId)) return { pid, place };
    } catch {
      // the process exited in the meantime
    }
    place?.close();
  }
  return undefined;
}

/** Opens the network namespace of a process, for nsenter. Rejects the namespace that the handler or the host is in. */
export function openNetns(process: ContainerProcess, procDir: string): number {
  const fd = openSync(`${process.place.path}/ns/net`, constants.O_RDONLY);
  const inode = statSync(`/proc/self/fd/${fd}`).ino;
  if (inode !== netnsOf('/proc/self') && inode !== netnsOf(`${procDir}/1`)) return fd;
  closeSync(fd);
  throw new Error(
    `process ${process.pid} has no network namespace of its own; a launcher Pod must not use hostNetwork`,
  );
}

/** Undefined for a process that may not be inspected: PID 1 of an outer container, where our own is the host's namespace. */
function netnsOf(proc: string): number | undefined {
  try {
    return statSync(`${proc}/ns/net`).ino;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
    throw error;
  }
}
