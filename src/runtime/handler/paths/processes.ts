import { closeSync, constants, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { Place } from './safe-path';

/** A process of a container, held by its /proc directory: a PID that is used anew is another directory. */
export interface ContainerProcess {
  readonly pid: number;
  /** /proc/<pid>; reading through it fails once the process is gone. */
  readonly place: Place;
}

/** The kubelet's and our engine's cgroup paths end with the container id: `…/pod<uid>/<id>`, `…/crio-<id>.scope`. */
export function isInContainer(cgroupFile: string, containerId: string): boolean {
  return cgroupFile
    .split('\n')
    .some((line) => line.split('/').some((part) => part === containerId || part.endsWith(`-${containerId}.scope`)));
}

/** The oldest process of a container (its PID 1, normally); undefined when none lives. Close its place after use. */
export function findProcess(procDir: string, containerId: string): ContainerProcess | undefined {
  const pids = readdirSync(procDir)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
  for (const pid of pids) {
    let place: Place | undefined;
    try {
      place = Place.trusted(`${procDir}/${pid}`);
      if (isInContainer(readFileSync(`${place.path}/cgroup`, 'utf8'), containerId)) return { pid, place };
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
  try {
    const inode = statSync(`/proc/self/fd/${fd}`).ino;
    for (const own of ['/proc/self/ns/net', `${procDir}/1/ns/net`]) {
      if (statSync(own).ino === inode) {
        throw new Error(
          `process ${process.pid} has no network namespace of its own; a launcher Pod must not use hostNetwork`,
        );
      }
    }
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
