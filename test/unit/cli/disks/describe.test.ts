import type { VirtualMachineInstanceSpec, Volume } from '../../../../src/api';
import { type Claim, describeDisks, type DiskRow, type Found } from '../../../../src/cli/disks/describe';
import { diskTable, sizeText } from '../../../../src/cli/disks/table';

const found = (volume: Omit<Volume, 'name'> | undefined, more: Partial<Found> = {}): Found => ({
  spec: {
    domain: { devices: { disks: [{ name: 'data', disk: { bus: 'virtio' } }] } },
    ...(volume && { volumes: [{ name: 'data', ...volume }] }),
  } as VirtualMachineInstanceSpec,
  claims: new Map(),
  dataVolumes: new Map(),
  ...more,
});
const only = (of: Found): DiskRow => describeDisks(of)[0]!;
const claim: Claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'c' },
  spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '1Gi' } } },
  status: { phase: 'Bound', capacity: { storage: '2Gi' } },
};
const dataVolume = (spec: object): Partial<Found> => ({
  dataVolumes: new Map([['c', { apiVersion: '', kind: '', metadata: { name: 'c' }, spec }]]),
});

test('a stopped VM has the claims with their sizes', () => {
  const row = only(found({ persistentVolumeClaim: { claimName: 'c' } }, { claims: new Map([['c', claim]]) }));
  expect(row).toEqual({
    disk: 'data',
    type: 'disk',
    bus: 'virtio',
    claim: {
      name: 'c',
      phase: 'Bound',
      volumeMode: 'Filesystem',
      accessModes: ['ReadWriteOnce'],
      storageClass: 'fast',
      requested: 2 ** 30,
      capacity: 2 ** 31,
    },
    source: 'claim',
  });
});

test('a running VM has devices and sizes, and the space in use on all partitions of a disk', () => {
  const status = { volumeStatus: [{ name: 'data', target: 'vdb', size: 4096 }] };
  const fileSystems = [
    { diskName: 'vdb1', usedBytes: 100 },
    { diskName: 'vdb2', usedBytes: 20 },
    { diskName: 'vdba1', usedBytes: 3 },
  ];
  const row = only(found({ emptyDisk: { capacity: '4Ki' } }, { status, fileSystems }));
  expect(row).toMatchObject({ device: 'vdb', size: 4096, inUse: 120, source: 'empty disk of 4Ki' });
});

test("file systems belong to a disk by its serial, regardless of the device's name in the guest", () => {
  const of = found({ emptyDisk: { capacity: '4Ki' } });
  of.spec.domain.devices.disks![0]!.serial = 'D1';
  const fileSystems = [{ diskName: 'nvme0n1p1', usedBytes: 7, disk: [{ serial: 'D1' }] }];
  expect(only({ ...of, fileSystems }).inUse).toBe(7);
});

test.each<[string, Omit<Volume, 'name'> | undefined, Partial<Found>]>([
  ['no medium', undefined, {}],
  ['image quay.io/a:1', { containerDisk: { image: 'quay.io/a:1' } }, {}],
  ['file /d/a.img of the node', { hostDisk: { path: '/d/a.img', type: 'Disk' } }, {}],
  ['overlay over claim', { ephemeral: { persistentVolumeClaim: { claimName: 'c' } } }, {}],
  ['cloud-init', { cloudInitNoCloud: { userData: 'secret' } }, {}],
  ['Secret s', { secret: { secretName: 's' } }, {}],
  ['blank', { dataVolume: { name: 'c' } }, dataVolume({ source: { blank: {} } })],
  [
    'DataSource golden/debian',
    { dataVolume: { name: 'c' } },
    dataVolume({ sourceRef: { kind: 'DataSource', namespace: 'golden', name: 'debian' } }),
  ],
  [
    'PersistentVolumeClaim n/p',
    { dataVolume: { name: 'c' } },
    dataVolume({ source: { pvc: { namespace: 'n', name: 'p' } } }),
  ],
  [
    'https://host/a.qcow2',
    { dataVolume: { name: 'c' } },
    dataVolume({ source: { http: { url: 'https://me:pass@host/a.qcow2?token=1' } } }),
  ],
  [
    'image docker://quay.io/a:1',
    { dataVolume: { name: 'c' } },
    dataVolume({ source: { registry: { url: 'docker://quay.io/a:1' } } }),
  ],
  ['an invalid URL', { dataVolume: { name: 'c' } }, dataVolume({ source: { http: { url: 'no url' } } })],
  [
    'VolumeSnapshot s',
    { persistentVolumeClaim: { claimName: 'c' } },
    { claims: new Map([['c', { ...claim, spec: { dataSource: { kind: 'VolumeSnapshot', name: 's' } } }]]) },
  ],
])('the source is %s', (source, volume, more) => {
  expect(only(found(volume, more)).source).toBe(source);
});

test('the table shows a missing claim and the phase of a volume that is not attached yet', () => {
  const status = { volumeStatus: [{ name: 'data', target: '', phase: 'Bound' as const }] };
  const rows = describeDisks(found({ persistentVolumeClaim: { claimName: 'c' } }, { status }));
  expect(diskTable(rows).split('\n')).toEqual([
    'DISK   DEVICE   BUS      SIZE   IN USE   CLAIM         REQUESTED   CAPACITY   SOURCE',
    'data   Bound    virtio   -      -        c (Missing)   -           -          claim',
  ]);
});

test.each<[string, object, string | undefined]>([
  ['nothing of one that is complete', { phase: 'Succeeded', progress: '100.0%' }, undefined],
  ['what it waits for', { phase: 'PendingPopulation', progress: 'N/A' }, 'PendingPopulation'],
  [
    'percentage, rate and remaining time',
    {
      phase: 'ImportInProgress',
      progress: '12.50%',
      conditions: [
        { type: 'Running', status: 'True', message: 'received 1.0 GiB of 8.0 GiB, 64.0 MiB/s, 1 min 52 s left' },
      ],
    },
    'ImportInProgress 12.50%: received 1.0 GiB of 8.0 GiB, 64.0 MiB/s, 1 min 52 s left',
  ],
])('the content of a DataVolume shows %s', (_, status, wanted) => {
  const of = { apiVersion: '', kind: '', metadata: { name: 'c' }, spec: { source: { upload: {} } }, status };
  const row = only(found({ dataVolume: { name: 'c' } }, { dataVolumes: new Map([['c', of as never]]) }));
  expect(row.progress).toBe(wanted);
  expect(diskTable([row]).endsWith(`   upload${wanted ? ` (${wanted})` : ''}`)).toBe(true);
});

test.each([
  [undefined, '-'],
  [0, '0B'],
  [1023, '1023B'],
  [1024, '1Ki'],
  [1.5 * 2 ** 30, '1.5Gi'],
  [200 * 2 ** 30, '200Gi'],
  [2 ** 63, '8192Pi'],
])('%s bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));
