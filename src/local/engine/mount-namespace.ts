import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { survivorOf } from '../node/cleanup';

/** Directory of the kubelet on the nodes of most clusters, which manifests refer to. */
const KUBELET_DIR = '/var/lib/kubelet';
/** File in a state directory: the engine created `KUBELET_DIR` on this machine, as a place for its mounts. */
const CREATED = 'kubelet-dir-created';
const ENDS_WITHIN_MS = 1_000;

/**
 * Command that runs `argv` in the engine's mount namespace. A killed engine leaves its namespace behind if Pods still
 * run (their conmon is in it): the next engine joins it, so that mounts reach those Pods. Otherwise it creates one.
 *
 * In a new namespace, an extra cgroup2 mount beside version 1 is removed, because crun rejects the hybrid layout. The
 * state directory becomes a shared mount, so that mounts in volumes propagate to containers.
 *
 * @param kubeletDir directory of the node that its Pods find at `/var/lib/kubelet`. Default: the machine's
 */
export function inMountNamespace(stateDir: string, argv: readonly string[], kubeletDir?: string): string[] {
  const survivor = survivorOf(stateDir);
  if (survivor !== undefined) return ['nsenter', '-t', String(survivor), '-m', '--', ...argv];
  const script = [
    'if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi',
    'mount --bind "$0" "$0"',
    'mount --make-rshared "$0"',
    ...(kubeletDir === undefined ? [] : [BIND_KUBELET_DIR]),
    'shift 3',
    'exec "$@"',
  ].join(' && ');
  const places = [stateDir, kubeletDir ?? '', KUBELET_DIR, join(stateDir, CREATED)];
  return ['unshare', '--mount', '--propagation', 'slave', '--', 'sh', '-c', script, ...places, ...argv];
}

const BIND_KUBELET_DIR = [
  'umask=$(umask) && umask 066',
  '{ [ -d "$2" ] || { : > "$3" && mkdir -p "$2"; }; }',
  'mkdir -p "$1" && umask $umask',
  'mount --bind "$1" "$2"',
].join(' && ');

/** Removes the directory for mounts that the engine created on this machine, unless it has content or another engine uses it. */
export async function removeKubeletDir(stateDir: string): Promise<void> {
  const created = join(stateDir, CREATED);
  if (!existsSync(created)) return;
  // the last processes of this engine may still be ending
  for (const until = Date.now() + ENDS_WITHIN_MS; isMountPoint(KUBELET_DIR) && Date.now() < until;) await sleep(20);
  // removing a mount point of another namespace would unmount it there
  if (!isMountPoint(KUBELET_DIR)) {
    try {
      rmdirSync(KUBELET_DIR);
    } catch (error) {
      if (!['ENOENT', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  rmSync(created);
}

/** Whether a path is a mount point in the mount namespace of any process. */
function isMountPoint(path: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/mountinfo`, 'utf8').includes(` ${path} `);
    } catch {
      return false;
    }
  });
}
