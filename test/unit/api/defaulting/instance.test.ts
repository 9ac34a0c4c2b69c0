import { hasPcie, uuidOf } from '../../../../src/api/defaulting/instance';
import type { Loose } from '../fixtures';

test.each<[string | undefined, string | undefined, boolean]>([
  ['amd64', 'q35', true],
  ['amd64', 'pc-q35-10.0', true],
  ['amd64', undefined, true],
  [undefined, 'q35', true],
  ['', 'q35', true],
  ['arm64', 'virt', true],
  ['arm64', 'virt-10.0', true],
  ['amd64', 'pc-i440fx-10.0', false],
  ['s390x', 's390-ccw-virtio', false],
  ['s390x', undefined, false],
])('a guest of %s with the machine %s has PCI Express: %s', (architecture, type, want) => {
  const machine = type === undefined ? undefined : { type };
  expect(hasPcie({ architecture, domain: { devices: {}, machine } } as Loose)).toBe(want);
});

test('a UUID is RFC 9562’s of the DNS namespace and a name', () => {
  expect(uuidOf('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  );
});
