import { clonePatches, isSelected } from '../../../../../../src/runtime/controller/protection/clone/patches';
import { patchStaysInSpec } from '../../../../../../src/api/kinds/restore';
import { clone } from '../fixtures';

type Source = Parameters<typeof clonePatches>[1];

const source = {
  metadata: { labels: { app: 'db', 'team/owner': 'x' }, annotations: { note: 'a~b', 'a/b~c': '1' } },
  spec: {
    template: {
      metadata: { labels: { 'kubevirt.io/size': 'small', app: 'db' } },
      spec: {
        hostname: 'db',
        domain: {
          firmware: { uuid: '5d307ca9-b3ef-428c-8861-06e72d69f223', serial: '1' },
          devices: { interfaces: [{ name: 'default', macAddress: '02:00:00:00:00:01' }, { name: 'other' }] },
        },
      },
    },
  },
} as unknown as Source;

const short = (patches: readonly string[]): string[] =>
  patches.map((text) => {
    const { op, path, value } = JSON.parse(text) as { op: string; path: string; value?: unknown };
    return [op, path, ...(value === undefined ? [] : [JSON.stringify(value)])].join(' ');
  });

const DOMAIN = '/spec/template/spec/domain';
const identity = [
  `remove ${DOMAIN}/firmware/uuid`,
  `remove ${DOMAIN}/firmware/serial`,
  'remove /spec/template/spec/hostname',
];
const address = `remove ${DOMAIN}/devices/interfaces/0/macAddress`;

test.each<[string, object, string[]]>([
  ['new addresses and a new identity', {}, [address, ...identity]],
  [
    'given addresses, written as the restore accepts them',
    { newMacAddresses: { other: '02:00:00:00:00:09' } },
    [address, `add ${DOMAIN}/devices/interfaces/1/macAddress "02-00-00-00-00-09"`, ...identity],
  ],
  [
    'a given serial number',
    { newSMBiosSerial: 'abc' },
    [address, identity[0], `add ${DOMAIN}/firmware/serial "abc"`, identity[2]],
  ],
  [
    'the selected labels and annotations',
    { labelFilters: ['app'], annotationFilters: ['!a/*'], template: { labelFilters: ['*', '!kubevirt.io/*'] } },
    [
      'remove /metadata/labels/team~1owner',
      'remove /metadata/annotations/a~1b~0c',
      'remove /spec/template/metadata/labels/kubevirt.io~1size',
      address,
      ...identity,
    ],
  ],
  [
    'the patches of the user last',
    { patches: ['{"op":"replace","path":"/spec/runStrategy","value":"Manual"}'] },
    [address, ...identity, 'replace /spec/runStrategy "Manual"'],
  ],
])('a copy has %s', (_, spec, want) => {
  const patches = clonePatches(clone({ spec }), source);
  expect(short(patches)).toEqual(want);
  expect(patches.flatMap(patchStaysInSpec)).toEqual([]);
});

test('a serial number needs a place', () => {
  const bare = { spec: { template: { spec: { domain: { devices: {} } } } } } as unknown as Source;
  expect(short(clonePatches(clone({ spec: { newSMBiosSerial: 'abc' } }), bare))).toEqual([
    `add ${DOMAIN}/firmware {}`,
    `add ${DOMAIN}/firmware/serial "abc"`,
  ]);
});

test.each<[string, readonly string[], boolean]>([
  ['app', ['*'], true],
  ['app', ['app'], true],
  ['app', ['other'], false],
  ['app', ['!app'], false],
  ['apple', ['!app'], true],
  ['apple', ['app*', '!apple'], false],
  ['', [], true],
])('%j with filters %j', (key, filters, want) => expect(isSelected(key, filters)).toBe(want));
