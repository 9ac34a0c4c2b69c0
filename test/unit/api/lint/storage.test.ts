import { clusterConfig } from '../../../../src/api';
import { lintObject, lintTogether, worldOf } from '../../../../src/api/lint';
import { type Loose, validVm } from '../fixtures';

const config = clusterConfig();

const worldWith = (objects: readonly Loose[]) =>
  worldOf(
    objects.map((object) => ({
      apiVersion: object.apiVersion,
      kind: object.kind,
      name: object.metadata.name,
      namespace: object.metadata.namespace,
      where: `app/${object.metadata.name}`,
      object: () => object,
    })),
  );

const reported = (errors: { rule: string; path: unknown }[]): string[] =>
  errors.map(({ rule, path }) => `${rule} ${path}`);

/** Findings about the last of these objects in the world of all of them. */
const together = (...objects: Loose[]): string[] => reported(lintTogether(objects.at(-1), config, worldWith(objects)));
/** Findings about an object alone. */
const alone = (object: Loose): string[] => reported(lintObject(object, config));

const CDI = 'cdi.kubevirt.io/v1beta1';
const object = (apiVersion: string, kind: string, name: string, more: Loose): Loose => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'default' },
  ...more,
});
const requests = (storage: string) => ({ resources: { requests: { storage } } });
const dataVolume = (name: string, spec: Loose): Loose => object(CDI, 'DataVolume', name, { spec });
const blank = (name: string, size = '10Gi', more: Loose = {}): Loose =>
  dataVolume(name, { source: { blank: {} }, storage: { ...requests(size), ...more } });
const claim = (name: string, accessModes: string[], size = '10Gi'): Loose =>
  object('v1', 'PersistentVolumeClaim', name, { spec: { accessModes, ...requests(size) } });
const dataSource = (name: string, source: Loose): Loose => object(CDI, 'DataSource', name, { spec: { source } });
const cron = (name: string, managedDataSource: string, size = '10Gi'): Loose =>
  object(CDI, 'DataImportCron', name, {
    spec: {
      schedule: '@daily',
      managedDataSource,
      template: { spec: { source: { registry: { url: 'docker://a' } }, storage: requests(size) } },
    },
  });

/** A VM with these disks, each on a claim of its name. */
function vm(
  name: string,
  disks: Record<string, Loose> = {},
  change: (spec: Loose, vm: Loose) => void = () => {},
): Loose {
  const made: Loose = validVm();
  made.metadata.name = name;
  const { spec } = made.spec.template;
  for (const [disk, more] of Object.entries(disks)) {
    spec.domain.devices.disks.push({ name: disk, disk: { bus: 'virtio' }, ...more });
    spec.volumes.push({ name: disk, persistentVolumeClaim: { claimName: disk } });
  }
  change(made.spec, made);
  return made;
}

/** With a DataVolume of its own. */
const withOwn = (name: string, spec: Loose) => (vmSpec: Loose) => {
  vmSpec.dataVolumeTemplates = [{ metadata: { name }, spec }];
  vmSpec.template.spec.domain.devices.disks.push({ name: 'own', disk: { bus: 'virtio' } });
  vmSpec.template.spec.volumes.push({ name: 'own', dataVolume: { name } });
};

const migrates = (spec: Loose): void => {
  spec.template.spec.evictionStrategy = 'LiveMigrate';
};
const volume3 = 'spec.template.spec.volumes[3]';

