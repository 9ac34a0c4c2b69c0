/** Checks what `qemu-img info` reports of an untrusted image. Pure. */
import type { ImageFormat } from '../format/detect';
import { ImportError } from '../import-error';

/** `qemu-img info --output=json`, as far as it is used. */
interface Info {
  readonly 'virtual-size'?: unknown;
  readonly format?: unknown;
  readonly 'backing-filename'?: unknown;
  readonly encrypted?: unknown;
  readonly 'dirty-flag'?: unknown;
  readonly 'format-specific'?: {
    readonly data?: { readonly 'data-file'?: unknown; readonly extents?: readonly unknown[] };
  };
}

const SECTOR = 512;

/** Size in bytes of the disk in the image. @throws ImportError if the image needs other files, or does not fit */
export function virtualSize(text: string, format: ImageFormat, capacity: number): number {
  const info = JSON.parse(text) as Info;
  const invalid = (problem: string, remedy: string): ImportError =>
    new ImportError('ImageInvalid', `the ${format} image ${problem}`, remedy);
  const flatten = 'flatten it with `qemu-img convert`';
  if (info['backing-filename'] !== undefined) throw invalid('has a backing file', flatten);
  const data = info['format-specific']?.data;
  if (data?.['data-file'] !== undefined) throw invalid('keeps its data in another file', flatten);
  if ((data?.extents?.length ?? 0) > 1) throw invalid('consists of several files', flatten);
  if (info.encrypted === true) throw invalid('is encrypted', 'decrypt it with `qemu-img convert`');
  const size = info['virtual-size'];
  if (typeof size !== 'number' || !(size > 0)) throw invalid('has no size', 'build the image again');
  assertFits(size, capacity);
  return Math.ceil(size / SECTOR) * SECTOR;
}

/** @throws ImportError if a disk of this size does not fit into the claim */
export function assertFits(size: number, capacity: number): void {
  if (size <= capacity) return;
  const message = `Virtual image size ${BigInt(size)} is larger than the reported available storage ${capacity}. A larger PVC is required.`;
  throw new ImportError('ImageTooLarge', message, `request at least ${BigInt(size)} bytes for the disk`);
}
