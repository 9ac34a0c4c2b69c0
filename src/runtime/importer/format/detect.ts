/** Recognizes formats of images and compressed files by their first bytes. Pure. */

export type ImageFormat = 'qcow2' | 'raw' | 'vdi' | 'vhd' | 'vhdx' | 'vmdk';
export type Compression = 'gzip' | 'xz' | 'zstd';

/** Bytes that `detect` needs: the magic of a tar archive ends at 262. */
export const DETECT_BYTES = 512;

const MAGIC: readonly { readonly name: string; readonly at: number; readonly bytes: string }[] = [
  { name: 'gzip', at: 0, bytes: '\x1f\x8b' },
  { name: 'xz', at: 0, bytes: '\xfd7zXZ\0' },
  { name: 'zstd', at: 0, bytes: '\x28\xb5\x2f\xfd' },
  { name: 'bzip2', at: 0, bytes: 'BZh' },
  { name: 'qcow2', at: 0, bytes: 'QFI\xfb' },
  { name: 'vmdk', at: 0, bytes: 'KDMV' },
  { name: 'VMDK descriptor', at: 0, bytes: '# Disk DescriptorFile' },
  { name: 'vdi', at: 64, bytes: '\x7f\x10\xda\xbe' },
  { name: 'vhdx', at: 0, bytes: 'vhdxfile' },
  { name: 'vhd', at: 0, bytes: 'conectix' },
  { name: 'QED', at: 0, bytes: 'QED\0' },
  { name: 'LUKS', at: 0, bytes: 'LUKS\xba\xbe' },
  { name: 'tar', at: 257, bytes: 'ustar' },
];

export type Detected =
  | { readonly kind: 'image'; readonly format: ImageFormat }
  | { readonly kind: 'compressed'; readonly by: Compression }
  | { readonly kind: 'tar' }
  | { readonly kind: 'unsupported'; readonly name: string };

/** Format of a file that starts with these bytes. Anything unknown is a raw image. */
export function detect(head: Buffer): Detected {
  const name = MAGIC.find(({ at, bytes }) => head.toString('latin1', at, at + bytes.length) === bytes)?.name;
  switch (name) {
    case undefined:
      return { kind: 'image', format: 'raw' };
    case 'gzip':
    case 'xz':
    case 'zstd':
      return { kind: 'compressed', by: name };
    case 'qcow2':
    case 'vmdk':
    case 'vdi':
    case 'vhd':
    case 'vhdx':
      return { kind: 'image', format: name };
    case 'tar':
      return { kind: 'tar' };
    default:
      return { kind: 'unsupported', name };
  }
}
