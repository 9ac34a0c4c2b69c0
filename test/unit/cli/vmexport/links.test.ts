import type { VirtualMachineExportVolume } from '../../../../src/api/generated/export-v1';
import { volumeLink } from '../../../../src/cli/vmexport/links';

const volume = (name: string, ...formats: ('raw' | 'gzip' | 'dir' | 'tar.gz')[]): VirtualMachineExportVolume => ({
  name,
  formats: formats.map((format) => ({ format, url: `https://x/${name}/${format}` })),
});

test.each<[string, VirtualMachineExportVolume[], string | undefined, string]>([
  ['the only volume, compressed', [volume('a', 'raw', 'gzip')], undefined, 'https://x/a/gzip'],
  ['the volume of this name', [volume('a', 'gzip'), volume('b', 'dir', 'tar.gz')], 'b', 'https://x/b/tar.gz'],
  ['a disk that is only offered plain', [volume('a', 'raw')], 'a', 'https://x/a/raw'],
])('chooses %s', (_, volumes, wanted, url) => expect(volumeLink({ cert: '', volumes }, wanted).url).toBe(url));

test.each<[string, VirtualMachineExportVolume[], string | undefined, RegExp]>([
  [
    'several volumes without a name',
    [volume('a', 'raw'), volume('b', 'raw')],
    undefined,
    /--volume \(available: "a", "b"\)/,
  ],
  ['a name that does not exist', [volume('a', 'raw')], 'c', /no volume "c" \(available: "a"\)/],
  ['no volumes', [], undefined, /available: none/],
  ['a volume that is only a folder', [volume('a', 'dir')], undefined, /no format/],
])('rejects %s', (_, volumes, wanted, message) => {
  expect(() => volumeLink({ cert: '', volumes }, wanted)).toThrow(message);
});