describe('a guest that shall move', () => {
  const once = { accessModes: ['ReadWriteOnce'] };
  test.each<[string, Loose[], string[]]>([
    [
      'leaves no claim behind',
      [claim('a', ['ReadWriteOnce']), vm('x', { a: {} }, migrates)],
      [`migration-claim ${volume3}`],
    ],
    ['nor a DataVolume', [blank('a', '1Gi', once), vm('x', { a: {} }, migrates)], [`migration-claim ${volume3}`]],
    [
      'nor one of its own',
      [
        vm('x', {}, (spec) => {
          withOwn('x-own', { source: { blank: {} }, storage: { ...requests('1Gi'), ...once } })(spec);
          migrates(spec);
        }),
      ],
      [`migration-claim ${volume3}`],
    ],
    [
      'nor a file of the node',
      [
        vm('x', {}, (spec) => {
          spec.template.spec.volumes.push({ name: 'f', hostDisk: { path: '/f', type: 'Disk' } });
          migrates(spec);
        }),
      ],
      [`migration-host-disk ${volume3}.hostDisk`],
    ],
    [
      'nor one whose profile gives it to one node',
      [
        object(CDI, 'StorageProfile', 'local', {
          metadata: { name: 'local' },
          spec: { claimPropertySets: [{ accessModes: ['ReadWriteOnce'], volumeMode: 'Block' }] },
        }),
        blank('a', '1Gi', { storageClassName: 'local' }),
        vm('x', { a: {} }, migrates),
      ],
      [`migration-claim ${volume3}`],
    ],
    ['takes a claim that many nodes mount', [claim('a', ['ReadWriteMany']), vm('x', { a: {} }, migrates)], []],
    ['takes a claim that nobody here declares', [vm('x', { a: {} }, migrates)], []],
    ['takes a claim that its profile decides about', [blank('a'), vm('x', { a: {} }, migrates)], []],
    ['takes a CD along', [claim('a', ['ReadWriteOnce']), vm('x', { a: { disk: undefined, cdrom: {} } }, migrates)], []],
    ['may stay if it is not said that it moves', [claim('a', ['ReadWriteOnce']), vm('x', { a: {} })], []],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
});

describe('a claim has one writer', () => {
  const set = (replicas: number): Loose => {
    const { template } = vm('x', { a: {} }).spec;
    return object('kubevirt.io/v1', 'VirtualMachineInstanceReplicaSet', 'set', { spec: { replicas, template } });
  };
  const pool = (replicas: number, change?: (spec: Loose) => void): Loose => {
    const spec = vm('x', change ? {} : { a: {} }, change).spec;
    return object('pool.kubevirt.io/v1beta1', 'VirtualMachinePool', 'pool', {
      spec: { replicas, virtualMachineTemplate: { spec } },
    });
  };
  const halted = (spec: Loose): void => {
    spec.runStrategy = 'Halted';
  };
  test.each<[string, Loose[], string[]]>([
    ['not two', [vm('x', { a: {} }), vm('y', { a: {} })], [`claim-one-writer ${volume3}`]],
    ['not all of a set', [set(2)], [`claim-one-writer ${volume3}`]],
    ['not all of a pool', [pool(2)], ['claim-one-writer spec.virtualMachineTemplate.spec.template.spec.volumes[3]']],
    ['but the one of a set of one', [set(1)], []],
    ['a pool makes one for each', [pool(2, withOwn('own', { source: { blank: {} }, storage: requests('1Gi') }))], []],
    ['one that is off waits', [vm('x', { a: {} }), vm('y', { a: {} }, halted)], []],
    ['one may take it over from one that is off', [vm('x', { a: {} }, halted), vm('y', { a: {} })], []],
    [
      'guests that know of each other share it',
      [vm('x', { a: { shareable: true } }), vm('y', { a: { shareable: true } })],
      [],
    ],
    [
      'readers share it',
      [vm('x', { a: { disk: { readonly: true } } }), vm('y', { a: { disk: { readonly: true } } })],
      [],
    ],
    [
      'a LUN arbitrates access on its own',
      [vm('x', { a: { disk: undefined, lun: {} } }), vm('y', { a: { disk: undefined, lun: {} } })],
      [],
    ],
    [
      'claims of two namespaces are two',
      [vm('x', { a: {} }, (_, made) => (made.metadata.namespace = 'other')), vm('y', { a: {} })],
      [],
    ],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

  test('the finding names the other guest, and is reported once', () => {
    const objects = [vm('x', { a: {} }), vm('y', { a: {} })];
    expect(lintTogether(objects[0], config, worldWith(objects))).toEqual([]);
    expect(lintTogether(objects[1], config, worldWith(objects))[0]).toMatchObject({
      cause: 'disk "a": VirtualMachine "x" (app/x) also writes to claim "a", and only one can',
      value: 'a',
    });
  });
});

describe('a copy is as large as what is copied', () => {
  const pvc = { source: { pvc: { name: 'golden', namespace: 'default' } } };
  const copy = (size: string, more: Loose = {}): Loose =>
    dataVolume('copy', { ...pvc, storage: requests(size), ...more });
  const small = 'clone-size spec.storage.resources.requests.storage';
  const bySource = (name: string, size: string): Loose =>
    dataVolume('copy', { sourceRef: { kind: 'DataSource', name }, storage: requests(size) });
  test.each<[string, Loose[], string[]]>([
    ['of a DataVolume', [blank('golden'), copy('5Gi')], [small]],
    [
      'in a VM',
      [blank('golden'), vm('x', {}, withOwn('x-own', { ...pvc, storage: requests('5Gi') }))],
      ['clone-size spec.dataVolumeTemplates[0].spec.storage.resources.requests.storage'],
    ],
    [
      'with the exact path',
      [
        claim('golden', ['ReadWriteOnce']),
        dataVolume('copy', { ...pvc, pvc: { accessModes: ['ReadWriteOnce'], ...requests('5Gi') } }),
      ],
      ['clone-size spec.pvc.resources.requests.storage'],
    ],
    ['through a DataSource', [blank('golden'), dataSource('s', pvc.source), bySource('s', '5Gi')], [small]],
    [
      'through two',
      [
        blank('golden'),
        dataSource('s', pvc.source),
        dataSource('t', { dataSource: { name: 's', namespace: 'default' } }),
        bySource('t', '5Gi'),
      ],
      [small],
    ],
    ['of what a cron imports', [cron('c', 's'), bySource('s', '5Gi')], [small]],
    ['and may be larger', [blank('golden'), copy('20Gi')], []],
    ['as large in other words', [blank('golden'), copy('10240Mi')], []],
    ['of something that is not declared', [copy('5Gi')], []],
    ['of its own size', [blank('golden'), dataVolume('copy', { ...pvc, storage: {} })], []],
    ['in another form, which has another size', [claim('golden', ['ReadWriteOnce']), copy('9.9Gi')], []],
    ['of no quantity', [blank('golden', 'much'), copy('5Gi')], []],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
});

describe('a DataVolume belongs to one VM', () => {
  const spec = { source: { blank: {} }, storage: requests('1Gi') };
  const path = 'data-volume-owner spec.dataVolumeTemplates[0].metadata.name';
  test.each<[string, Loose[], string[]]>([
    [
      'not to two',
      [vm('a', {}, withOwn('a-b-c', spec)), vm('a-b', {}, withOwn('a-b-c', spec))],
      [path, `claim-one-writer ${volume3}`],
    ],
    ['nor to the app as well', [blank('x-own'), vm('x', {}, withOwn('x-own', spec))], [path]],
    ['nor to a claim', [claim('x-own', ['ReadWriteOnce']), vm('x', {}, withOwn('x-own', spec))], [path]],
    [
      'unless it takes that over',
      [
        claim('x-own', ['ReadWriteOnce']),
        vm('x', {}, (made) => {
          withOwn('x-own', spec)(made);
          made.dataVolumeTemplates[0].metadata.annotations = { 'cdi.kubevirt.io/allowClaimAdoption': 'true' };
        }),
      ],
      [],
    ],
    ['each has its own', [vm('a', {}, withOwn('a-own', spec)), vm('b', {}, withOwn('b-own', spec))], []],
  ])('%s', (_, objects, want) => expect(together(...objects).sort()).toEqual(want.sort()));
});

describe('a disk of a DataVolume', () => {
  const uses = vm('x', {}, (spec) => spec.template.spec.volumes.push({ name: 'd', dataVolume: { name: 'a' } }));
  test.each<[string, Loose[], string[]]>([
    ['has one', [blank('a'), uses], []],
    ['may have one that is there', [uses], []],
    ['is not that of a claim', [claim('a', []), uses], [`data-volume-kind ${volume3}.dataVolume.name`]],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
});

describe('a Secret has the keys that are read', () => {
  const secret = (more: Loose): Loose => object('v1', 'Secret', 'login', more);
  const http = (name = 'login'): Loose =>
    dataVolume('d', { source: { http: { url: 'http://a', secretRef: name } }, storage: requests('1Gi') });
  const path = 'credentials-keys spec.source.http.secretRef';
  test.each<[string, Loose[], string[]]>([
    ['both', [secret({ stringData: { accessKeyId: 'a', secretKey: 'b' } }), http()], []],
    ['in either form', [secret({ data: { accessKeyId: 'YQ==' }, stringData: { secretKey: 'b' } }), http()], []],
    ['not others', [secret({ stringData: { username: 'a', password: 'b' } }), http()], [path]],
    ['not one', [secret({ data: { secretKey: 'b' } }), http()], [path]],
    [
      'not those by which a node pulls',
      [
        secret({ stringData: { '.dockerconfigjson': '{}' } }),
        dataVolume('d', {
          source: { registry: { url: 'docker://a', pullMethod: 'node', secretRef: 'login' } },
          storage: requests('1Gi'),
        }),
      ],
      [],
    ],
    ['one without keys is filled by somebody else', [secret({}), http()], []],
    ['one that is not declared is there', [http('other')], []],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

  test('values are never reported', () => {
    const objects = [secret({ stringData: { password: 'hunter2' } }), http()];
    expect(JSON.stringify(lintTogether(objects[1], config, worldWith(objects)))).not.toContain('hunter2');
  });
});

describe('answers for the setup of Windows', () => {
  const windows = (field: string): Loose =>
    vm('x', {}, (spec) => spec.template.spec.volumes.push({ name: 's', sysprep: { [field]: { name: 'answers' } } }));
  const config = (data: Loose): Loose => object('v1', 'ConfigMap', 'answers', { data });
  test.each<[string, Loose[], string[]]>([
    ['are in a file that it reads', [config({ 'Autounattend.xml': '' }), windows('configMap')], []],
    [
      'or in the other',
      [object('v1', 'Secret', 'answers', { stringData: { 'unattend.xml': '' } }), windows('secret')],
      [],
    ],
    [
      'not in another',
      [config({ 'answers.xml': '' }), windows('configMap')],
      [`sysprep-answers ${volume3}.sysprep.configMap.name`],
    ],
    ['may be added by somebody else', [config({}), windows('configMap')], []],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
});

describe('a DataSource', () => {
  const pvc = { pvc: { name: 'a', namespace: 'default' } };
  const other = (name: string): Loose => ({ dataSource: { name, namespace: 'default' } });
  const chain = 'data-source-chain spec.source.dataSource.name';
  test.each<[string, Loose[], string[]]>([
    ['that says nothing is kept by a cron', [cron('c', 's'), dataSource('s', {})], []],
    ['that nobody keeps says nothing in vain', [dataSource('s', {})], ['data-source-empty spec.source']],
    ['that a cron keeps says nothing itself', [cron('c', 's'), dataSource('s', pvc)], ['data-source-kept spec.source']],
    ['has one keeper', [cron('c', 's'), cron('d', 's')], ['data-source-keeper spec.managedDataSource']],
    ['or each its own', [cron('c', 's'), cron('d', 't')], []],
    ['names another one', [dataSource('s', pvc), dataSource('t', other('s'))], []],
    ['not itself', [dataSource('s', other('s'))], [chain]],
    [
      'and is not followed further',
      [dataSource('s', pvc), dataSource('t', other('s')), dataSource('u', other('t'))],
      [chain],
    ],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
});

describe('the DataVolume of a VM is validated as by CDI', () => {
  const made = (spec: Loose): Loose => vm('x', {}, withOwn('x-own', spec));
  const pooled = (spec: Loose): Loose => {
    const labels = { a: 'b' };
    const virtualMachineTemplate = { metadata: { labels }, spec: made(spec).spec };
    return object('pool.kubevirt.io/v1beta1', 'VirtualMachinePool', 'p', {
      spec: { replicas: 1, selector: { matchLabels: labels }, virtualMachineTemplate },
    });
  };
  const limited = (storage: string, limit: string): Loose => ({
    resources: { requests: { storage }, limits: { storage: limit } },
  });
  const at = 'spec.dataVolumeTemplates[0].spec';
  test.each<[string, Loose, string[]]>([
    ['a sound one', { source: { blank: {} }, storage: requests('1Gi') }, []],
    ['no size', { source: { blank: {} }, storage: {} }, [`data-volume-size ${at}.storage.resources.requests.storage`]],
    ['no URL', { source: { http: { url: 'a' } }, storage: requests('1Gi') }, [`source-url ${at}.source.http.url`]],
    [
      'files in a block device',
      {
        source: { http: { url: 'http://a' } },
        contentType: 'archive',
        storage: { ...requests('1Gi'), volumeMode: 'Block' },
      },
      [`archive-block ${at}.storage.volumeMode`],
    ],
    ['a limit of the size itself', { source: { blank: {} }, storage: limited('1Gi', '1Gi') }, []],
    [
      'a limit below the size',
      { source: { blank: {} }, storage: limited('2Gi', '1Gi') },
      [`claim-size-limit ${at}.storage.resources.limits.storage`],
    ],
    [
      'a class that none can have',
      { source: { blank: {} }, pvc: { accessModes: ['ReadWriteOnce'], ...requests('1Gi'), storageClassName: 'Fast' } },
      [`storage-class-name ${at}.pvc.storageClassName`],
    ],
    ['what KubeVirt says is not said twice', { source: { blank: {} } }, [`data-volume-storage ${at}`]],
  ])('%s', (_, spec, want) => expect(alone(made(spec))).toEqual(want));

  const inPool = 'spec.virtualMachineTemplate.spec.dataVolumeTemplates[0].spec';
  const sized = (storage: unknown): Loose => ({ source: { blank: {} }, storage: requests(storage as string) });
  const size = `data-volume-size ${inPool}.storage.resources.requests.storage`;
  test.each<[string, Loose, string[]]>([
    ['no size', { source: { blank: {} }, storage: {} }, [size]],
    ['a size of null', sized(null), [size]],
    ['the largest number that is a quantity', sized(1e100), []],
    ['a number that is too large for a quantity', sized(1e101), [size]],
    [
      'one source beside null',
      { source: { http: null, blank: {} }, storage: requests('1Gi') },
      [`schema-null ${inPool}.source.http`],
    ],
    [
      'two sources',
      { source: { upload: {}, blank: {} }, storage: requests('1Gi') },
      [`data-volume-one-source ${inPool}.source`],
    ],
  ])('in a pool: %s', (_, spec, want) => expect(alone(pooled(spec))).toEqual(want));
});

describe('kinds without rules of their own have their schema', () => {
  test.each<[string, Loose, string[]]>([
    ['a DataSource', dataSource('s', { pvc: { name: 'a', namespace: 'b' } }), []],
    [
      'a DataSource without a namespace',
      dataSource('s', { pvc: { name: 'a' } }),
      ['schema-required spec.source.pvc.namespace'],
    ],
    [
      'a StorageProfile',
      object(CDI, 'StorageProfile', 's', { spec: { cloneStrategy: 5 } }),
      ['schema-type spec.cloneStrategy'],
    ],
    [
      'words that nobody knows',
      object(CDI, 'StorageProfile', 's', {
        spec: {
          cloneStrategy: 'quick',
          dataImportCronSourceFormat: 'file',
          claimPropertySets: [{ accessModes: ['ReadWriteMany', 'RWX'], volumeMode: 'Block' }],
        },
      }),
      [
        'clone-strategy spec.cloneStrategy',
        'import-format spec.dataImportCronSourceFormat',
        'access-mode spec.claimPropertySets[0].accessModes[1]',
      ],
    ],
  ])('%s', (_, made, want) => expect(alone(made)).toEqual(want));
});

describe('words that CDI takes, and nobody knows', () => {
  const daily = cron('c', 's');
  test.each<[string, Loose, string[]]>([
    ['a volume mode', blank('a', '1Gi', { volumeMode: 'Blok' }), ['volume-mode spec.storage.volumeMode']],
    [
      'a retention policy',
      { ...daily, spec: { ...daily.spec, retentionPolicy: 'Some' } },
      ['retention-policy spec.retentionPolicy'],
    ],
  ])('%s', (_, made, want) => expect(alone(made)).toEqual(want));

  test('are reported with the nearest known value', () => {
    expect(lintObject(blank('a', '1Gi', { volumeMode: 'Blok' }), config)[0]).toMatchObject({
      allowed: ['Block', 'Filesystem'],
      remedy: 'did you mean "Block"?',
    });
  });
});

test('objects of any shape are borne', () => {
  const shapes: Loose[] = [null, 0, 'text', [], [null, 1, {}], {}, { name: 5 }];
  const kinds = [
    ['kubevirt.io/v1', 'VirtualMachine'],
    ['kubevirt.io/v1', 'VirtualMachineInstance'],
    ['pool.kubevirt.io/v1beta1', 'VirtualMachinePool'],
    [CDI, 'DataVolume'],
    [CDI, 'DataSource'],
    [CDI, 'DataImportCron'],
  ];
  for (const [apiVersion, kind] of kinds) {
    for (const shape of shapes) {
      for (const spec of [
        shape,
        { template: shape, dataVolumeTemplates: shape, source: shape, storage: shape },
        {
          template: {
            spec: { volumes: shape, domain: { devices: { disks: shape } }, evictionStrategy: 'LiveMigrate' },
          },
        },
        { dataVolumeTemplates: [{ metadata: shape, spec: shape }], template: { spec: {} }, runStrategy: shape },
        { source: { dataSource: shape, pvc: shape, http: shape } },
      ]) {
        const made = object(apiVersion, kind, 'x', { spec });
        expect(() => lintTogether(made, config, worldWith([made]))).not.toThrow();
      }
    }
  }
});
