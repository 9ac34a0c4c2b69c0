import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { basename, join } from 'node:path';
import { destroyPodNetwork } from '../network';
import { attempt } from '../host/command';
import { removeTree } from '../host/files';
import { unmountBelow } from '../host/unmount';
import { processesIn, removeCgroups } from './runtime/cgroups';
import { detachLoops } from '../host/loop-devices';

/** The cgroup above all Pods of an engine. */
export const cgroupParentOf = (id: string): string => `/virt8s-${id}`;

/**
 * Removes everything that nodes of this engine have made on the host, in whatever state a crash has left it: containers
 * and their conmon processes, mounts, network, loop devices, cgroups and files. Idempotent; needs no API server and no
 * living engine. Claims' data below `<state>/storage` stays.
 */
export async function destroyNode(stateDir: string, id: string): Promise<void> {
  const parent = cgroupParentOf(id);
  await endProcesses(stateDir, parent);
  await unmountBelow(join(stateDir, 'nodes'));
  await detachLoops(stateDir);
  await destroyPodNetwork(stateDir, id);
  removeCgroups(parent);
  await removeHiddenCgroups(parent);
  await removeTree(join(stateDir, 'nodes'));
}

const TRIES = 200;
const PATIENCE = 20;
const PAUSE_MS = 25;

/**
 * Ends containers, and crun processes that are just making more. conmon ends by itself once its container has; one that
 * does not is ended too.
 */
async function endProcesses(stateDir: string, parent: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const pids = [...runtimeProcesses(stateDir, 'crun'), ...processesIn(parent)];
    const conmons = conmonsOf(stateDir);
    if (!pids.length && !conmons.length) return;
    pids.forEach(kill);
    if (tries >= PATIENCE) conmons.forEach(kill);
    await sleep(PAUSE_MS);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}

/** conmon processes of containers of this state directory. */
const conmonsOf = (stateDir: string): number[] => runtimeProcesses(stateDir, 'conmon');

/** Processes of a program that name something below this state directory's nodes. */
function runtimeProcesses(stateDir: string, program: string): number[] {
  const marker = `${join(stateDir, 'nodes')}/`;
  return processIds().filter((pid) => {
    try {
      const [command = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return basename(command) === program && args.some((argument) => argument.includes(marker));
    } catch {
      return false;
    }
  });
}

function processIds(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/**
 * Where a version 2 tree is mounted beside those of version 1, the engine has it unmounted in its own mount namespace, and
 * crun makes plain directories there, which the mount hides from everybody else.
 */
async function removeHiddenCgroups(parent: string): Promise<void> {
  const unified = '/sys/fs/cgroup/unified';
  const script = `umount ${unified} 2>/dev/null; [ ! -d ${unified}${parent} ] || find ${unified}${parent} -depth -type d -exec rmdir {} +`;
  await attempt('unshare', ['--mount', 'sh', '-c', script]);
}

/**
 * A process that lives in the mount namespace of an engine that was killed, if one does. An engine that joins it
 * (`nsenter --mount=/proc/<pid>/ns/mnt`) finds the mounts of its Pods again.
 */
export function survivorOf(stateDir: string): number | undefined {
  return conmonsOf(stateDir)[0];
}
