/** Sizes of disks on claims, as far as the launcher can see them. */
import { readFile, stat, statfs } from 'node:fs/promises';
import type { VirtualMachineInstance } from '../../../api';
import { bytesOf } from '../domain/quantity';

/** KubeVirt's default: space that stays free on a claim. */
export const RESERVED_BYTES = 128 * 1024;

const MEBIBYTE = 1 << 20;
const SECTOR = 512;

/** Bytes of a block device; undefined for everything else. */
export async function deviceSize(path: string): Promise<number | undefined> {
  const info = await stat(path).catch(() => undefined);
  if (!info?.isBlockDevice()) return undefined;
  const major = (info.rdev >>> 8) & 0xfff;
  const minor = (info.rdev & 0xff) | ((info.rdev >>> 12) & 0xfff00);
  return Number(await readFile(`/sys/dev/block/${major}:${minor}/size`, 'utf8')) * SECTOR;
}

/**
 * Bytes that the disk in a claim's file system may have: the claim's capacity without the share that is reserved for the
 * file system, and no more than fits. Undefined if the capacity is not known yet.
 */
export async function roomFor(path: string, vmi: VirtualMachineInstance, volume: string): Promise<number | undefined> {
  const claim = vmi.status?.volumeStatus?.find(({ name }) => name === volume)?.persistentVolumeClaimInfo;
  const capacity = claim?.capacity?.storage;
  if (capacity === undefined) return undefined;
  const bytes = bytesOf(capacity, `status.volumeStatus: "${volume}"`);
  const [{ bavail, bsize }, file] = await Promise.all([statfs(path), stat(path)]);
  const fits = bavail * bsize + file.blocks * SECTOR - RESERVED_BYTES;
  const wanted = bytes * (1 - Number(claim?.filesystemOverhead ?? 0));
  return Math.floor(Math.min(wanted, fits) / MEBIBYTE) * MEBIBYTE;
}
