import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VirtualMachineInstance } from '../../../../../src/api';
import { claimDisk } from '../../../../../src/runtime/launcher/disks/claim';
import { newQcow2 } from '../../../../../src/runtime/launcher/disks/qcow2';
import { DEFAULT_PATHS, pathsOf } from '../../../../../src/runtime/launcher/paths';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'claim-'));
  mkdirSync(join(dir, 'vmi-disks/data'), { recursive: true });
  file = join(dir, 'vmi-disks/data/disk.img');
});
afterEach(() => rmSync(dir, { recursive: true }));

const disk = (more: { storage?: string; capacity?: string; readonly?: boolean; mayCreate?: boolean } = {}) => {
  const { storage, capacity, readonly = false, mayCreate = true } = more;
  const info = {
    claimName: 'data',
    filesystemOverhead: '0.06',
    ...(storage && { requests: { storage } }),
    ...(capacity && { capacity: { storage: capacity } }),
  };
  const status = { volumeStatus: [{ name: 'data', target: '', persistentVolumeClaimInfo: info }] };
  const vmi = { status } as unknown as VirtualMachineInstance;
  return claimDisk({ name: 'data' }, { vmi, paths: pathsOf({ ...DEFAULT_PATHS, private: dir }), readonly, mayCreate });
};

test('an empty claim gets an empty disk of its size, once', async () => {
  expect(await disk({ storage: '64Mi' })).toMatchObject({ type: 'file', path: file, format: 'raw' });
  expect(statSync(file)).toMatchObject({ size: 64 * 2 ** 20, blocks: 0 });
  await disk({ storage: '128Mi' });
  expect(statSync(file).size).toBe(64 * 2 ** 20);
});

test('a claim that has a disk keeps it', async () => {
  writeFileSync(file, 'old');
  await disk();
  expect(statSync(file).size).toBe(3);
});

test.each([
  ['of a DataVolume', { storage: '64Mi', mayCreate: false }, /its claim has no disk.img; import an image into it/],
  ['that is read-only', { storage: '64Mi', readonly: true }, /its claim has no disk.img; import an image into it/],
  ['of unknown size', {}, /its size is not known/],
  ['that is larger than its file system', { storage: '900Ti' }, /its claim has \d+ MiB free, its disk needs \d+ MiB; /],
])('reports an empty claim %s', async (_, options, message) => {
  await expect(disk(options)).rejects.toThrow(message);
});

/** A guest could write such a header into its disk, to read a file of the Pod at its next start. */
const VMDK = `# Disk DescriptorFile
version=1
CID=fffffffe
parentCID=ffffffff
createType="monolithicFlat"
RW 1024 FLAT "/etc/passwd" 0
`;

test.each<[string, string | Uint8Array]>([
  [
    'a qcow2 image with a backing file',
    newQcow2({ virtualSize: 2 ** 20, backing: { path: '/etc/passwd', format: 'raw' } }).head,
  ],
  ['a VMDK descriptor', VMDK],
  ['a VDI header', Buffer.concat([Buffer.alloc(64), Buffer.from('\x7f\x10\xda\xbe', 'latin1')])],
])('a claim whose disk.img is %s is a raw disk that keeps its bytes', async (_, content) => {
  writeFileSync(file, content);
  for (const readonly of [false, true]) {
    const source = await disk({ readonly });
    expect(source).toMatchObject({ type: 'file', path: file, format: 'raw' });
    expect(source).not.toHaveProperty('backing');
  }
  expect(readFileSync(file)).toEqual(Buffer.from(content));
});

test('a link in the place of the disk is rejected', async () => {
  symlinkSync('/etc/passwd', file);
  await expect(disk({ storage: '64Mi' })).rejects.toThrow('disk.img of its claim is not a file');
});

test.each([
  ['grows with its claim, except for the share of the file system', { capacity: '100Mi' }, 94],
  ['never shrinks', { capacity: '1Mi' }, 2],
  ['stays as it is on a read-only claim', { capacity: '100Mi', readonly: true }, 2],
  ['stays as it is until the capacity is known', { storage: '100Mi' }, 2],
])('an existing disk %s', async (_, options, mebibytes) => {
  writeFileSync(file, Buffer.alloc(2 << 20));
  await disk(options);
  expect(statSync(file).size).toBe(mebibytes << 20);
});
