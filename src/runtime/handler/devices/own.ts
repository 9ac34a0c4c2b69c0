import { chownSync } from 'node:fs';
import { kindOf } from '../../host/files';
import { deviceOf, parseMountInfo } from '../../host/mounts';
import { containerId, containerStatus } from '../kube-types';
import type { Pod } from '../kube-types';
import { findProcess } from '../paths/processes';
import { Place, UnsafePathError } from '../paths/safe-path';
import { accessOf, compareDevice, LAUNCHER_ID, wantedDevices } from './plan';
import type { DeviceAccess, DeviceResult, SeenDevice, WantedDevice } from './plan';

/**
 * Gives the launcher's user the device nodes of its container, which the runtime makes with the owner and mode of the
 * node's. Done before the guest starts; what was done before is found done. The devices of a guest that runs are only
 * looked at. A device that cannot be used is returned; what may succeed at the next try is thrown.
 */
export function ownDevices(pod: Pod, procDir: string, guestRuns: boolean): DeviceAccess {
  const id = containerId(containerStatus(pod, 'compute'));
  if (!id) throw new Error('the Pod does not say which container is its compute container');
  const process = findProcess(procDir, id);
  if (!process) throw new Error(`container ${id} has no process; it ended or runs on another node`);
  try {
    using root = Place.trusted(`${process.place.path}/root`);
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
  dev: Place,
  { isOwnDev, guestRuns }: { isOwnDev: boolean; guestRuns: boolean },
  wanted: WantedDevice,
): DeviceResult['result'] {
  try {
    using place = dev.walk(wanted.path);
    const stats = place.stat();
    const seen: SeenDevice = {
      kind: stats.isCharacterDevice() ? 'character' : stats.isBlockDevice() ? 'block' : 'other',
      what: kindOf(stats),
      number: deviceOf(stats.rdev),
      uid: stats.uid,
      gid: stats.gid,
      mode: stats.mode & 0o777,
      isOwn: isOwnDev && place.mountId === dev.mountId,
    };
    const judgement = compareDevice(wanted, seen, guestRuns);
    if (typeof judgement === 'object') return judgement;
    // by the descriptor: exactly the inode that was judged
    if (judgement === 'chown') chownSync(place.path, LAUNCHER_ID, LAUNCHER_ID);
    return 'usable';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'absent';
    const problem = `cannot be used: ${(error as Error).message}`;
    if (error instanceof UnsafePathError || code === 'EROFS') return { problem };
    // anything else may pass, and a guest that was started without KVM stays without it
    throw new Error(`/dev/${wanted.path.join('/')} ${problem}`, { cause: error });
  }
}

/** A container may make mounts in namespaces of its own. */
const MAX_MOUNTINFO_BYTES = 1 << 20;

/** Runtimes give a container a /dev in memory; the host's is a devtmpfs, and its nodes are shared with everybody. */
function fileSystemOf(dev: Place, process: Place): string | undefined {
  const mounts = parseMountInfo(process.readText('mountinfo', MAX_MOUNTINFO_BYTES));
  return mounts.find(({ id }) => id === dev.mountId)?.fileSystem;
}
