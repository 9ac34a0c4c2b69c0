import { created, cluster, deleted, type Loose, object, updated, warned } from './fixtures';

const storage = { resources: { requests: { storage: '1Gi' } } };
const volume = (spec: object, metadata: object = {}): Loose =>
  object('cdi.kubevirt.io/v1beta1', 'DataVolume', spec, metadata);
const from = (source: object, more: object = {}): Loose => volume({ storage, source, ...more });
const http = { http: { url: 'https://example.com/disk.qcow2' } };
const named = (rule: string, path: string, field: string): string[] => [`${rule} ${path} as ${field}`];
const size = (own: string, field: string): string[] =>
  named('data-volume-size', `spec.${own}.resources.requests.storage`, `spec.${field}.resources.requests.size`);
const pvc = (accessModes: string[]): Loose => volume({ pvc: { accessModes, ...storage }, source: http });
const modes = named('access-mode', 'spec.pvc.accessModes', 'spec.PVC.accessModes');
const imageio = { url: 'https://a/b', secretRef: 'a', diskId: 'b', certConfigMap: 'c' };
const vddk = { url: 'https://a/b', secretRef: 'a', uuid: 'b', backingFile: 'c', thumbprint: 'd' };
const registry = (source: object): Loose => from({ registry: source });
const registryField = (own: string, field: string, rule: string): string[] =>
  named(rule, `spec.source.registry${own}`, `spec.source.Registry${field}`);

