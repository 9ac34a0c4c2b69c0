import { chownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deviceOf, parseMountInfo } from '../container-disk/mount-info';
import { containerId, containerStatus } from '../kube-types';
import type { Pod } from '../kube-types';
import type { PodVolumes } from '../paths/pod-volumes';
import { findProcess } from '../paths/processes';
import { kindOf, Place, UnsafePathError } from '../paths/safe-path';
import { accessOf, judgeDevice, LAUNCHER_ID, wantedDevices } from './plan';
import type { DeviceResult, KvmAccess, WantedDevice } from './plan';

/**
 * Gives the launcher's user the device nodes of its container, which the runtime makes with the owner and mode of the
 * node's. Done before the guest starts; what was done before is found done. @throws when the guest could not start
 */
export function ownDevices(pod: Pod, volumes: PodVolumes, procDir: string): KvmAccess {
  const id = containerId(containerStatus(pod, 'compute'));
  if (!id) throw new Error('the Pod does not say which container is its compute container');
  const process = findProcess(procDir, id);
  if (!process) throw new Error(`container ${id} has no process; it ended or runs on another node`);
  try {
    using root = Place.trusted(`${process.place.path}/root`);
    using dev = root.step('dev', true);
    const isOwnDev = fileSystemOf(dev, process.place) === 'tmpfs';
    const wanted = wantedDevices(pod, blockNumbers(pod.metadata.uid ?? '', volumes));
    return accessOf(wanted.map((device) => ({ device, result: own(dev, isOwnDev, device) })));
  } finally {
    process.place.close();
  }
}

function own(dev: Place, isOwnDev: boolean, wanted: WantedDevice): DeviceResult['result'] {
  try {
    using place = dev.walk(wanted.path);
    const stats = place.stat();
    const judgement = judgeDevice(wanted, {
      kind: stats.isCharacterDevice() ? 'character' : stats.isBlockDevice() ? 'block' : 'other',
      what: kindOf(stats),
      number: deviceOf(stats.rdev),
      uid: stats.uid,
      gid: stats.gid,
      mode: stats.mode & 0o777,
      isOwn: isOwnDev && place.mountId === dev.mountId,
    });
    if (typeof judgement === 'object') return judgement;
    // by the descriptor: exactly the inode that was judged
    if (judgement === 'chown') chownSync(place.path, LAUNCHER_ID, LAUNCHER_ID);
    return 'usable';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'absent';
    if (error instanceof UnsafePathError) return { problem: `cannot be used: ${error.message}` };
    throw error;
  }
}

/** A container may make mounts in namespaces of its own. */
const MAX_MOUNTINFO_BYTES = 1 << 20;

/** Runtimes give a container a /dev in memory; the host's is a devtmpfs, and its nodes are shared with everybody. */
function fileSystemOf(dev: Place, process: Place): string | undefined {
  const mounts = parseMountInfo(process.readText('mountinfo', MAX_MOUNTINFO_BYTES));
  return mounts.find(({ id }) => id === dev.mountId)?.fileSystem;
}

/** Numbers of the block devices that the kubelet mapped into the Pod; undefined where that cannot be seen. */
function blockNumbers(podUid: string, volumes: PodVolumes): string[] | undefined {
  const dir = join(volumes.podsDir, podUid, 'volumeDevices');
  const names = (path: string): string[] => {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  };
  const found = names(dir)
    .flatMap((plugin) => names(join(dir, plugin)).map((name) => join(dir, plugin, name)))
    .map((path) => statSync(path, { throwIfNoEntry: false }));
  // a device may be newer than the /dev of virt-handler's container
  const known = found.flatMap((stats) => (stats?.isBlockDevice() ? [deviceOf(stats.rdev)] : []));
  return known.length > 0 && known.length === found.length ? known : undefined;
}
