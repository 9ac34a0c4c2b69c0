import { assertFits, virtualSize } from '../../../../../src/runtime/importer/convert/image-info';

const info = (fields: object): string => JSON.stringify({ 'virtual-size': 1024, format: 'qcow2', ...fields });
const extents = (count: number) => ({
  'format-specific': { data: { extents: Array.from({ length: count }, () => ({})) } },
});

describe('virtualSize', () => {
  test.each([
    ['the size', {}, 1024],
    ['whole sectors', { 'virtual-size': 1025 }, 1536],
    ['one extent', extents(1), 1024],
  ])('returns %s', (_, fields, wanted) => expect(virtualSize(info(fields), 'qcow2', 1 << 20)).toBe(wanted));

  test.each([
    ['a backing file', { 'backing-filename': '/etc/passwd' }, 'has a backing file'],
    ['a backing file without a name', { 'backing-filename': '' }, 'has a backing file'],
    ['a data file', { 'format-specific': { data: { 'data-file': 'x' } } }, 'keeps its data in another file'],
    ['two extents', extents(2), 'consists of several files'],
    ['encryption', { encrypted: true }, 'is encrypted'],
    ['no size', { 'virtual-size': undefined }, 'has no size'],
    ['a size of zero', { 'virtual-size': 0 }, 'has no size'],
    ['a size as text', { 'virtual-size': '1024' }, 'has no size'],
    ['1 EiB', { 'virtual-size': 2 ** 60 }, 'Virtual image size 1152921504606846976 is larger than'],
  ])('rejects %s', (_, fields, wanted) => {
    expect(() => virtualSize(info(fields), 'qcow2', 1 << 20)).toThrow(wanted);
  });
});

describe('assertFits', () => {
  test.each([99, 100])('accepts %i of 100 bytes', (size) => assertFits(size, 100));
  test('rejects one byte more', () => expect(() => assertFits(101, 100)).toThrow('A larger PVC is required.'));
});
