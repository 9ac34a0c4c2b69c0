import { describe as describeImage, openImage } from '../../../../src/cli/upload/image-file';

const head = (magic: string, at = 0, write: (bytes: Buffer) => void = () => undefined): Buffer => {
  const bytes = Buffer.alloc(512);
  bytes.write(magic, at, 'latin1');
  write(bytes);
  return bytes;
};

test.each<[string, Buffer, object]>([
  ['qcow2', head('QFI\xfb', 0, (b) => b.writeBigUInt64BE(1n << 30n, 24)), { format: 'qcow2', virtualSize: 2 ** 30 }],
  ['vmdk', head('KDMV', 0, (b) => b.writeBigUInt64LE(2048n, 12)), { format: 'vmdk', virtualSize: 2 ** 20 }],
  ['vdi', head('\x7f\x10\xda\xbe', 64, (b) => b.writeBigUInt64LE(4096n, 368)), { format: 'vdi', virtualSize: 4096 }],
  ['vhd', head('conectix', 0, (b) => b.writeBigUInt64BE(4096n, 48)), { format: 'vhd', virtualSize: 4096 }],
  ['vhdx', head('vhdxfile'), { format: 'vhdx' }],
  ['gz', head('\x1f\x8b'), { format: 'gz' }],
  ['tar', head('ustar', 257), { format: 'tar' }],
  ['raw', head('anything'), { format: 'raw', virtualSize: 7777 }],
  ['a truncated qcow2', head('QFI\xfb').subarray(0, 20), { format: 'qcow2' }],
  ['a short file', Buffer.from('a'), { format: 'raw', virtualSize: 7777 }],
])('the header of %s tells its format and size', (_, bytes, found) => {
  expect(describeImage(bytes, 7777)).toEqual(found);
});

test.each([
  ['/nonexistent', /no such file/],
  ['/', /not a regular file/],
])('%s cannot be uploaded', async (path, message) => {
  await expect(openImage(path, false)).rejects.toThrow(message);
});
