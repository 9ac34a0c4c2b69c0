import { posix } from 'node:path';
import type { HostDisk, VirtualMachineInstance } from '../../../api';
import { quantityValue } from '../../../api/quantity';
import { LAUNCHER_ID } from '../devices/plan';

/** A raw image in a directory of the node. */
export interface PlannedHostDisk {
  readonly volume: string;
  /** Path on the node, for messages. */
  readonly path: string;
  /** Name in its directory, which the kubelet mounts into the Pod. */
  readonly file: string;
  /** Size of the image if it does not exist; undefined if it must exist. */
  readonly createBytes?: number;
}

/** The images that must exist before the guest starts. */
export function plannedHostDisks({ spec }: VirtualMachineInstance): PlannedHostDisk[] {
  return (spec.volumes ?? []).flatMap(({ name, hostDisk }) => (hostDisk ? [planned(name, hostDisk)] : []));
}

function planned(volume: string, { path, type, capacity }: HostDisk): PlannedHostDisk {
  const createBytes = type === 'DiskOrCreate' ? Number(quantityValue(capacity ?? 0)) : undefined;
  return { volume, path, file: posix.basename(path), ...(createBytes !== undefined && { createBytes }) };
}

/** KubeVirt's default: how much smaller than requested an image may be. */
const LEAST_SHARE = 0.9;
const BLOCK = 4_096;

/** Size of a new image on a file system with so many free bytes. @throws if there is not enough space */
export function sizeFor({ path, createBytes = 0 }: PlannedHostDisk, freeBytes: number): number {
  const size = Math.floor(Math.min(createBytes, freeBytes) / BLOCK) * BLOCK;
  if (size > 0 && freeBytes >= createBytes * LEAST_SHARE) return size;
  if (createBytes < BLOCK) throw new Error(`${path} does not exist and has no capacity; set capacity`);
  throw new Error(
    `${path} needs ${createBytes} bytes, and its file system has ${freeBytes} free; free space there or lower capacity`,
  );
}

/** The file at the path of an image. */
export interface SeenFile {
  readonly isFile: boolean;
  /** `a FIFO`, for messages. */
  readonly what: string;
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/**
 * Reason why an existing file cannot be used; undefined if it can. Its owner is never changed: that would give a guest a file
 * of the node that its administrator has not given to guests.
 */
export function problemOf({ path }: PlannedHostDisk, seen: SeenFile): string | undefined {
  if (!seen.isFile) return `${path} is ${seen.what}, not a file; put a raw image there`;
  const shift = seen.uid === LAUNCHER_ID ? 6 : seen.gid === LAUNCHER_ID ? 3 : 0;
  if (((seen.mode >> shift) & 0o6) === 0o6) return undefined;
  const mode = (seen.mode & 0o777).toString(8).padStart(4, '0');
  return (
    `${path} belongs to ${seen.uid}:${seen.gid} with mode ${mode}; to give it to VMs, run ` +
    `"chown ${LAUNCHER_ID}:${LAUNCHER_ID} ${path}" on the node`
  );
}
