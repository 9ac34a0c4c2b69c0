import type { DomainSpec } from '../../../../../src/api';
import type { Fixture } from './fixture';
import { part } from './part';

const MEBI = 2 ** 20;

test.each<[string, Partial<DomainSpec>, number, number | undefined]>([
  ['what the guest sees', { memory: { guest: '64Mi' } }, 64 * MEBI, undefined],
  [
    'else the request',
    { memory: {}, resources: { requests: { memory: '2M' }, limits: { memory: '3M' } } },
    2e6,
    undefined,
  ],
  ['else the limit', { memory: undefined, resources: { limits: { memory: '3M' } } }, 3e6, undefined],
  ['nothing where the VM names none', { memory: {} }, 0, undefined],
  ['never more than requested', { memory: { guest: '0.3Gi' } }, 322122547, undefined],
  ['and the most that it can become', { memory: { guest: '1Gi', maxGuest: '1.5Gi' } }, 1024 * MEBI, 1536 * MEBI],
  ['unless that is the same', { memory: { guest: '1Gi', maxGuest: '1024Mi' } }, 1024 * MEBI, undefined],
])('memory is %s', (_, domain, bytes, most) => {
  expect(part('memory', { domain })).toBe(`<memory unit='b'>${bytes}</memory>`);
  expect(part('maxMemory', { domain })).toBe(most && `<maxMemory unit='b' slots='0'>${most}</maxMemory>`);
});

const CELL = "<cell id='0' cpus='0-0' memory='65536' unit='KiB'/>";
const huge = { memory: { guest: '64Mi', hugepages: { pageSize: '2Mi' } } };

test.each<[string, Fixture, string | undefined, string | undefined]>([
  ['ordinary pages', {}, undefined, undefined],
  ['huge pages', { domain: huge }, "<hugepages/><source type='memfd'/>", CELL],
  [
    'huge pages without memfd',
    { domain: huge, annotations: { 'kubevirt.io/memfd': 'false' } },
    '<hugepages/>',
    undefined,
  ],
  ['huge pages on s390x, which has no NUMA', { domain: huge, architecture: 's390x' }, '<hugepages/>', undefined],
  [
    'pages that virtiofsd reads too',
    {
      devices: { filesystems: [{ name: 'a', virtiofs: {} }] },
      volumes: [{ name: 'a', configMap: { name: 'a' } }],
    },
    "<source type='memfd'/><access mode='shared'/>",
    CELL,
  ],
  [
    'pages that passt reads too',
    { devices: { interfaces: [{ name: 'a', passtBinding: {} }] }, networks: [{ name: 'a', pod: {} }] },
    "<source type='memfd'/><access mode='shared'/>",
    CELL,
  ],
])('guest memory of %s', (_, fixture, backing, cell) => {
  expect(part('memoryBacking', fixture)).toBe(backing && `<memoryBacking>${backing}</memoryBacking>`);
  const cpu = part('cpu', fixture)!;
  if (cell) expect(cpu).toContain(`<numa>${cell}</numa>`);
  else expect(cpu).not.toContain('numa');
});
