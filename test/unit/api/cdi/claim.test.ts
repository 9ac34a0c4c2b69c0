import { claimSpecOf } from '../../../../src/api/cdi/claim';
import { cluster, type Loose } from '../kinds/fixtures';

const storageClass = (name: string, annotations: object = {}, metadata: object = {}): Loose => ({
  kind: 'StorageClass',
  metadata: { name, annotations, ...metadata },
});
const DEFAULT = { 'storageclass.kubernetes.io/is-default-class': 'true' };
const FOR_VMS = { 'storageclass.kubevirt.io/is-default-virt-class': 'true' };
const profile = (name: string, sets: [string, string[]][], annotations: object = {}): Loose => ({
  kind: 'StorageProfile',
  metadata: { name, annotations },
  status: { claimPropertySets: sets.map(([volumeMode, accessModes]) => ({ volumeMode, accessModes })) },
});
const REMEDY = 'set accessModes and volumeMode in spec.storage, or in the StorageProfile for all claims of the class';
const config = (filesystemOverhead: object): Loose => ({
  kind: 'CDIConfig',
  metadata: { name: 'config' },
  status: { filesystemOverhead },
});
const ceph = [
  storageClass('ceph', DEFAULT),
  profile('ceph', [
    ['Block', ['ReadWriteMany']],
    ['Filesystem', ['ReadWriteOnce', 'ReadOnlyMany']],
  ]),
];
const asked = (storage: object, more: object = {}): Loose => ({
  spec: { storage: { resources: { requests: { storage: '1Gi' } }, ...storage }, source: { blank: {} }, ...more },
});
const made = (given: Loose, ...objects: Loose[]) => {
  const { spec, problem } = claimSpecOf(given, cluster(...objects));
  if (!spec) return problem;
  return [spec.storageClassName, spec.volumeMode, spec.accessModes?.join(), spec.resources?.requests?.storage];
};

