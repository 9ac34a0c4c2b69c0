import { type IsoFiles, buildIso } from '../../../../../src/runtime/launcher/disks/iso9660';
import fc from '../../../../support/fast-check';

const SECTOR = 2048;

/** Reads the Joliet or Rock Ridge tree of an image: an independent reader, written from the standard. */
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
          : rockRidgeName(iso, iso.subarray(at, at + length));
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

function rockRidgeName(iso: Buffer, record: Buffer): string {
  const pieces: Buffer[] = [];
  const walk = (bytes: Buffer): void => {
    for (let at = 0; at + 4 <= bytes.length && bytes[at + 2]! > 0; at += bytes[at + 2]!) {
      const tag = bytes.toString('latin1', at, at + 2);
      if (tag === 'NM') pieces.push(bytes.subarray(at + 5, at + bytes[at + 2]!));
      if (tag !== 'CE') continue;
      const [sector, offset, length] = [4, 12, 20].map((field) => bytes.readUInt32LE(at + field)) as [
        number,
        number,
        number,
      ];
      // a continuation that leaves its sector is not read by Linux
      expect(offset + length).toBeLessThanOrEqual(SECTOR);
      walk(iso.subarray(sector * SECTOR + offset, sector * SECTOR + offset + length));
    }
  };
  walk(record.subarray(33 + record[32]! + (record[32]! % 2 === 0 ? 1 : 0)));
  return Buffer.concat(pieces).toString('utf8');
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

test('the record of the root announces Rock Ridge, without which Linux ignores it', () => {
  const iso = buildIso('cidata', nested);
  const root = iso.readUInt32LE(16 * SECTOR + 158) * SECTOR;
  const entries = iso.subarray(root + 34, root + iso[root]!);
  expect(entries.toString('latin1', 0, 7)).toBe('SP\x07\x01\xbe\xef\0');
  const at = entries.indexOf('CE');
  const [sector, offset, length] = [4, 12, 20].map((field) => entries.readUInt32LE(at + field)) as [
    number,
    number,
    number,
  ];
  const announced = iso.subarray(sector * SECTOR + offset, sector * SECTOR + offset + length);
  expect(announced.toString('latin1', 0, 18)).toBe('ER\xed\x01\x0a\x54\x87\x01RRIP_1991A');
  expect(announced).toHaveLength(237);
});

test('the same files give the same bytes', () => {
  expect(buildIso('cidata', nested)).toEqual(buildIso('cidata', { ...nested }));
});

test('any set of names and contents can be read again', () => {
  const name = fc.stringMatching(/^[a-zA-Z0-9_.-]{1,64}$/).filter((n) => n !== '.' && n !== '..');
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

test.each([64, 65, 168, 169, 170, 200, 250, 251, 253])('a name of %d bytes is whole for Linux', (length) => {
  const files = { [`${'k'.repeat(length - 1)}a`]: 'a', [`${'k'.repeat(length - 1)}b`]: 'b' };
  const iso = buildIso('cidata', files);
  expect(readTree(iso, false)).toEqual(files);
  expect(Object.values(readTree(iso, true)).sort()).toEqual(['a', 'b']);
});

test('a name of 254 bytes is rejected with the limit', () =>
  expect(() => buildIso('cidata', { ['k'.repeat(254)]: '' })).toThrow('has 254 bytes (allowed: 253); shorten it'));

test('hundreds of long names fill several sectors of continuations', () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${'k'.repeat(230)}${i}`, String(i)]));
  expect(readTree(buildIso('cidata', files), false)).toEqual(files);
});

test.each(['../etc/passwd', '/etc/passwd', 'a//b', './a'])('the path %s is rejected', (path) => {
  expect(() => buildIso('cidata', { [path]: '' })).toThrow('is not a path inside the image');
});

test('a label that ISO 9660 cannot hold is rejected', () => {
  expect(() => buildIso('a label of many words', {})).toThrow('must be 1-16');
});
