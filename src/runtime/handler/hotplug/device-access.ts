/** Access of a container to a block device of its node. */
import { writeFileSync } from 'node:fs';
import { containerOf } from '../paths/cgroups';
import { findProcess } from '../paths/processes';

const MAX_CGROUP_BYTES = 16 * 4_096;

/**
 * Allows a container to open a block device, or denies it. Version 1 of cgroups has a list for that. In version 2, it is a program of
 * the container runtime, which only the runtime can replace.
 */
export function setDeviceAccess(
  verb: 'allow' | 'deny',
  device: string,
  { procDir, containerId }: { procDir: string; containerId: string },
): void {
  const process = findProcess(procDir, containerId);
  if (!process) {
    if (verb === 'deny') return;
    throw new Error(`container ${containerId} has no process; it has exited or runs on another node`);
  }
  try {
    const path = devicesCgroup(process.place.readText('cgroup', MAX_CGROUP_BYTES), containerId);
    if (path === undefined) {
      if (verb === 'deny') return;
      throw new Error(
        'this node has version 2 of cgroups, in which the devices of a running container cannot be changed; ' +
          'use a claim with volumeMode Filesystem, or restart the VM with the volume (without hotpluggable)',
      );
    }
    writeFileSync(`/sys/fs/cgroup/devices${path}/devices.${verb}`, `b ${device} rw`);
  } finally {
    process.place.close();
  }
}

/** Path of the container's cgroup in the hierarchy of devices; undefined without that hierarchy. Pure. */
export function devicesCgroup(cgroupFile: string, containerId: string): string | undefined {
  const line = cgroupFile.split('\n').find((each) => /^\d+:(?:[^:]*,)?devices(?:,[^:]*)?:\//.test(each));
  if (line === undefined) return undefined;
  const parts = line.slice(line.indexOf('/')).split('/');
  // below the container, its processes may have made cgroups of their own
  const end = parts.findIndex((_, i) => containerOf(parts.slice(0, i + 1).join('/')) === containerId);
  if (end < 0) throw new Error(`the cgroup of container ${containerId} was not found; restart the VM`);
  return parts.slice(0, end + 1).join('/');
}
