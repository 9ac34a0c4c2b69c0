/** Sizes of the source and the target of a clone. Pure. */
import { diskCapacity } from '../../../../api/cdi/import-request';
import { quantityValue } from '../../../../api/quantity';
import type { StorageClaim } from '../types';

const MIB = 1 << 20;

/** Part of a class's file systems that is not available for a disk. */
export type OverheadOf = (className: string | undefined) => number;

export const isBlock = ({ spec }: Pick<StorageClaim, 'spec'>): boolean => spec.volumeMode === 'Block';

export const requestOf = ({ spec }: Pick<StorageClaim, 'spec'>): number =>
  Number(quantityValue(spec.resources?.requests?.storage ?? '0'));

/** Size of the claim's volume. */
export const capacityOf = ({ spec, status }: Pick<StorageClaim, 'spec' | 'status'>): number =>
  Math.max(Number(quantityValue(status?.capacity?.storage ?? '0')), requestOf({ spec }));

/** Largest disk that a claim of the requested size holds. */
export function diskBytes(claim: Pick<StorageClaim, 'spec'>, overheadOf: OverheadOf): number {
  const bytes = requestOf(claim);
  return isBlock(claim) ? bytes : diskCapacity(bytes, overheadOf(claim.spec.storageClassName));
}

/** Smallest request of a target for the disk of `source`. */
export function smallestRequest(
  source: StorageClaim,
  target: Pick<StorageClaim, 'spec'>,
  overheadOf: OverheadOf,
): number {
  const disk = isBlock(source) ? capacityOf(source) : diskBytes(source, overheadOf);
  if (isBlock(target)) return disk;
  const overhead = overheadOf(target.spec.storageClassName);
  // a file system of the same kind needs no rounding
  if (!isBlock(source) && overheadOf(source.spec.storageClassName) === overhead) return requestOf(source);
  return Math.ceil((Math.ceil(disk / MIB) * MIB) / (1 - overhead));
}
