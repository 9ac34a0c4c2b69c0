import type { Loose } from '../../fixtures';
import type { Row } from './changes';

const guest = (change: Loose) => (s: Loose) => Object.assign(s.template.spec, change);
const domain = (change: Loose) => (s: Loose) => Object.assign(s.template.spec.domain, change);
const made =
  (spec: Loose, name = 'dv') =>
  (s: Loose) => {
    s.dataVolumeTemplates = [{ metadata: { name }, spec }];
    s.template.spec.volumes.push({ name: 'dv', dataVolume: { name: 'dv' } });
  };
const blank = { storage: {}, source: { blank: {} } };

export const machines: readonly Row[] = [
  ['the valid VM', () => undefined],
  ['running and a strategy', (s) => (s.running = false)],
  ['running alone', (s) => Object.assign(s, { running: true, runStrategy: undefined })],
  ['no strategy', (s) => delete s.runStrategy],
  ...['Halted', 'Manual', 'Always', 'RerunOnFailure', 'Once', 'WaitAsReceiver', 'Allways'].flatMap(
    (runStrategy): Row[] => [
      [`the strategy ${runStrategy}`, (s) => (s.runStrategy = runStrategy)],
      [`the strategy ${runStrategy} without gates`, (s) => (s.runStrategy = runStrategy), 'noGates'],
    ],
  ),
  ['sockets above the maximum', domain({ cpu: { sockets: 3, maxSockets: 2 } })],
  ['memory that cannot grow', domain({ memory: { guest: '512Mi', maxGuest: '1Gi' } })],
  [
    'memory that cannot grow where guests stay as they are',
    domain({ memory: { guest: '512Mi', maxGuest: '1Gi' } }),
    'staged',
  ],
  ['a blank disk', made(blank)],
  ['a disk of a claim', made({ pvc: {}, source: { blank: {} } })],
  ['a disk from a DataSource', made({ storage: {}, sourceRef: { kind: 'DataSource', name: 'x' } })],
  ['a disk of a populator', made({ pvc: { dataSource: { kind: 'X', name: 'x' } } })],
  ['a disk of no name', made(blank, '')],
  ['a disk of no storage', made({ source: { blank: {} } })],
  ['a disk of both storages', made({ ...blank, pvc: {} })],
  ['a disk of no source', made({ storage: {} })],
  ['a disk of an empty source', made({ storage: {}, source: {} })],
  ['a disk of two sources', made({ storage: {}, source: { blank: {}, upload: {} } })],
  [
    'a disk of a populator and a source',
    made({ storage: { dataSourceRef: { kind: 'X', name: 'x' } }, source: { blank: {} } }),
  ],
  [
    'a disk of a populator and a DataSource',
    made({ storage: { dataSource: { kind: 'X', name: 'x' } }, sourceRef: { kind: 'DataSource', name: 'x' } }),
  ],
  ['a disk that nothing uses', made(blank, 'other')],
  [
    'a disk that a claim uses',
    (s) => {
      made(blank, 'pvc')(s);
      s.template.spec.volumes.at(-1).dataVolume = undefined;
      s.template.spec.volumes.at(-1).persistentVolumeClaim = { claimName: 'pvc' };
    },
  ],
  [
    'a disk elsewhere',
    (s) => {
      made(blank)(s);
      s.dataVolumeTemplates[0].metadata.namespace = 'other';
    },
  ],
  [
    'a disk here',
    (s) => {
      made(blank)(s);
      s.dataVolumeTemplates[0].metadata.namespace = 'default';
    },
  ],
  [
    'modes of disks',
    made({
      pvc: {
        accessModes: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod', 'Read'],
        volumeMode: 'Some',
      },
      storage: { accessModes: ['Write'] },
    }),
  ],
  ...['Block', 'Filesystem', 'FromStorageProfile'].map((volumeMode): Row => [
    `the mode ${volumeMode}`,
    made({ storage: { volumeMode, accessModes: ['ReadWriteOnce'] }, source: { blank: {} } }),
  ]),
  ['volumes that are updated in no way', (s) => (s.updateVolumesStrategy = 'Some')],
  ['volumes that are replaced', (s) => (s.updateVolumesStrategy = 'Replacement')],
  ['volumes that are migrated', (s) => (s.updateVolumesStrategy = 'Migration')],
  ['no memory', domain({ memory: undefined })],
  ['memory as a limit', domain({ memory: undefined, resources: { limits: { memory: '1Gi' } } })],
  ['memory of zero as a limit', domain({ memory: undefined, resources: { limits: { memory: '0' } } })],
  ['labels that are not valid', (s) => (s.template.metadata.labels = { 'a b': 'c', d: 'e f' })],
  ['a name of 64', (_, vm) => (vm.metadata.name = 'x'.repeat(64))],
  ['no metadata of the template', (s) => delete s.template.metadata],
  [
    'slirp',
    guest({
      networks: [
        { name: 'default', pod: {} },
        { name: 'g', genie: {} },
      ],
      domain: {
        memory: { guest: '1Gi' },
        devices: {
          interfaces: [
            { name: 'default', slirp: {} },
            { name: 'g', bridge: {} },
          ],
        },
      },
      volumes: [],
    }),
    'slirp',
  ],
  ['no template', (s) => delete s.template],
  ['a word that is not valid', guest({ dnsPolicy: 'Some' })],
  ['a disk without a spec', (s) => (s.dataVolumeTemplates = [{ metadata: { name: 'a' } }])],
  ['a disk of null', (s) => (s.dataVolumeTemplates = [null])],
  ['a disk without metadata', (s) => (s.dataVolumeTemplates = [{ spec: blank }])],
  [
    'a disk of times and a status of null',
    (s) => {
      made(blank)(s);
      s.template.metadata.creationTimestamp = null;
      Object.assign(s.dataVolumeTemplates[0], { status: null });
      s.dataVolumeTemplates[0].metadata.creationTimestamp = null;
    },
  ],
  ['memory that may grow', domain({ memory: { guest: '1Gi', maxGuest: '4Gi' } })],
  [
    'a negative limit where no guest is named',
    domain({ memory: undefined, resources: { limits: { memory: '-1' } } }),
    'staged',
  ],
  [
    'pages of which the limit has one and a half',
    domain({ memory: { hugepages: { pageSize: '2Mi' } }, resources: { limits: { memory: '3Mi' } } }),
  ],
  ['no guest', (s) => (s.template = {})],
  ['a guest without devices', domain({ devices: undefined })],
];
