import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { basename, join } from 'node:path';
import { destroyPodNetwork } from '../network';
import { attempt } from '../../runtime/host/command';
import { removeTree } from '../host/files';
import { unmountBelow } from '../host/unmount';
import { processesIn, removeCgroups } from './runtime/cgroups';
import { detachLoops } from '../host/loop-devices';

/** Cgroup of all Pods of an engine. */
export const cgroupParentOf = (id: string): string => `/virt8s-${id}`;

/**
 * Removes everything that nodes of this engine created on the host, in any state after a crash: containers
 * and their conmon processes, mounts, network, loop devices, cgroups and files. Idempotent; needs no API server and no
 * running engine. The data of claims below `<state>/storage` is kept.
 */
export async function destroyNode(stateDir: string, id: string): Promise<void> {
  await destroyPods(stateDir, id);
  await unmountBelow(join(stateDir, 'nodes'));
  await detachLoops(stateDir);
  await destroyPodNetwork(stateDir, id);
  await removeTree(join(stateDir, 'nodes'));
}

/** Ends all containers at once, as when the power of the node fails. Its files are kept. */
export async function destroyPods(stateDir: string, id: string): Promise<void> {
  const parent = cgroupParentOf(id);
  await endProcesses(stateDir, parent);
  removeCgroups(parent);
  await removeHiddenCgroups(parent);
}

const TRIES = 200;
const PATIENCE = 20;
const PAUSE_MS = 25;

/**
 * Kills containers, and crun processes that are creating more. conmon ends after its container; a conmon that
 * does not end is killed.
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
    // the process has ended
  }
}

/** conmon processes of containers of this state directory. */
const conmonsOf = (stateDir: string): number[] => runtimeProcesses(stateDir, 'conmon');

/** Processes of a program whose arguments contain a path below this state directory's nodes. */
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
 * If a version 2 tree is mounted in addition to version 1, the engine unmounts it in its own mount namespace, and
 * crun creates plain directories there, which the mount hides from other processes.
 */
async function removeHiddenCgroups(parent: string): Promise<void> {
  const unified = '/sys/fs/cgroup/unified';
  const script = `umount ${unified} 2>/dev/null; [ ! -d ${unified}${parent} ] || find ${unified}${parent} -depth -type d -exec rmdir {} +`;
  await attempt('unshare', ['--mount', 'sh', '-c', script]);
}

/**
 * Finds a process in the mount namespace of a killed engine, if one is alive. An engine that joins the namespace
 * (`nsenter --mount=/proc/<pid>/ns/mnt`) finds the mounts of its Pods again.
 */
export function survivorOf(stateDir: string): number | undefined {
  return conmonsOf(stateDir)[0];
}
