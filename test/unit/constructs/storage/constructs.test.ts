import { ApiObject, Chart, JsonPatch, Size, Testing } from 'cdk8s';
import { admit, clusterConfig, type KubeObject } from '../../../../src/api';
import {
  AccessMode,
  DataImportCron,
  DataSource,
  DataVolume,
  DataVolumeSource,
  Disk,
  GarbageCollection,
  ImageLocation,
  VirtualMachine,
  VolumeImportSource,
} from '../../../../src';
import { mistakeOf, synthMistake } from '../fixtures';
import {
  cloneSources,
  crons,
  dataSources,
  dataVolumes,
  here,
  importSources,
  manifest,
  profiles,
  uploadSources,
} from './constructs';
import { type Loose, rendered } from './fixtures';
import { testApp } from '../../../support/app';

const size = Size.gibibytes(10);
const blank = DataVolumeSource.blank();

/** Returns the rules and paths of the webhook's findings for an object. */
const findingsOf = (object: KubeObject): string[] =>
  admit(object, {
    config: clusterConfig(),
    by: { trusted: false },
    find: () => undefined,
    list: () => [],
  }).errors.map(({ rule, path }) => `${rule} ${path}`);

describe('a DataVolume has the same spec as the template of a disk with the same source', () => {
  test.each(dataVolumes)('%s', (_, dataVolume, spec) => expect(manifest(dataVolume).spec).toEqual(spec));
});

describe('the webhook accepts', () => {
  test.each([...dataVolumes.map(([name, dataVolume]) => [name, manifest(dataVolume)] as const)])(
    'a DataVolume: %s',
    (_, object) => expect(findingsOf(object)).toEqual([]),
  );
  test.each([...crons(), ...importSources(), ...uploadSources()])('$kind $metadata.name', (object) =>
    expect(findingsOf(object)).toEqual([]),
  );
});

test('a DataImportCron imports an image and manages a DataSource', () => {
  const [least, most] = crons();
  const template = {
    spec: {
      source: { registry: { url: 'docker://registry.example/os:1' } },
      storage: { resources: { requests: { storage: '10Gi' } } },
    },
  };
  expect(least).toEqual({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataImportCron',
    metadata: { name: 'here-least', namespace: 'prod' },
    spec: { schedule: '', managedDataSource: 'here-least', template },
  });
  expect(most.spec).toEqual({
    schedule: '30 2 * * *',
    managedDataSource: 'fedora',
    importsToKeep: 2,
    garbageCollect: 'Never',
    retentionPolicy: 'None',
    serviceAccountName: 'robot',
    template: {
      metadata: { labels: { a: 'b' } },
      spec: {
        ...template.spec,
        storage: { ...template.spec.storage, storageClassName: 'fast' },
      },
    },
  });
});

test('a disk copies the managed DataSource of a DataImportCron in another namespace', () => {
  const cron = new DataImportCron(here(), 'fedora', { source: DataVolumeSource.registry('a'), size });
  expect(rendered(Disk.dataSource(cron.managedDataSource)).template.spec.sourceRef).toEqual({
    kind: 'DataSource',
    name: 'here-fedora',
    namespace: 'prod',
  });
});

test('the image of a DataSource is in the same namespace by default', () => {
  expect(dataSources().map(({ spec }) => spec.source)).toEqual([
    { pvc: { name: 'golden', namespace: 'images' } },
    { snapshot: { name: 'golden', namespace: 'prod' } },
    { dataSource: { name: 'other', namespace: 'prod' } },
  ]);
});

test('a StorageProfile has the name of its class and no namespace', () => {
  expect(profiles()[0]).toEqual({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'StorageProfile',
    metadata: { name: 'fast' },
    spec: {
      claimPropertySets: [{ accessModes: ['ReadWriteMany'], volumeMode: 'Block' }],
      cloneStrategy: 'snapshot',
      dataImportCronSourceFormat: 'snapshot',
      snapshotClass: 'snapshots',
    },
  });
});

test('constructs refer to each other by name', () => {
  const chart = here();
  const golden = new DataVolume(chart, 'golden', { source: blank, size });
  const source = new DataSource(chart, 'source', { image: ImageLocation.claim(golden) });
  const vm = new VirtualMachine(chart, 'vm', {
    memory: Size.gibibytes(1),
    disks: [Disk.dataSource(source, { name: 'root' }), Disk.cloneOf(golden), Disk.dataVolume(golden)],
  });
  const { dataVolumeTemplates, template } = ApiObject.of(vm).toJson().spec;
  expect(dataVolumeTemplates).toEqual([
    {
      metadata: { name: 'here-vm-root' },
      spec: { sourceRef: { kind: 'DataSource', name: 'here-source', namespace: 'prod' }, storage: {} },
    },
    {
      metadata: { name: 'here-vm-disk1' },
      spec: { source: { pvc: { name: 'here-golden', namespace: 'prod' } }, storage: {} },
    },
  ]);
  expect(template.spec.volumes).toEqual([
    { name: 'root', dataVolume: { name: 'here-vm-root' } },
    { name: 'disk1', dataVolume: { name: 'here-vm-disk1' } },
    { name: 'disk2', dataVolume: { name: 'here-golden' } },
  ]);
  expect(Testing.synth(chart)).toHaveLength(3);
});

test('populators fill claims by import, upload or clone', () => {
  const chart = here();
  const importSource = new VolumeImportSource(chart, 'import', { source: DataVolumeSource.http('http://a/b') });
  const disk = Disk.from(DataVolumeSource.populator(importSource), { size });
  expect(rendered(disk).template.spec.storage.dataSourceRef).toEqual({
    apiGroup: 'cdi.kubevirt.io',
    kind: 'VolumeImportSource',
    name: 'here-import',
  });
  expect(cloneSources().map(({ spec }) => spec)).toEqual([
    { source: { kind: 'PersistentVolumeClaim', name: 'golden' } },
    {
      source: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'golden' },
      preallocation: true,
      priorityClassName: 'high',
    },
  ]);
});