test.each<[string, Loose, string[]]>([
  ['from a URL', from(http), []],
  ['with a claim of its own', pvc(['ReadWriteOnce']), []],
  ['without storage', volume({ source: http }), named('data-volume-storage', 'spec.storage', 'spec.PVC')],
  [
    'with claim and storage',
    volume({ storage, pvc: { accessModes: ['ReadWriteOnce'], ...storage }, source: http }),
    named('data-volume-storage', 'spec.pvc', 'spec.PVC.Storage'),
  ],
  ['without a size', volume({ storage: {}, source: http }), size('storage', 'Storage')],
  ['a copy without a size', volume({ storage: {}, source: { pvc: { namespace: 'a', name: 'b' } } }), []],
  [
    'a copy whose claim has no size',
    volume({ pvc: { accessModes: ['ReadWriteOnce'], resources: {} }, source: { pvc: { namespace: 'a', name: 'b' } } }),
    size('pvc', 'PVC'),
  ],
  [
    'of no bytes',
    volume({ storage: { resources: { requests: { storage: 0 } } }, source: http }),
    size('storage', 'Storage'),
  ],
  [
    'of few bytes',
    volume({ storage: { resources: { requests: { storage: '1M' } } }, source: http }),
    size('storage', 'Storage'),
  ],
  ['without access modes', pvc([]), modes],
  ['with two access modes', pvc(['ReadWriteOnce', 'ReadWriteMany']), modes],
  [
    'with two access modes to choose from',
    volume({ storage: { ...storage, accessModes: ['ReadWriteOnce', 'ReadWriteMany'] }, source: http }),
    [],
  ],
  ['without a source', volume({ storage }), named('data-volume-source', 'spec.source', 'spec.source')],
  ['with no source in source', from({}), named('source-one', 'spec.source', 'spec.source')],
  ['with two sources', from({ ...http, blank: {} }), named('source-one', 'spec.source', 'spec.source')],
  [
    'with source and reference',
    from(http, { sourceRef: { kind: 'DataSource', name: 'a' } }),
    named('data-volume-source', 'spec.source', 'spec.source'),
  ],
  ['of a DataSource', volume({ storage, sourceRef: { kind: 'DataSource', name: 'a' } }), []],
  [
    'of another kind',
    volume({ storage, sourceRef: { kind: 'Pod', name: 'a' } }),
    named('source-ref', 'spec.sourceRef.kind', 'spec.sourceRef.Kind'),
  ],
  [
    'of a nameless one',
    volume({ storage, sourceRef: { kind: 'DataSource', name: '' } }),
    named('source-ref', 'spec.sourceRef.name', 'spec.sourceRef.Name'),
  ],
  ['filled by others', volume({ storage: { ...storage, dataSourceRef: { apiGroup: 'a', kind: 'b', name: 'c' } } }), []],
  [
    'filled by others and by CDI',
    volume({ storage: { ...storage, dataSourceRef: { apiGroup: 'a', kind: 'b', name: 'c' } }, source: http }),
    named('external-population', 'spec.source', 'spec.source'),
  ],
  [
    'filled by a nameless one without a group',
    volume({ storage: { ...storage, dataSource: { kind: 'b', name: '' } } }),
    [
      ...named('external-population', 'spec.dataSource.name', 'spec.dataSource.name[]'),
      ...named('external-population', 'spec.dataSource.apiGroup', 'spec.dataSource.apiGroup[]'),
    ],
  ],
  ['of an archive', from(http, { contentType: 'archive' }), []],
  [
    'of an empty archive',
    from({ blank: {} }, { contentType: 'archive' }),
    named('source-blank-archive', 'spec.contentType', 'spec.contentType'),
  ],
  [
    'from a file',
    from({ http: { url: 'file:///a' } }),
    named('source-url', 'spec.source.http.url', 'spec.source.HTTP.url'),
  ],
  ['from no URL', from({ s3: { url: 'a b' } }), named('source-url', 'spec.source.s3.url', 'spec.source.S3.url')],
  ['from a bucket', from({ gcs: { url: 'gs://a/b' } }), []],
  ['with a checksum', from({ http: { ...http.http, checksum: `sha256:${'a'.repeat(64)}` } }), []],
  [
    'with a short checksum',
    from({ http: { ...http.http, checksum: 'sha256:aa' } }),
    named('source-checksum', 'spec.source.http.checksum', 'spec.source.HTTP.checksum'),
  ],
  ['from a registry', registry({ url: 'docker://a/b:c' }), []],
  ['from a stream', registry({ imageStream: 'a', pullMethod: 'node' }), []],
  [
    'from a registry of another scheme',
    registry({ url: 'https://a/b' }),
    registryField('.url', '.URL', 'source-registry-url'),
  ],
  ['from a nameless registry', registry({}), registryField('', '', 'source-registry-one')],
  [
    'from a stream by a Pod',
    registry({ imageStream: 'a' }),
    registryField('.pullMethod', '.importMethod', 'source-registry-stream'),
  ],
  ['from imageio', from({ imageio }), []],
  [
    'from imageio without trust',
    from({ imageio: { ...imageio, certConfigMap: '' } }),
    named('source-imageio-trust', 'spec.source.imageio', 'spec.source.Imageio'),
  ],
  [
    'from imageio without a secret',
    from({ imageio: { ...imageio, secretRef: '' } }),
    named('source-imageio', 'spec.source.imageio', 'spec.source.Imageio'),
  ],
  ['from vSphere', from({ vddk }), []],
  [
    'from vSphere without a disk',
    from({ vddk: { ...vddk, backingFile: '' } }),
    named('source-vddk', 'spec.source.vddk', 'spec.source.VDDK'),
  ],
  [
    'a copy of a nameless claim',
    from({ pvc: { namespace: 'a', name: '' } }),
    named('source-copy', 'spec.source.pvc', 'spec.source.PVC'),
  ],
  [
    'a copy of a nameless snapshot',
    from({ snapshot: { namespace: '', name: 'a' } }),
    named('source-copy', 'spec.source.snapshot', 'spec.source.Snapshot'),
  ],
  [
    'of a long name',
    volume({ storage, source: http }, { name: 'a'.repeat(254) }),
    ['name-length metadata.name as nothing'],
  ],
])('a DataVolume %s', (_, given, want) => expect(created(given)).toEqual(want));

const claim = (metadata: object = {}): Loose => ({
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'x', namespace: 'default', ...metadata },
});
const taken = ['claim-exists metadata.name as DataVolume.Name'];
test.each<[string, object, Loose, string[]]>([
  ["is somebody else's", {}, claim(), taken],
  ['is its own', {}, claim({ ownerReferences: [{ kind: 'DataVolume', controller: true }] }), []],
  ['was filled for it', {}, claim({ annotations: { 'cdi.kubevirt.io/storage.populatedFor': 'x' } }), []],
  ['may be adopted', { 'cdi.kubevirt.io/allowClaimAdoption': 'true' }, claim(), []],
  ['may not be adopted', { 'cdi.kubevirt.io/allowClaimAdoption': 'no' }, claim(), taken],
])('a claim of its name that %s', (_, annotations, there, want) => {
  expect(created(volume({ storage, source: http }, { annotations }), cluster(there))).toEqual(want);
});

