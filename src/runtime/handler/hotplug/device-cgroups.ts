/** Finds the cgroups that decide on the devices of a container, from /proc/<pid>/cgroup of one of its processes. Pure. */
import { containerOf } from '../paths/cgroups';

export interface DeviceCgroups {
  /** Path in the hierarchy of devices of version 1; undefined without that hierarchy. */
  readonly listed?: string;
  /** Paths in version 2, each of which may have programs: that of the container, and those below it that lead to the process. */
  readonly programmed: readonly string[];
}

/** A runtime makes one or two levels below the container; more are not looked at. */
const MAX_LEVELS = 4;

export function cgroupsOf(cgroupFile: string, containerId: string): DeviceCgroups {
  const lines = cgroupFile.split('\n');
  const listed = lines.find((each) => /^\d+:(?:[^:]*,)?devices(?:,[^:]*)?:\//.test(each));
  if (listed !== undefined) return { listed: levels(listed, containerId)[0], programmed: [] };
  const unified = lines.find((each) => each.startsWith('0::/'));
  return { programmed: unified === undefined ? [] : levels(unified, containerId) };
}

/** Path of the container's cgroup, and of those below it. */
function levels(line: string, containerId: string): string[] {
  const parts = line.slice(line.indexOf('/')).split('/');
  const upTo = (length: number): string => parts.slice(0, length).join('/');
  const end = parts.findIndex((_, i) => containerOf(upTo(i + 1)) === containerId) + 1;
  if (end === 0) throw new Error(`the cgroup of container ${containerId} was not found; restart the VM`);
  return parts.slice(end - 1, end - 1 + MAX_LEVELS).map((_, i) => upTo(end + i));
}
