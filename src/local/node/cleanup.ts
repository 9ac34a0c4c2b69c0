import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { destroyPodNetwork } from '../network';
import { attempt } from './host/command';
import { removeTree } from './host/files';
import { unmountBelow } from './host/unmount';
import { processesIn, removeCgroups } from './runtime/cgroups';
import { detachLoops } from './volumes/claims';

/** The cgroup above all Pods of an engine. */
export const cgroupParentOf = (id: string): string => `/virt8s-${id}`;

/**
 * Removes everything that nodes of this engine have made on the host, in whatever state a crash has left it: containers
 * and their conmon processes, mounts, network, loop devices, cgroups and files. Idempotent; needs no API server and no
 * living engine. Claims' data below `<state>/storage` stays.
 */
export async function destroyNode(stateDir: string, id: string): Promise<void> {
  const parent = cgroupParentOf(id);
  await endProcesses(() => processesIn(parent));
  // conmon ends by itself once its container has; one that hangs is recognised by its arguments
  await endProcesses(() => conmonsOf(stateDir), 20);
  await unmountBelow(join(stateDir, 'nodes'));
  await detachLoops(stateDir);
  await destroyPodNetwork(stateDir, id);
  removeCgroups(parent);
  await removeHiddenCgroups(parent);
  await removeTree(join(stateDir, 'nodes'));
}

async function endProcesses(find: () => number[], patience = 0): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const pids = find();
    if (!pids.length) return;
    if (tries >= patience) for (const pid of pids) kill(pid);
    await sleep(50);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}

/** conmon processes whose bundle lies in this state directory. */
export function conmonsOf(stateDir: string): number[] {
  const marker = `--bundle=${join(stateDir, 'nodes')}/`;
  return processIds().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .some((argument) => argument.startsWith(marker));
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