const checkpoints = [{ current: 'a', previous: '' }];
test.each<[string, Loose, Loose, string[]]>([
  ['keeps its spec', from({ blank: {} }), from(http), named('spec-immutable', 'spec', 'DataVolume.Spec')],
  ['gets no checkpoints', from(http, { checkpoints }), from(http), named('spec-immutable', 'spec', 'DataVolume.Spec')],
  ['in steps gets checkpoints', from({ vddk }, { checkpoints, finalCheckpoint: true }), from({ vddk }), []],
])('a DataVolume %s', (_, given, old, want) => expect(updated(given, old)).toEqual(want));

describe('a copy from another namespace', () => {
  const copy = (annotations: object = {}): Loose =>
    volume({ storage, source: { pvc: { namespace: 'images', name: 'a' } } }, { annotations });
  const namespaces = cluster({ kind: 'Namespace', metadata: { name: 'images' } });
  const by = (...allowed: string[]) => ({
    trusted: false,
    username: 'jane',
    may: ({ resource, subresource, namespace }: Loose) =>
      allowed.includes(`${namespace}/${resource}${subresource ? `/${subresource}` : ''}`),
  });
  const refused = named('clone-permission', 'spec.source.pvc.namespace', 'spec.source.PVC.namespace');

  test.each<[string, object, Loose, string[]]>([
    ['needs a right there', {}, by(), refused],
    ['is for who may clone from there', {}, by('images/datavolumes/source'), []],
    ['is for who may run Pods there', {}, by('images/pods'), []],
    ['is not for who may run Pods here', {}, by('default/pods'), refused],
    ['needs none when the disk is there', { 'cdi.kubevirt.io/storage.prePopulated': 'x' }, by(), []],
  ])('%s', (_, annotations, who, want) => expect(created(copy(annotations), { by: who, ...namespaces })).toEqual(want));

  test('needs that namespace', () => {
    expect(created(copy(), { by: by() })).toEqual(['clone-source spec.source.pvc.namespace as nothing']);
  });

  test('is followed through a DataSource', () => {
    const given = volume({ storage, sourceRef: { kind: 'DataSource', name: 'a' } });
    const source = {
      kind: 'DataSource',
      metadata: { name: 'a', namespace: 'default' },
      spec: { source: { pvc: { namespace: 'images', name: 'a' } } },
    };
    const there = cluster({ kind: 'Namespace', metadata: { name: 'images' } }, source);
    expect(created(given, { by: by(), ...there })).toEqual(
      named('clone-permission', 'spec.sourceRef.namespace', 'spec.source.PVC.namespace'),
    );
    expect(created(given, { by: by(), ...namespaces })).toEqual(['clone-source spec.sourceRef.name as nothing']);
  });
});

const cron = (spec: object = {}, template: object = {}, metadata: object = {}): Loose =>
  object(
    'cdi.kubevirt.io/v1beta1',
    'DataImportCron',
    {
      managedDataSource: 'fedora',
      schedule: '30 2 * * *',
      template: { spec: { storage, source: { registry: { url: 'docker://a/b' } }, ...template } },
      ...spec,
    },
    metadata,
  );
const inTemplate = (path: string, field: string, rule: string): string[] =>
  named(rule, `spec.template.spec${path}`, field);
test.each<[string, Loose, string[]]>([
  ['an ordinary one', cron(), []],
  ['of a URL', cron({}, { source: http }), inTemplate('.source', 'spec.Template', 'cron-source')],
  ['of an archive', cron({}, { contentType: 'archive' }), inTemplate('', 'spec.Template', 'cron-template')],
  [
    'without a size',
    cron({}, { storage: {} }),
    inTemplate('.storage.resources.requests.storage', 'Template.Storage.resources.requests.size', 'data-volume-size'),
  ],
  ['of a bad schedule', cron({ schedule: '30 2 * *' }), named('cron-schedule', 'spec.schedule', 'spec.Schedule')],
  [
    'that keeps fewer than none',
    cron({ importsToKeep: -1 }),
    named('cron-keep', 'spec.importsToKeep', 'spec.ImportsToKeep'),
  ],
  ['that keeps none', cron({ importsToKeep: 0, garbageCollect: 'Never' }), []],
  [
    'of unknown thrift',
    cron({ garbageCollect: 'Always' }),
    named('cron-garbage', 'spec.garbageCollect', 'spec.GarbageCollect'),
  ],
  [
    'without a DataSource',
    cron({ managedDataSource: '' }),
    named('cron-data-source', 'spec.managedDataSource', 'spec.ManagedDataSource'),
  ],
  [
    'of a long DataSource',
    cron({ managedDataSource: 'a'.repeat(64) }),
    ['name-length spec.managedDataSource as nothing'],
  ],
  ['of a long name', cron({}, {}, { name: 'a'.repeat(64) }), ['name-length metadata.name as nothing']],
])('a DataImportCron: %s', (_, given, want) => expect(created(given)).toEqual(want));

