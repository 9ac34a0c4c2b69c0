import type { VirtualMachineExportVolume } from '../../../../src/api/generated/export-v1';
import { volumeLink } from '../../../../src/cli/vmexport/links';
import { progressText } from '../../../../src/cli/vmexport/meter';

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

const MIB = 1 << 20;
test.each([
  [{ done: 50 * MIB, from: 0, size: 100 * MIB, ms: 5_000 }, ' 50.0 %  50.0 MiB of 100.0 MiB  10.0 MiB/s  0:05 left'],
  [
    { done: 60 * MIB, from: 50 * MIB, size: 100 * MIB, ms: 1_000 },
    ' 60.0 %  60.0 MiB of 100.0 MiB  10.0 MiB/s  0:04 left',
  ],
  [{ done: 0, from: 0, size: 100 * MIB, ms: 0 }, '  0.0 %  0.0 MiB of 100.0 MiB  0.0 MiB/s'],
  [{ done: MIB, from: 0, size: NaN, ms: 1_000 }, '1.0 MiB  1.0 MiB/s'],
])('shows progress', (state, text) => expect(progressText(state)).toBe(text));
