import { survivorOf } from '../node/cleanup';

/**
 * The command that runs `argv` in the engine's mount namespace. An engine that died left one behind when Pods still
 * run (their conmon is in it): the next engine joins it, so that mounts reach those Pods; else it makes one.
 *
 * In a fresh one: crun refuses the hybrid cgroup layout, so an extra cgroup2 mount beside version 1 goes away; and the
 * state directory becomes a shared mount of its own, so that mounts in volumes propagate to containers.
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
