import { detect, DETECT_BYTES } from '../../../../../src/runtime/importer/format/detect';

const at = (offset: number, text: string): Buffer => {
  const head = Buffer.alloc(DETECT_BYTES);
  head.write(text, offset, 'latin1');
  return head;
};

describe('detect', () => {
  test.each([
    ['zeros', Buffer.alloc(DETECT_BYTES), { kind: 'image', format: 'raw' }],
    ['a file shorter than any magic', Buffer.from('Q'), { kind: 'image', format: 'raw' }],
    ['a boot sector', at(510, '\x55\xaa'), { kind: 'image', format: 'raw' }],
    ['qcow2', at(0, 'QFI\xfb'), { kind: 'image', format: 'qcow2' }],
    ['vmdk', at(0, 'KDMV'), { kind: 'image', format: 'vmdk' }],
    ['vdi', at(64, '\x7f\x10\xda\xbe'), { kind: 'image', format: 'vdi' }],
    ['vhd', at(0, 'conectix'), { kind: 'image', format: 'vhd' }],
    ['vhdx', at(0, 'vhdxfile'), { kind: 'image', format: 'vhdx' }],
    ['gzip', at(0, '\x1f\x8b'), { kind: 'compressed', by: 'gzip' }],
    ['xz', at(0, '\xfd7zXZ\0'), { kind: 'compressed', by: 'xz' }],
    ['zstd', at(0, '\x28\xb5\x2f\xfd'), { kind: 'compressed', by: 'zstd' }],
    ['tar', at(257, 'ustar'), { kind: 'tar' }],
    ['a magic at another offset', at(1, 'QFI\xfb'), { kind: 'image', format: 'raw' }],
    [
      'a descriptor that names other files',
      at(0, '# Disk DescriptorFile'),
      { kind: 'unsupported', name: 'VMDK descriptor' },
    ],
    ['bzip2', at(0, 'BZh9'), { kind: 'unsupported', name: 'bzip2' }],
  ])('%s', (_, head, wanted) => expect(detect(head)).toEqual(wanted));
});
