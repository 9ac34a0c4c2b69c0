import type { Loose } from '../fixtures';
import { lintObject, lintTogether } from '../../../../src/api/lint';
import { clusterConfig } from '../../../../src/api';
import { object, vm, worldWith } from './worlds';

const at = 'spec.template.spec';
const config = clusterConfig();
/** Findings for values that admission accepts: rule and path. */
const reported = (made: Loose): string[] =>
  [...lintObject(made, config), ...lintTogether(made, config, worldWith(made))].map(
    ({ rule, path }) => `${rule} ${path}`,
  );
const guest = (spec: Loose): Loose => {
  const made = vm('web');
  Object.assign(made.spec.template.spec, spec, { domain: { memory: { guest: '1Gi' }, devices: {}, ...spec.domain } });
  return made;
};
/** Disks that all use one claim. */
const claims = (...list: Loose[]): Loose =>
  guest({
    domain: { devices: { disks: list.map((disk, i) => ({ name: `d${i}`, disk: {}, ...disk })) } },
    volumes: list.map((_, i) => ({ name: `d${i}`, persistentVolumeClaim: { claimName: 'data' } })),
  });
/** An empty disk beside one with an operating system. */
const empty = (capacity: string): Loose =>
  guest({
    volumes: [
      { name: 'a', emptyDisk: { capacity } },
      { name: 'root', containerDisk: { image: 'a' } },
    ],
  });
const gpus = (...list: Loose[]): Loose => guest({ domain: { devices: { gpus: list } } });
const clock = (timezone: string): Loose => guest({ domain: { devices: {}, clock: { timezone } } });
const called = (name: string): Loose => object('v1', 'ConfigMap', name, undefined);

test.each<[string, Loose, string[]]>([
  ['accepts native I/O without cache', claims({ io: 'native', cache: 'none' }), []],
  ['accepts native I/O with the default cache', claims({ io: 'native' }), []],
  ['accepts threads with a cache', claims({ io: 'threads', cache: 'writeback' }), []],
  [
    'reports native I/O with a cache',
    claims({ io: 'native', cache: 'writethrough' }),
    [`disk-cache-native ${at}.domain.devices.disks[0].cache`],
  ],
  [
    'reports the cache of a shared disk',
    claims({ shareable: true, cache: 'writeback' }),
    [`disk-cache-shareable ${at}.domain.devices.disks[0].cache`],
  ],
  ['reports two disks on one claim', claims({}, {}), [`claim-once ${at}.volumes[1]`]],
  ['accepts two shared disks on one claim', claims({ shareable: true }, { shareable: true }), []],
  ['reports an empty disk without room', empty('1048575'), [`empty-disk-size ${at}.volumes[0].emptyDisk.capacity`]],
  ['reports a small empty disk', empty('1023Ki'), [`empty-disk-size ${at}.volumes[0].emptyDisk.capacity`]],
  ['accepts an empty disk', empty('1Mi'), []],
  ['accepts a GPU', gpus({ name: 'a', deviceName: 'nvidia.com/A10' }), []],
  [
    'reports a GPU that is not a resource',
    gpus({ name: 'a', deviceName: 'A10' }),
    [`device-resource-name ${at}.domain.devices.gpus[0].deviceName`],
  ],
  [
    'reports two devices of one name',
    gpus({ name: 'a', deviceName: 'nvidia.com/A10' }, { name: 'a', deviceName: 'nvidia.com/A10' }),
    [`device-name-unique ${at}.domain.devices.gpus[1].name`],
  ],
  ['accepts a time zone', clock('Europe/Prague'), []],
  ['reports a time zone that does not exist', clock('Europe/Pargue'), [`clock-time-zone ${at}.domain.clock.timezone`]],
  ['accepts a name', called('undefineds'), []],
  ['reports a name of a missing variable', called('web-undefined'), ['text-undefined metadata.name']],
  ['reports a name of a missing number', called('web-NaN'), ['text-undefined metadata.name']],
  [
    'reports an image of a missing variable',
    guest({ volumes: [{ name: 'a', containerDisk: { image: 'registry.example/os:undefined' } }] }),
    [`text-undefined ${at}.volumes[0].containerDisk.image`],
  ],
  ...(
    [
      ['reports an object in a script', 'curl [object Object]', true],
      ['reports a Promise in a script', 'curl http://[object Promise]/', true],
      ['accepts a script that compares with such a text', `if (String(x) === '[object Object]') throw 1`, false],
      ['accepts a script that calls toString', 'toString.call(x) // [object Object]', false],
      ['reports a host of a missing variable in a script', 'curl http://undefined:8080/', true],
      ['reports a host of a value that is null in a script', 'curl http://null/', true],
      ['accepts a host whose name only begins like it', 'curl http://undefined.example/', false],
    ] as const
  ).map(([title, line, isMistake]): [string, Loose, string[]] => [
    title,
    guest({ volumes: [{ name: 'a', cloudInitNoCloud: { userData: `#!/bin/sh\n${line}\n` } }] }),
    isMistake ? [`text-undefined ${at}.volumes[0].cloudInitNoCloud.userData`] : [],
  ]),
  [
    'accepts such words in a document',
    guest({ volumes: [{ name: 'a', cloudInitNoCloud: { userData: '#cloud-config\nhostname: x # undefined\n' } }] }),
    [],
  ],
])('%s', (_, made, want) => expect(reported(made)).toEqual(want));