test('a patch sets fields without a property', () => {
  const dataVolume = new DataVolume(here(), 'd', { source: blank, size });
  ApiObject.of(dataVolume).addJsonPatch(JsonPatch.add('/spec/newField', 1));
  expect(manifest(dataVolume).spec.newField).toBe(1);
});

describe('an invalid value is rejected in the constructor', () => {
  const volume = (props: Loose) => () => new DataVolume(here(), 'd', { source: blank, size, ...props });
  const from = (source: DataVolumeSource, more: Loose = {}) => volume({ source, ...more });
  const cron = (props: Loose) => () =>
    new DataImportCron(here(), 'd', { source: DataVolumeSource.registry('a'), size, ...props });
  test.each<[string, () => unknown, string]>([
    ['a URL', from(DataVolumeSource.http('images.example/a')), 'source.http.url'],
    ['a URL of S3', from(DataVolumeSource.s3('s3:a')), 'source.s3.url'],
    ['a checksum', from(DataVolumeSource.http('http://a', { checksum: 'sha256:1' })), 'source.http.checksum'],
    ['a registry', from(DataVolumeSource.registry('http://a')), 'source.registry.url'],
    [
      'no trusted certificates',
      from(DataVolumeSource.imageio('http://a', { diskId: 'a', credentials: { name: 'a' } })),
      'source.imageio',
    ],
    ['no size', volume({ size: undefined }), 'size'],
    ['too small', volume({ size: Size.kibibytes(1) }), 'size'],
    [
      'two access modes of an exact claim',
      volume({ exact: true, accessModes: [AccessMode.READ_WRITE_ONCE, AccessMode.READ_WRITE_MANY] }),
      'accessModes',
    ],
    ['a mode', volume({ accessModes: [AccessMode.of('Any')] }), 'accessModes'],
    ['a class of attributes', volume({ volumeAttributesClassName: 'gold' }), 'volumeAttributesClassName'],
    ['a schedule', cron({ schedule: 'never' }), 'schedule'],
    ['a source', cron({ source: blank }), 'source'],
    ['imports to keep', cron({ importsToKeep: -1 }), 'importsToKeep'],
    ['a policy', cron({ garbageCollect: GarbageCollection.of('Some') }), 'garbageCollect'],
    [
      'an import in stages without a claim',
      () =>
        new VolumeImportSource(here(), 'd', {
          source: DataVolumeSource.imageio('http://a', {
            diskId: 'a',
            credentials: { name: 'a' },
            insecureSkipVerify: true,
          }),
          checkpoints: [{ current: 'a' }],
        }),
      'targetClaim',
    ],
    ['a URL in a cron', cron({ source: DataVolumeSource.registry('http://a') }), 'source.registry.url'],
    [
      'a URL of a disk',
      () =>
        new VirtualMachine(here(), 'vm', {
          memory: size,
          disks: [Disk.containerDisk('a'), Disk.http('images.example/a', size)],
        }),
      'disks[1].url',
    ],
    [
      'no trusted certificates of a disk',
      () =>
        new VirtualMachine(here(), 'vm', {
          memory: size,
          disks: [Disk.imageio('http://a', size, { diskId: 'a', credentials: { name: 'a' } })],
        }),
      'disks[0]',
    ],
    [
      'a checksum of a disk',
      () =>
        new VirtualMachine(here(), 'vm', { memory: size, disks: [Disk.http('http://a', size, { checksum: 'md5:1' })] }),
      'disks[0].checksum',
    ],
    [
      'a mode of a disk',
      () =>
        new VirtualMachine(here(), 'vm', {
          memory: size,
          disks: [Disk.blank(size, { accessModes: [AccessMode.of('Any')] })],
        }),
      'disks[0].accessModes[0]',
    ],
  ])('%s', (_, make, property) => {
    const text = mistakeOf(make);
    expect(text).toMatch(/^here\//);
    expect(text).toContain(`: ${property} (spec.`);
  });
});

test('synth reports a clone from an unknown namespace with its property', () => {
  const chart = new Chart(testApp(), 'web', { disableResourceNameHashes: true });
  new DataVolume(chart, 'copy', { source: DataVolumeSource.claim({ name: 'golden' }) });
  new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(1), disks: [Disk.cloneOf({ name: 'golden' })] });
  const text = synthMistake(chart);
  expect(text).toContain('web/copy] source.namespace (spec.source.pvc.namespace)');
  expect(text).toContain('web/vm] disks[0].namespace (spec.dataVolumeTemplates[0].spec.source.pvc)');
});

test('synth reports all mistakes between objects at once', () => {
  const chart = here();
  const golden = new DataVolume(chart, 'golden', { source: blank, size });
  new DataVolume(chart, 'copy', { source: DataVolumeSource.claim(golden), size: Size.gibibytes(5) });
  new DataSource(chart, 'nothing');
  for (const name of ['a', 'b']) {
    new VirtualMachine(chart, name, { memory: Size.gibibytes(1), disks: [Disk.dataVolume(golden)] });
  }
  const text = synthMistake(chart);
  expect(text).toContain(
    'here/copy] size (spec.storage.resources.requests.storage): 5Gi is less than the 10Gi of its source DataVolume "here-golden"',
  );
  expect(text).toContain('here/nothing] image (spec.source)');
  expect(text).toContain(
    'here/b] disks[0] (spec.template.spec.volumes[0]): disk "disk0": VirtualMachine "here-a" (here/a) also writes',
  );
  expect(text).not.toContain('here/a]');
});
