/** Access of a container to a block device of its node. */
import { existsSync, writeFileSync } from 'node:fs';
import { findProcess } from '../paths/processes';
import { changePrograms } from './attached-programs';
import { cgroupsOf } from './device-cgroups';

const MAX_CGROUP_BYTES = 16 * 4_096;

export interface DeviceAccessPlace {
  readonly procDir: string;
  readonly containerId: string;
  /** @default /sys/fs/cgroup */
  readonly cgroupDir?: string;
}

/**
 * Allows a container to open a block device, or denies it. Version 1 of cgroups has a list for that; in version 2 it is a program.
 */
export async function setDeviceAccess(
  verb: 'allow' | 'deny',
  device: string,
  { procDir, containerId, cgroupDir = '/sys/fs/cgroup' }: DeviceAccessPlace,
): Promise<void> {
  const process = findProcess(procDir, containerId);
  if (!process) {
    if (verb === 'deny') return;
    throw new Error(`container ${containerId} has no process; it has exited or runs on another node`);
  }
  try {
    const { listed, programmed } = cgroupsOf(process.place.readText('cgroup', MAX_CGROUP_BYTES), containerId);
    if (listed !== undefined) {
      writeFileSync(`${cgroupDir}/devices${listed}/devices.${verb}`, `b ${device} rw`);
      return;
    }
    // while version 1 has other controllers, version 2 is beside them
    const tree = existsSync(`${cgroupDir}/cgroup.controllers`) ? cgroupDir : `${cgroupDir}/unified`;
    for (const path of programmed) await changePrograms(`${tree}${path}`, verb, device);
  } finally {
    process.place.close();
  }
}