test.each<[string, Loose, Loose[], unknown]>([
  [
    'takes all from the profile of the default class',
    asked({}),
    ceph,
    ['ceph', 'Block', 'ReadWriteMany', '1073741824'],
  ],
  [
    'takes the access modes of its volume mode',
    asked({ volumeMode: 'Filesystem' }),
    ceph,
    ['ceph', 'Filesystem', 'ReadWriteOnce,ReadOnlyMany', '1138166334'],
  ],
  [
    'takes the volume mode of its access mode',
    asked({ accessModes: ['ReadOnlyMany'] }),
    ceph,
    ['ceph', 'Filesystem', 'ReadOnlyMany', '1138166334'],
  ],
  [
    'keeps what no profile has',
    asked({ accessModes: ['ReadWriteOncePod'] }),
    ceph,
    ['ceph', undefined, 'ReadWriteOncePod', '1138166334'],
  ],
  [
    'keeps what is asked',
    asked({ volumeMode: 'Block', accessModes: ['ReadWriteOnce'] }),
    ceph,
    ['ceph', 'Block', 'ReadWriteOnce', '1073741824'],
  ],
  [
    'rounds up to whole MiB',
    asked({ volumeMode: 'Filesystem', resources: { requests: { storage: 1048577 } } }),
    ceph,
    ['ceph', 'Filesystem', 'ReadWriteOnce,ReadOnlyMany', '2222982'],
  ],
  [
    'prefers the default for VMs',
    asked({}),
    [...ceph, storageClass('vms', FOR_VMS), profile('vms', [['Filesystem', ['ReadWriteMany']]])],
    ['vms', 'Filesystem', 'ReadWriteMany', '1138166334'],
  ],
  [
    'prefers the other for archives, as files',
    asked({}, { contentType: 'archive' }),
    [...ceph, storageClass('vms', FOR_VMS)],
    ['ceph', 'Filesystem', 'ReadWriteOnce,ReadOnlyMany', '1138166334'],
  ],
  [
    'takes the newest of two defaults',
    asked({ volumeMode: 'Block', accessModes: ['ReadWriteOnce'] }),
    [
      storageClass('a', DEFAULT, { creationTimestamp: '2020-01-01T00:00:00Z' }),
      storageClass('b', DEFAULT, { creationTimestamp: '2021-01-01T00:00:00Z' }),
    ],
    ['b', 'Block', 'ReadWriteOnce', '1073741824'],
  ],
  [
    'has the overhead of its class',
    asked({ volumeMode: 'Filesystem' }),
    [...ceph, config({ global: '0.1', storageClass: { ceph: '0.2' } })],
    ['ceph', 'Filesystem', 'ReadWriteOnce,ReadOnlyMany', '1288490189'],
  ],
  [
    'has the overhead of all',
    asked({ volumeMode: 'Filesystem' }),
    [...ceph, config({ global: '0' })],
    ['ceph', 'Filesystem', 'ReadWriteOnce,ReadOnlyMany', '1073741824'],
  ],
  [
    'is no smaller than its storage can make',
    asked({}),
    [
      storageClass('big', DEFAULT),
      profile('big', [['Block', ['ReadWriteOnce']]], { 'cdi.kubevirt.io/minimumSupportedPvcSize': '4Gi' }),
    ],
    ['big', 'Block', 'ReadWriteOnce', '4Gi'],
  ],
  [
    'of a copy may have no size yet',
    asked({ resources: {} }, { source: { pvc: { namespace: 'a', name: 'b' } } }),
    ceph,
    ['ceph', 'Block', 'ReadWriteMany', '0'],
  ],
  ['needs a size', asked({ resources: {} }), ceph, 'PVC Spec is not valid - missing storage size'],
  [
    'needs a class or access modes',
    asked({}),
    [],
    'PVC spec is missing accessMode and no storageClass to choose profile',
  ],
  [
    'does with access modes alone',
    asked({ accessModes: ['ReadWriteOnce'] }),
    [],
    [undefined, undefined, 'ReadWriteOnce', '1138166334'],
  ],
  [
    'takes modes from a volume of its class',
    asked({ storageClassName: 'static' }),
    [
      {
        kind: 'PersistentVolume',
        metadata: { name: 'small' },
        spec: { storageClassName: 'static', capacity: { storage: '1Mi' }, accessModes: ['ReadWriteMany'] },
      },
      {
        kind: 'PersistentVolume',
        metadata: { name: 'fits' },
        spec: { storageClassName: 'static', capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'] },
      },
    ],
    ['static', undefined, 'ReadWriteOnce', '1138166334'],
  ],
  ...(
    [
      ['of exactly its size', { capacity: { storage: '1Gi' } }, {}, true],
      ['a byte too small', { capacity: { storage: '1073741823' } }, {}, false],
      ['of another class', { storageClassName: 'other' }, {}, false],
      ['that is deleted', {}, { deletionTimestamp: 'now' }, false],
    ] as const
  ).map(([which, spec, metadata, taken]): [string, Loose, Loose[], unknown] => [
    `${taken ? 'takes' : 'does not take'} its modes from a volume ${which}`,
    asked({ storageClassName: 'static' }),
    [
      {
        kind: 'PersistentVolume',
        metadata: { name: 'v', ...metadata },
        spec: { storageClassName: 'static', capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
      },
    ],
    taken
      ? ['static', undefined, 'ReadWriteOnce', '1138166334']
      : 'PVC spec is missing accessMode and no storageClass to choose profile',
  ]),
  [
    'is of the class that it names',
    asked({ storageClassName: 'nfs' }),
    [...ceph, storageClass('nfs'), profile('nfs', [['Filesystem', ['ReadWriteMany']]])],
    ['nfs', 'Filesystem', 'ReadWriteMany', '1138166334'],
  ],
  ...(['a', 'b'] as const).map((first): [string, Loose, Loose[], unknown] => [
    `takes the first by name of defaults of one age, when ${first} is listed first`,
    asked({ volumeMode: 'Block', accessModes: ['ReadWriteOnce'] }),
    [first, first === 'a' ? 'b' : 'a'].map((name) => storageClass(name, DEFAULT, { creationTimestamp: 'now' })),
    ['a', 'Block', 'ReadWriteOnce', '1073741824'],
  ]),
  [
    'takes the newest of three defaults',
    asked({ volumeMode: 'Block', accessModes: ['ReadWriteOnce'] }),
    [
      storageClass('b', DEFAULT, { creationTimestamp: '2021-01-01T00:00:00Z' }),
      storageClass('c', DEFAULT, { creationTimestamp: '2022-01-01T00:00:00Z' }),
      storageClass('a', DEFAULT),
    ],
    ['c', 'Block', 'ReadWriteOnce', '1073741824'],
  ],
  [
    'passes by a set of its volume mode that names no access mode',
    asked({ volumeMode: 'Block' }),
    [
      storageClass('a', DEFAULT),
      profile('a', [
        ['Block', []],
        ['Block', ['ReadWriteOnce']],
      ]),
    ],
    ['a', 'Block', 'ReadWriteOnce', '1073741824'],
  ],
  [
    'without any mode takes the first set, and no other',
    asked({}),
    [
      storageClass('a', DEFAULT),
      profile('a', [
        ['Block', []],
        ['Filesystem', ['ReadWriteOnce']],
      ]),
    ],
    `no accessMode specified in StorageProfile a; ${REMEDY}`,
  ],
  [
    'needs a profile that CDI has filled',
    asked({}),
    [storageClass('a', DEFAULT), { kind: 'StorageProfile', metadata: { name: 'a' } }],
    `no accessMode specified in StorageProfile a; ${REMEDY}`,
  ],
  [
    'of no class has no overhead',
    asked({ storageClassName: '', accessModes: ['ReadWriteOnce'] }),
    ceph,
    ['', undefined, 'ReadWriteOnce', '1073741824'],
  ],
  [
    'has the overhead that is asked of CDI until CDI reports it',
    asked({ volumeMode: 'Filesystem' }),
    [...ceph, { kind: 'CDIConfig', metadata: { name: 'config' }, spec: { filesystemOverhead: { global: '0' } } }],
    ['ceph', 'Filesystem', 'ReadWriteOnce,ReadOnlyMany', '1073741824'],
  ],
  [
    'of a class that is lost has the overhead of the default one, not of that for VMs',
    asked({ storageClassName: 'lost', accessModes: ['ReadWriteOnce'] }),
    [...ceph, storageClass('vms', FOR_VMS), config({ global: '0', storageClass: { ceph: '0.5', vms: '1' } })],
    ['lost', undefined, 'ReadWriteOnce', '1610612736'],
  ],
  [
    'of an archive has nothing of the default for VMs',
    asked({ accessModes: ['ReadWriteOnce'] }, { contentType: 'archive' }),
    [storageClass('vms', FOR_VMS), config({ global: '0', storageClass: { vms: '1' } })],
    [undefined, 'Filesystem', 'ReadWriteOnce', '1073741824'],
  ],
  ...(
    [
      ['1Gi', '1073741824'],
      ['1025Mi', '1025Mi'],
      ['lots', '1073741824'],
    ] as const
  ).map(([least, want]): [string, Loose, Loose[], unknown] => [
    `of storage that makes no less than ${least}`,
    asked({ volumeMode: 'Block' }),
    [
      storageClass('a', DEFAULT),
      profile('a', [['Block', ['ReadWriteOnce']]], { 'cdi.kubevirt.io/minimumSupportedPvcSize': least }),
    ],
    ['a', 'Block', 'ReadWriteOnce', want],
  ]),
  ...(['1048575', 'lots'] as const).map((size): [string, Loose, Loose[], unknown] => [
    `of ${size} is too small`,
    asked({ resources: { requests: { storage: size } } }),
    ceph,
    'PVC Spec is not valid - storage size should be at least 1MiB',
  ]),
  [
    'of a mebibyte is large enough',
    asked({ resources: { requests: { storage: '1Mi' } } }),
    ceph,
    ['ceph', 'Block', 'ReadWriteMany', '1048576'],
  ],
  ...(
    [
      { source: { snapshot: { namespace: 'a', name: 'b' } } },
      { source: undefined, sourceRef: { kind: 'DataSource', name: 'b' } },
    ] as const
  ).map((source): [string, Loose, Loose[], unknown] => [
    `of a copy by ${Object.keys(source.source ?? source).at(-1)} may have no size yet`,
    asked({ resources: {} }, source),
    ceph,
    ['ceph', 'Block', 'ReadWriteMany', '0'],
  ]),
  ...(
    [
      [
        'that an older annotation gives its class',
        {
          metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'static' } },
          spec: { storageClassName: 'other' },
        },
        {},
        true,
      ],
      [
        'that an older annotation gives another class',
        { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'other' } } },
        {},
        false,
      ],
      ['without a size', { spec: { capacity: undefined } }, {}, false],
      ['without a size, when it has none itself', { spec: { capacity: undefined } }, { resources: {} }, true],
      ['when it names no class', {}, { storageClassName: undefined }, false],
    ] as const
  ).map(([which, volume, claim, taken]): [string, Loose, Loose[], unknown] => [
    `${taken ? 'takes' : 'does not take'} its modes from a volume ${which}`,
    asked({ storageClassName: 'static', ...claim }, { source: { pvc: { namespace: 'a', name: 'b' } } }),
    [
      {
        kind: 'PersistentVolume',
        metadata: { name: 'v', ...(volume as Loose).metadata },
        spec: {
          storageClassName: 'static',
          capacity: { storage: '2Gi' },
          accessModes: ['ReadWriteOnce'],
          ...(volume as Loose).spec,
        },
      },
    ],
    taken
      ? ['static', undefined, 'ReadWriteOnce', 'resources' in claim ? '0' : '1138166334']
      : 'PVC spec is missing accessMode and no storageClass to choose profile',
  ]),
  [
    'keeps its own modes beside those of a volume',
    asked({ storageClassName: 'static', volumeMode: 'Filesystem', accessModes: ['ReadWriteOnce'] }),
    [
      {
        kind: 'PersistentVolume',
        metadata: { name: 'v' },
        spec: {
          storageClassName: 'static',
          capacity: { storage: '2Gi' },
          accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
        },
      },
    ],
    ['static', 'Filesystem', 'ReadWriteOnce', '1138166334'],
  ],
  [
    'needs a profile',
    asked({}),
    [storageClass('a', DEFAULT)],
    'cannot get StorageProfile: storageprofiles.cdi.kubevirt.io "a" not found',
  ],
  [
    'needs an access mode in the profile',
    asked({}),
    [storageClass('a', DEFAULT), profile('a', [])],
    `no accessMode specified in StorageProfile a; ${REMEDY}`,
  ],
  [
    'needs an access mode for its volume mode',
    asked({ volumeMode: 'Block' }),
    [storageClass('a', DEFAULT), profile('a', [['Filesystem', ['ReadWriteOnce']]])],
    `no matching accessMode specified in StorageProfile a; ${REMEDY}`,
  ],
  [
    'of an archive is not a block device',
    asked({ volumeMode: 'Block' }, { contentType: 'archive' }),
    ceph,
    'ContentType Archive cannot have block volumeMode',
  ],
])('a claim %s', (_, given, objects, want) => expect(made(given, ...objects)).toEqual(want));

test('a claim that is written out stays as it is', () => {
  const pvc = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  expect(claimSpecOf({ spec: { pvc } } as Loose, cluster(...ceph)).spec).toEqual(pvc);
  expect(made({ spec: {} })).toBe('datavolume one of {pvc, storage} field is required');
});
