import { type IsoFiles, buildIso } from '../../../../../src/runtime/launcher/disks/iso9660';
import fc from '../../../../support/fast-check';

const SECTOR = 2048;

/** Reads the Joliet or Rock Ridge tree of an image: an independent reader of what the standard says. */
function readTree(iso: Buffer, joliet: boolean): Record<string, string> {
  const descriptor = (16 + (joliet ? 1 : 0)) * SECTOR;
  const files = Object.create(null) as Record<string, string>;
  const walk = (sector: number, size: number, prefix: string): void => {
    for (let at = sector * SECTOR; at < sector * SECTOR + size;) {
      const length = iso[at]!;
      if (length === 0) {
        at = (Math.floor(at / SECTOR) + 1) * SECTOR;
        continue;
      }
      const nameLength = iso[at + 32]!;
      const raw = iso.subarray(at + 33, at + 33 + nameLength);
      const isSelf = nameLength === 1 && raw[0]! <= 1;
      const name = isSelf
        ? ''
        : joliet
          ? Buffer.from(raw).swap16().toString('utf16le').replace(/;1$/, '')
          : rockRidgeName(iso.subarray(at, at + length));
      const [start, bytes] = [iso.readUInt32LE(at + 2), iso.readUInt32LE(at + 10)];
      expect(iso.readUInt32BE(at + 6)).toBe(start);
      if (!isSelf && (iso[at + 25]! & 2) !== 0) walk(start, bytes, `${prefix}${name}/`);
      else if (!isSelf) files[prefix + name] = iso.toString('utf8', start * SECTOR, start * SECTOR + bytes);
      at += length;
    }
  };
  walk(iso.readUInt32LE(descriptor + 158), iso.readUInt32LE(descriptor + 166), '');
  return files;
}

function rockRidgeName(record: Buffer): string {
  let at = 33 + record[32]! + (record[32]! % 2 === 0 ? 1 : 0);
  while (at + 4 <= record.length && record[at + 2]! > 0) {
    if (record.toString('latin1', at, at + 2) === 'NM') return record.toString('utf8', at + 5, at + record[at + 2]!);
    at += record[at + 2]!;
  }
  return '';
}

const nested: IsoFiles = {
  'openstack/latest/user_data': 'u',
  'openstack/latest/meta_data.json': '{}',
  'readme.txt': '',
};

test('label and files are there for Linux and for Windows', () => {
  const iso = buildIso('config-2', nested);
  expect(iso.toString('latin1', 16 * SECTOR + 40, 16 * SECTOR + 48)).toBe('config-2');
  expect(readTree(iso, false)).toEqual(nested);
  expect(readTree(iso, true)).toEqual(nested);
});

test('the same files give the same bytes', () => {
  expect(buildIso('cidata', nested)).toEqual(buildIso('cidata', { ...nested }));
});

test('any set of names and contents can be read again', () => {
  const name = fc.stringMatching(/^[a-zA-Z0-9_.-]{1,40}$/).filter((n) => n !== '.' && n !== '..');
  const files = fc.dictionary(name, fc.string({ maxLength: 5000 }), { maxKeys: 80 });
  fc.assert(
    fc.property(files, (f) => {
      const iso = buildIso('cidata', f);
      expect(Object.entries(readTree(iso, false)).sort()).toEqual(Object.entries(f).sort());
      expect(Object.entries(readTree(iso, true)).sort()).toEqual(Object.entries(f).sort());
    }),
    { numRuns: 30 },
  );
});

test.each(['../etc/passwd', '/etc/passwd', 'a//b', './a'])('the path %s is refused', (path) => {
  expect(() => buildIso('cidata', { [path]: '' })).toThrow('is not a path inside the image');
});

test('a label that ISO 9660 cannot hold is refused', () => {
  expect(() => buildIso('a label of many words', {})).toThrow('must be 1-16');
});
