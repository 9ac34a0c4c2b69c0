import { readImageHeader } from '../../../../../src/runtime/launcher/disks/image-header';
import { MAX_VIRTUAL_SIZE, newQcow2 } from '../../../../../src/runtime/launcher/disks/qcow2';

const qcow2 = (change: (header: Buffer) => void = () => {}): Buffer => {
  const header = Buffer.from(newQcow2({ virtualSize: 10 * 2 ** 20 }).head.subarray(0, 1024));
  change(header);
  return header;
};
const read = (header: Buffer, size = header.length) => readImageHeader(header, size, 'root');

test('reads the size of a qcow2 image', () => {
  expect(read(qcow2())).toEqual({ format: 'qcow2', virtualSize: 10 * 2 ** 20 });
});

test('anything without a known header is raw, rounded up to sectors', () => {
  expect(read(Buffer.from('boot sector'), 1000)).toEqual({ format: 'raw', virtualSize: 1024 });
});

test.each([
  ['with a backing file', qcow2((h) => h.writeBigUInt64BE(200n, 8)), /has a backing file.*flatten it/],
  ['with an external data file', qcow2((h) => h.writeBigUInt64BE(4n, 72)), /keeps its data in another file/],
  ['that is encrypted', qcow2((h) => h.writeUInt32BE(1, 32)), /is encrypted/],
  ['of version 1', qcow2((h) => h.writeUInt32BE(1, 4)), /has version 1 \(allowed: 2, 3\)/],
  ['of a version to come', qcow2((h) => h.writeUInt32BE(4, 4)), /has version 4/],
  ['of no size', qcow2((h) => h.writeBigUInt64BE(0n, 24)), /claims 0 bytes/],
  ['of an absurd size', qcow2((h) => h.writeBigUInt64BE(2n ** 63n, 24)), /claims 9223372036854775808 bytes/],
  ['that is cut off', qcow2().subarray(0, 40), /cut off/],
])('a qcow2 image %s is rejected with a remedy', (_, header, problem) => {
  expect(() => read(header)).toThrow(problem);
  expect(() => read(header)).toThrow(/disk "root": .+; .+/);
});

test.each([
  ['VMDK', Buffer.from('KDMV\x01\0\0\0')],
  ['VHDX', Buffer.from('vhdxfile')],
  ['VHD', Buffer.from('conectix')],
  ['LUKS', Buffer.from('LUKS\xba\xbe', 'latin1')],
  ['gzip', Buffer.from([0x1f, 0x8b, 8, 0])],
  ['xz', Buffer.from('\xfd7zXZ\0', 'latin1')],
])('%s is named and refused', (name, header) => {
  expect(() => read(header)).toThrow(
    `the image is ${name} (allowed: raw, qcow2); convert it with \`qemu-img convert -O qcow2\``,
  );
});

test.each([
  ['a qcow2 image', qcow2((h) => h.writeBigUInt64BE(BigInt(MAX_VIRTUAL_SIZE), 24)), 1024],
  ['a raw image', Buffer.from('boot sector'), MAX_VIRTUAL_SIZE],
])('%s of the largest size is taken', (_, header, size) =>
  expect(read(header, size).virtualSize).toBe(MAX_VIRTUAL_SIZE),
);

test.each([
  ['a qcow2 image', qcow2((h) => h.writeBigUInt64BE(BigInt(MAX_VIRTUAL_SIZE) + 1n, 24)), 1024],
  ['a raw image', Buffer.from('boot sector'), MAX_VIRTUAL_SIZE + 512],
])('%s that is larger is rejected', (_, header, size) =>
  expect(() => read(header, size)).toThrow(`(allowed: 1 to ${MAX_VIRTUAL_SIZE})`),
);

const ofVersion = (version: number, length: number): Buffer =>
  Buffer.from(qcow2((h) => h.writeUInt32BE(version, 4)).subarray(0, length));

test.each([
  [2, 72],
  [3, 104],
])('a header of version %i needs %i bytes', (version, length) => {
  expect(read(ofVersion(version, length)).format).toBe('qcow2');
  expect(() => read(ofVersion(version, length - 1))).toThrow('cut off in its header');
});

test('every bit of the field of encryption counts', () =>
  expect(() => read(qcow2((h) => h.writeUInt32BE(0x0100_0000, 32)))).toThrow('is encrypted'));

test('recognizes VDI by its magic at byte 64', () => {
  const header = Buffer.alloc(128);
  header.write('\x7f\x10\xda\xbe', 64, 'latin1');
  expect(() => read(header)).toThrow('the image is VDI');
});

test('an empty file is not a disk', () => {
  expect(() => read(Buffer.alloc(0))).toThrow('the image is an empty file');
});
