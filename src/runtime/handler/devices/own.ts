import { chownSync } from 'node:fs';
import { kindOf } from '../../host/files';
import { deviceOf, parseMountInfo } from '../../host/mounts';
import { containerId, containerStatus } from '../kube-types';
import type { Pod } from '../kube-types';
import { findProcess } from '../paths/processes';
import { OpenedPath, UnsafePathError } from '../paths/safe-path';
import { accessOf, compareDevice, LAUNCHER_ID, wantedDevices } from './plan';
import type { DeviceAccess, DeviceResult, SeenDevice, WantedDevice } from './plan';

/**
 * Makes the launcher's user the owner of the device nodes of its container, which the runtime creates with the owner and mode
 * of the node's. Done before the guest starts, and idempotent. The devices of a running guest are only inspected. Permanent
 * problems of a device are returned; those that may disappear are thrown.
 */
export function ownDevices(pod: Pod, procDir: string, guestRuns: boolean): DeviceAccess {
  const id = containerId(containerStatus(pod, 'compute'));
  if (!id) throw new Error('the status of the Pod has no compute container');
  const process = findProcess(procDir, id);
  if (!process) throw new Error(`container ${id} has no process; it has exited or runs on another node`);
  try {
    using root = OpenedPath.trusted(`${process.place.path}/root`);
    using dev = root.step('dev', true);
    const isOwnDev = fileSystemOf(dev, process.place) === 'tmpfs';
    return accessOf(
      wantedDevices(pod).map((device) => ({ device, result: own(dev, { isOwnDev, guestRuns }, device) })),
    );
  } finally {
    process.place.close();
  }
}

function own(
  dev: OpenedPath,
  { isOwnDev, guestRuns }: { isOwnDev: boolean; guestRuns: boolean },
  wanted: WantedDevice,
): DeviceResult['result'] {
  try {
    using opened = dev.walk(wanted.path);
    const stats = opened.stat();
    const seen: SeenDevice = {
      kind: stats.isCharacterDevice() ? 'character' : stats.isBlockDevice() ? 'block' : 'other',
      what: kindOf(stats),
      number: deviceOf(stats.rdev),
      uid: stats.uid,
      gid: stats.gid,
      mode: stats.mode & 0o777,
      isOwn: isOwnDev && opened.mountId === dev.mountId,
    };
    const comparison = compareDevice(wanted, seen, guestRuns);
    if (typeof comparison === 'object') return comparison;
    // through the descriptor: exactly the inode that was compared
    if (comparison === 'chown') chownSync(opened.path, LAUNCHER_ID, LAUNCHER_ID);
    return 'usable';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'absent';
    const problem = `cannot be used: ${(error as Error).message}`;
    if (error instanceof UnsafePathError || code === 'EROFS') return { problem };
    // other problems may disappear, but a guest that was started without KVM would stay without it
    throw new Error(`/dev/${wanted.path.join('/')} ${problem}`, { cause: error });
  }
}

/** A container may mount file systems in its own namespaces. */
const MAX_MOUNTINFO_BYTES = 1 << 20;

/** Runtimes give a container a /dev in memory; the host's is a devtmpfs, whose nodes all processes share. */
function fileSystemOf(dev: OpenedPath, process: OpenedPath): string | undefined {
  const mounts = parseMountInfo(process.readText('mountinfo', MAX_MOUNTINFO_BYTES));
  return mounts.find(({ id }) => id === dev.mountId)?.fileSystem;
}
