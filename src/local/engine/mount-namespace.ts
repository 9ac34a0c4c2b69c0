import { survivorOf } from '../node/cleanup';

/**
 * Command that runs `argv` in the engine's mount namespace. A killed engine leaves its namespace behind if Pods still
 * run (their conmon is in it): the next engine joins it, so that mounts reach those Pods. Otherwise it creates one.
 *
 * In a new namespace, an extra cgroup2 mount beside version 1 is removed, because crun rejects the hybrid layout. The
 * state directory becomes a shared mount, so that mounts in volumes propagate to containers.
 */
export function inMountNamespace(stateDir: string, argv: readonly string[]): string[] {
  const survivor = survivorOf(stateDir);
  if (survivor !== undefined) return ['nsenter', '-t', String(survivor), '-m', '--', ...argv];
  const script = [
    'if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi',
    'mount --bind "$0" "$0"',
    'mount --make-rshared "$0"',
    'exec "$@"',
  ].join(' && ');
  return ['unshare', '--mount', '--propagation', 'slave', '--', 'sh', '-c', script, stateDir, ...argv];
}