test('a DataImportCron keeps its spec', () => {
  expect(updated(cron({ schedule: '' }), cron())).toEqual(named('spec-immutable', 'spec', 'DataImportCron.Spec'));
  expect(updated(cron(), cron())).toEqual([]);
});

const imported = (spec: object): Loose => object('cdi.kubevirt.io/v1beta1', 'VolumeImportSource', spec);
test.each<[string, Loose, string[]]>([
  ['of a URL', imported({ source: http }), []],
  ['of nothing', imported({}), named('source-one', 'spec.source', 'spec.source')],
  ['in steps', imported({ source: { vddk }, checkpoints, targetClaim: 'a' }), []],
  [
    'in steps to nowhere',
    imported({ source: { vddk }, checkpoints }),
    named('import-target', 'spec.targetClaim', 'spec.targetClaim'),
  ],
  [
    'of unknown content',
    imported({ source: http, contentType: 'zip' }),
    named('content-type', 'spec.contentType', 'spec.contentType'),
  ],
])('an import %s', (_, given, want) => expect(created(given)).toEqual(want));

test('an import keeps its spec, but for checkpoints', () => {
  expect(updated(imported({ source: { blank: {} } }), imported({ source: http }))).toEqual(
    named('spec-immutable', 'spec', 'VolumeImportSource.Spec'),
  );
  const steps = imported({ source: { vddk }, targetClaim: 'a', checkpoints });
  expect(updated(steps, imported({ source: { vddk }, targetClaim: 'a' }))).toEqual([]);
});

test('an upload has known content and keeps its spec', () => {
  const upload = (spec: object): Loose => object('cdi.kubevirt.io/v1beta1', 'VolumeUploadSource', spec);
  expect(created(upload({ contentType: 'archive' }))).toEqual([]);
  expect(created(upload({ contentType: 'zip' }))).toEqual(
    named('content-type', 'spec.contentType', 'spec.contentType'),
  );
  expect(updated(upload({ preallocation: true }), upload({}))).toEqual(
    named('spec-immutable', 'spec', 'VolumeUploadSource.Spec'),
  );
});

const transfer = (source: object, target: object): Loose =>
  object('cdi.kubevirt.io/v1beta1', 'ObjectTransfer', { source: { namespace: 'a', name: 'b', ...source }, target });
test.each<[string, Loose, string[]]>([
  ['to another name', transfer({ kind: 'PersistentVolumeClaim' }, { name: 'c' }), []],
  ['to nowhere', transfer({ kind: 'DataVolume' }, {}), ['transfer-target spec.target as nothing']],
  ['of another kind', transfer({ kind: 'Pod' }, { name: 'c' }), ['transfer-kind spec.source.kind as nothing']],
  [
    'onto another',
    transfer({ kind: 'PersistentVolumeClaim' }, { namespace: 'default', name: 'x' }),
    ['transfer-exists spec.target as nothing'],
  ],
])('a transfer %s', (_, given, want) => expect(created(given, cluster(claim()))).toEqual(want));

test('a transfer keeps its spec and is deprecated', () => {
  const given = transfer({ kind: 'DataVolume' }, { name: 'c' });
  expect(updated(given, transfer({ kind: 'DataVolume' }, { name: 'd' }))).toEqual(['spec-immutable spec as nothing']);
  expect(warned(given)).toHaveLength(1);
});

test('CDI cannot be uninstalled while it has DataVolumes without a cron', () => {
  const cdi = (phase?: string): Loose => ({
    ...object('cdi.kubevirt.io/v1beta1', 'CDI', { uninstallStrategy: 'BlockUninstallIfWorkloadsExist' }),
    ...(phase && { status: { phase } }),
  });
  const disk = volume({});
  const image = volume({}, { labels: { 'cdi.kubevirt.io/dataImportCron': 'fedora' } });
  const stays = ['uninstall-blocked spec.uninstallStrategy as nothing'];
  expect(deleted(cdi('Deployed'), cluster(disk))).toEqual(stays);
  expect(deleted(cdi('Deployed'), cluster(image))).toEqual([]);
  expect(deleted(cdi('Error'), cluster(disk))).toEqual([]);
  expect(deleted(cdi(), cluster(disk))).toEqual([]);
  expect(created(cdi())).toEqual([]);
});
