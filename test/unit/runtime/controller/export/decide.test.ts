import type { KubeObject, VirtualMachine } from '../../../../../src/api';
import { keys } from '../../../../../src/api/keys';
import { decide, type Observed } from '../../../../../src/runtime/controller/export/decide';
import { exporterName, expirationOf } from '../../../../../src/runtime/controller/export/names';
import type { ExportClaim, VirtualMachineExport } from '../../../../../src/runtime/controller/export/names';
import type { SourceFacts } from '../../../../../src/runtime/controller/export/source';
import type { Pod } from '../../../../../src/runtime/controller/pod';

const CREATED = '2026-11-25T10:00:00Z';
const NOW = Date.parse('2026-11-25T10:00:10Z');
const GROUPS: Record<string, string> = {
  VirtualMachine: 'kubevirt.io',
  VirtualMachineSnapshot: 'snapshot.kubevirt.io',
};

const exportOf = (kind: string, name: string, spec: object = {}): VirtualMachineExport => ({
  apiVersion: 'export.kubevirt.io/v1',
  kind: 'VirtualMachineExport',
  metadata: { name: 'copy', namespace: 'default', uid: 'e1', creationTimestamp: CREATED, labels: { team: 'a' } },
  spec: { source: { kind, name, apiGroup: GROUPS[kind] ?? '' }, ...spec },
});
const owned = (kind: string, name: string, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: {
    name,
    namespace: 'default',
    ownerReferences: [
      { apiVersion: 'export.kubevirt.io/v1', kind: 'VirtualMachineExport', name: 'copy', uid: 'e1', controller: true },
    ],
    annotations: { [keys.exportCertificate]: 'PEM', [keys.exportCertificateSecret]: 'cert-1' },
  },
  ...more,
});
const service = owned('Service', 'virt-export-copy');
const pod = (status: object, metadata: object = {}): Pod => {
  const object = owned('Pod', 'virt-export-copy', { spec: { containers: [] }, status }) as Pod;
  return { ...object, metadata: { ...object.metadata, ...metadata } };
};
const READY_POD = pod({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] });
const claim = (
  name: string,
  more: { phase?: string; annotations?: Record<string, string>; spec?: object; owner?: string } = {},
) =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      annotations: more.annotations,
      ...(more.owner && {
        ownerReferences: [{ apiVersion: 'v1', kind: 'DataVolume', name: more.owner, uid: 'd', controller: true }],
      }),
    },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '64Mi' } }, ...more.spec },
    status: { phase: more.phase ?? 'Bound' },
  }) as ExportClaim;
const machine = (volumes: object[], templates?: object[]): VirtualMachine =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'web', namespace: 'default', uid: 'v1', resourceVersion: '7', labels: { app: 'web' } },
    spec: {
      runStrategy: 'Halted',
      template: { spec: { domain: {}, volumes } },
      ...(templates && { dataVolumeTemplates: templates }),
    },
    status: { ready: false },
  }) as unknown as VirtualMachine;

const facts = (more: Partial<Record<keyof SourceFacts, unknown>> & { list?: ExportClaim[] } = {}): SourceFacts => {
  const { list = [], ...rest } = more;
  return {
    isVmRunning: false,
    volumeSnapshots: new Map(),
    claims: new Map(list.map((each) => [each.metadata.name ?? '', each])),
    dataVolumes: new Map(),
    users: new Map(),
    ...rest,
  } as SourceFacts;
};
const seen = (vmExport: VirtualMachineExport, of: SourceFacts, more: Partial<Observed> = {}): Observed => ({
  vmExport,
  facts: of,
  image: 'importer',
  now: NOW,
  ...more,
});
const summary = (observed: Observed) => {
  const { actions, status } = decide(observed);
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return [actions.map((action) => action.do).join(' '), status?.phase, ready?.reason];
};

const CLAIM = exportOf('PersistentVolumeClaim', 'disk');
const VM = exportOf('VirtualMachine', 'web');
const ROOT = { name: 'root', persistentVolumeClaim: { claimName: 'disk' } };

const PULL = exportOf('VirtualMachineBackup', 'b');
const backupOf = (more: object, conditions: object[] = []): SourceFacts['backup'] =>
  ({
    metadata: { name: 'b', uid: '0123456789' },
    spec: { mode: 'Pull', pvcName: 'scratch', source: { kind: 'VirtualMachine', name: 'web' }, ...more },
    status: { type: 'Incremental', includedVolumes: [{ volumeName: 'data' }], conditions },
  }) as SourceFacts['backup'];

test.each<[string, Observed, unknown[]]>([
  ['a claim that does not exist is awaited', seen(CLAIM, facts()), ['', 'Pending', 'PVCNotFound']],
  [
    'an unbound claim is awaited',
    seen(CLAIM, facts({ list: [claim('disk', { phase: 'Pending' })] })),
    ['', 'Pending', 'PVCPending'],
  ],
  [
    'a claim whose DataVolume is being imported is awaited',
    seen(
      CLAIM,
      facts({
        list: [claim('disk', { owner: 'disk' })],
        dataVolumes: new Map([['disk', { spec: {}, status: { phase: 'ImportInProgress' } }]]),
      }),
    ),
    ['', 'Pending', 'PVCPending'],
  ],
  [
    'a claim in use is awaited, and its exporter ends',
    seen(CLAIM, facts({ list: [claim('disk')], users: new Map([['disk', 'VirtualMachineInstance web']]) }), {
      service,
      pod: READY_POD,
    }),
    ['deletePod', 'Pending', 'InUse'],
  ],
  [
    'a claim gets a Service first',
    seen(CLAIM, facts({ list: [claim('disk')] })),
    ['createService', 'Pending', 'Initializing'],
  ],
  [
    'then a token and a Pod',
    seen(CLAIM, facts({ list: [claim('disk')] }), { service }),
    ['createToken createPod', 'Pending', 'Initializing'],
  ],
  [
    'the token of the user is not created',
    seen(exportOf('PersistentVolumeClaim', 'disk', { tokenSecretRef: 'mine' }), facts({ list: [claim('disk')] }), {
      service,
    }),
    ['createPod', 'Pending', 'Initializing'],
  ],
  [
    'a ready Pod makes the export ready',
    seen(CLAIM, facts({ list: [claim('disk')] }), { service, pod: READY_POD }),
    ['', 'Ready', 'PodReady'],
  ],
  [
    'a Pod that is being deleted does not',
    seen(CLAIM, facts({ list: [claim('disk')] }), {
      service,
      pod: pod(READY_POD.status!, { deletionTimestamp: CREATED }),
    }),
    ['', 'Pending', 'PodPending'],
  ],
  [
    'a failed Pod is replaced',
    seen(CLAIM, facts({ list: [claim('disk')] }), { service, pod: pod({ phase: 'Failed', reason: 'Evicted' }) }),
    ['deletePod', 'Pending', 'PodPending'],
  ],
  [
    'an exporter that ended terminates the export',
    seen(CLAIM, facts({ list: [claim('disk')] }), { service, pod: pod({ phase: 'Succeeded' }) }),
    ['', 'Terminated', 'PodCompleted'],
  ],
  [
    'a Service of others is not changed',
    seen(CLAIM, facts({ list: [claim('disk')] }), {
      service: { ...service, metadata: { ...service.metadata, ownerReferences: [] } },
    }),
    ['', 'Pending', 'NameTaken'],
  ],
  [
    'an expired export is deleted',
    seen(CLAIM, facts({ list: [claim('disk')] }), { now: NOW + 7_200_000 }),
    ['deleteExport', undefined, undefined],
  ],
  [
    'the given lifetime counts',
    seen(exportOf('PersistentVolumeClaim', 'disk', { ttlDuration: '5s' }), facts()),
    ['deleteExport', undefined, undefined],
  ],
  ['a VM that does not exist is awaited', seen(VM, facts()), ['', 'Pending', 'VMNotFound']],
  [
    'a VM without claims is skipped',
    seen(VM, facts({ vm: machine([{ name: 'a', emptyDisk: {} }]) })),
    ['', 'Skipped', 'VMNoVolumes'],
  ],
  ['a VM waits for its claims', seen(VM, facts({ vm: machine([ROOT]) })), ['', 'Pending', 'VolumesNotPopulated']],
  [
    'a running VM is awaited',
    seen(VM, facts({ vm: machine([ROOT]), list: [claim('disk')], isVmRunning: true }), { service, pod: READY_POD }),
    ['deletePod', 'Pending', 'InUse'],
  ],
  [
    'a stopped VM is exported with its manifests',
    seen(VM, facts({ vm: machine([ROOT]), list: [claim('disk')] }), { service }),
    ['createToken createManifests createPod', 'Pending', 'Initializing'],
  ],
  ['a backup is awaited', seen(PULL, facts()), ['', 'Pending', 'Initializing']],
  [
    'a backup that is written to a claim cannot be exported',
    seen(PULL, { ...facts(), backup: backupOf({ mode: 'Push' }), backupNode: 'node' }),
    ['', 'Skipped', 'SourceNotSupported'],
  ],
  [
    'a backup that is over is not served',
    seen(PULL, { ...facts(), backup: backupOf({}, [{ type: 'Complete', status: 'True' }]), backupNode: 'node' }),
    ['', 'Pending', 'Initializing'],
  ],
  [
    'a backup whose guest has ended is not served',
    seen(PULL, { ...facts(), backup: backupOf({}) }, { service, pod: READY_POD }),
    ['deletePod', 'Pending', 'Initializing'],
  ],
  [
    'a backup in progress is served',
    seen(PULL, { ...facts(), backup: backupOf({}), backupNode: 'node' }, { service, pod: READY_POD }),
    ['', 'Ready', 'PodReady'],
  ],
])('%s', (_, observed, want) => expect(summary(observed)).toEqual(want));

test('the exporter of a backup runs where its guest does, and reads its socket', () => {
  const facted = { ...facts(), backup: backupOf({}), backupNode: 'node' };
  const { actions } = decide(seen(PULL, facted, { service }));
  const made = actions.find((action) => action.do === 'createPod');
  const { affinity, volumes, containers } = made!.pod.spec;
  expect(JSON.stringify(affinity)).toContain('"kubernetes.io/hostname","operator":"In","values":["node"]');
  expect(volumes).toContainEqual({ name: 'backup', persistentVolumeClaim: { claimName: 'scratch', readOnly: true } });
  expect(containers[0]!.volumeMounts).toContainEqual({
    name: 'backup',
    mountPath: '/run/virt8s/backup',
    readOnly: true,
  });
  const request = containers[0]!.env!.find(({ name }) => name === 'VIRT8S_EXPORT')!.value!;
  expect(JSON.parse(request).backup).toEqual({
    socket: '/run/virt8s/backup/nbd-01234567.sock',
    volumes: ['data'],
    isIncremental: true,
  });
  const { status } = decide(seen(PULL, facted, { service, pod: READY_POD }));
  expect(status!.links!.internal!.backups).toEqual([
    {
      name: 'data',
      endpoints: [
        { endpoint: 'data', url: expect.stringMatching(/^https:.*\/exports\/data\/data$/) },
        { endpoint: 'map', url: expect.stringMatching(/^https:.*\/exports\/data\/map$/) },
      ],
    },
  ]);
});

const SNAPSHOT = exportOf('VirtualMachineSnapshot', 'monday');
const taken = {
  spec: { source: { name: 'web' } },
  status: { readyToUse: true, virtualMachineSnapshotContentName: 'c' },
};
const content = (volumeBackups: object[]) => ({ spec: { source: { virtualMachine: machine([ROOT]) }, volumeBackups } });
const BACKUP = {
  volumeName: 'root',
  volumeSnapshotName: 'vs',
  persistentVolumeClaim: claim('disk', { annotations: { 'pv.kubernetes.io/bind-completed': 'yes', note: 'kept' } }),
};
/** A disk on storage without snapshots. */
const COPY = {
  volumeName: 'root',
  persistentVolumeClaim: claim('disk', { annotations: { [keys.volumeCopy]: 'vmsnapshot-copy' } }),
};
const volumeSnapshots = new Map([['vs', { status: { restoreSize: '128Mi' } }]]);
const mine = (name: string): ExportClaim => ({
  ...claim(name, { phase: 'Pending' }),
  ...{ metadata: { ...owned('x', name).metadata } },
});

test.each<[string, Observed, unknown[]]>([
  ['a snapshot that does not exist is skipped', seen(SNAPSHOT, facts()), ['', 'Skipped', 'VMSnapshotNotFound']],
  [
    'a snapshot that is not ready is awaited',
    seen(SNAPSHOT, facts({ snapshot: { ...taken, status: { readyToUse: false } } })),
    ['', 'Pending', 'NotAllPVCsCreated'],
  ],
  [
    'a snapshot without volumes is skipped',
    seen(SNAPSHOT, facts({ snapshot: taken, content: content([]) })),
    ['', 'Skipped', 'VMSnapshotNoVolumes'],
  ],
  [
    'a lost VolumeSnapshot is reported',
    seen(SNAPSHOT, facts({ snapshot: taken, content: content([BACKUP]) })),
    ['', 'Pending', 'VolumeSnapshotNotFound'],
  ],
  [
    'claims are restored first',
    seen(SNAPSHOT, facts({ snapshot: taken, content: content([BACKUP]), volumeSnapshots })),
    ['createClaim', 'Pending', 'NotAllPVCsCreated'],
  ],
  [
    'a claim of others with the same name is not served',
    seen(SNAPSHOT, facts({ snapshot: taken, content: content([BACKUP]), volumeSnapshots, list: [claim('copy-disk')] })),
    ['', 'Pending', 'NameTaken'],
  ],
  [
    'copies of disks are served as they are',
    seen(SNAPSHOT, facts({ snapshot: taken, content: content([COPY]), list: [claim('vmsnapshot-copy')] }), { service }),
    ['createToken createManifests createPod', 'Pending', 'Initializing'],
  ],
  [
    'a lost copy is reported',
    seen(SNAPSHOT, facts({ snapshot: taken, content: content([COPY]) })),
    ['', 'Pending', 'VolumeSnapshotNotFound'],
  ],
  [
    'restored claims are served, which the Pod binds',
    seen(SNAPSHOT, facts({ snapshot: taken, content: content([BACKUP]), list: [mine('copy-disk')] }), { service }),
    ['createToken createManifests createPod', 'Pending', 'Initializing'],
  ],
])('%s', (_, observed, want) => expect(summary(observed)).toEqual(want));

test('a restored claim has the size of the snapshot and no state of the original', () => {
  const [action] = decide(
    seen(SNAPSHOT, facts({ snapshot: taken, content: content([BACKUP]), volumeSnapshots })),
  ).actions;
  expect(action).toMatchObject({
    claim: {
      metadata: {
        name: 'copy-disk',
        namespace: 'default',
        annotations: { note: 'kept' },
        ownerReferences: [{ uid: 'e1' }],
      },
      spec: { resources: { requests: { storage: '128Mi' } }, dataSourceRef: { kind: 'VolumeSnapshot', name: 'vs' } },
    },
  });
});

test('links name the volumes of a snapshot as the VM does, and have the paths of the restored claims', () => {
  const restored = { ...mine('copy-disk'), status: { phase: 'Bound' } };
  const { status } = decide(
    seen(SNAPSHOT, facts({ snapshot: taken, content: content([BACKUP]), list: [restored] }), {
      service,
      pod: READY_POD,
    }),
  );
  expect(status?.links?.internal).toEqual({
    cert: 'PEM',
    volumes: [
      {
        name: 'disk',
        formats: [
          { format: 'raw', url: 'https://virt-export-copy.default.svc/volumes/copy-disk/disk.img' },
          { format: 'gzip', url: 'https://virt-export-copy.default.svc/volumes/copy-disk/disk.img.gz' },
        ],
      },
    ],
    manifests: [
      { type: 'all', url: 'https://virt-export-copy.default.svc/internal/manifests/all' },
      { type: 'auth-header-secret', url: 'https://virt-export-copy.default.svc/internal/manifests/secret' },
    ],
  });
  expect(status).toMatchObject({
    virtualMachineName: 'web',
    tokenSecretRef: 'export-token-copy',
    serviceName: 'virt-export-copy',
  });
});

test.each<[string, ExportClaim, string]>([
  ['a device is a disk', claim('disk', { spec: { volumeMode: 'Block' } }), 'raw gzip'],
  [
    'a claim for guests is a disk',
    claim('disk', { annotations: { 'cdi.kubevirt.io/storage.contentType': 'kubevirt' } }),
    'raw gzip',
  ],
  [
    'an unpacked archive has files',
    claim('disk', { annotations: { 'cdi.kubevirt.io/storage.contentType': 'archive' } }),
    'dir tar.gz',
  ],
  ['any other claim has files', claim('disk'), 'dir tar.gz'],
])('%s', (_, of, want) => {
  const { status } = decide(seen(CLAIM, facts({ list: [of] }), { service, pod: READY_POD }));
  expect(status?.links?.internal?.volumes?.[0]?.formats?.map(({ format }) => format).join(' ')).toBe(want);
});

test('the Pod reads its claims as user 107 without capabilities, and labels of users do not replace its own', () => {
  const vmExport = exportOf('PersistentVolumeClaim', 'disk');
  vmExport.metadata.labels = { 'kubevirt.io': 'virt-launcher', team: 'a' };
  const { actions } = decide(seen(vmExport, facts({ list: [claim('disk')] }), { service }));
  const create = actions.find((action) => action.do === 'createPod');
  expect(create?.pod).toMatchObject({
    metadata: { labels: { 'kubevirt.io': 'virt-exporter', team: 'a' } },
    spec: {
      automountServiceAccountToken: false,
      securityContext: { runAsUser: 107, runAsNonRoot: true },
      containers: [
        {
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          volumeMounts: expect.arrayContaining([{ name: 'volume-0', mountPath: '/export-volumes/0', readOnly: true }]),
        },
      ],
      volumes: expect.arrayContaining([
        { name: 'volume-0', persistentVolumeClaim: { claimName: 'disk', readOnly: true } },
        { name: 'certificate', secret: { secretName: 'cert-1' } },
      ]),
    },
  });
});

test('manifests create the VM from the links, with a DataVolume for a claim without a template', () => {
  const vm = machine(
    [ROOT, { name: 'data', dataVolume: { name: 'data' } }],
    [{ metadata: { name: 'data' }, spec: { sourceRef: { kind: 'DataSource', name: 'x' }, storage: {} } }],
  );
  const { actions } = decide(seen(VM, facts({ vm, list: [claim('disk'), claim('data')] }), { service }));
  const create = actions.find((action) => action.do === 'createManifests');
  const described = create!.describe(vm);
  expect(described.volumes).toEqual({ disk: 'disk', data: 'data' });
  expect(described.objects).toMatchObject([
    {
      kind: 'VirtualMachine',
      spec: { dataVolumeTemplates: [{ spec: { source: { http: { url: '' } }, storage: {} } }] },
    },
    {
      kind: 'DataVolume',
      metadata: { name: 'disk' },
      spec: { storage: { resources: { requests: { storage: '64Mi' } } } },
    },
  ]);
  expect(Object.keys(described.objects[0]!)).not.toContain('status');
  expect(described.objects[0]!.metadata).toEqual({ name: 'web', labels: { app: 'web' } });
});

test.each([
  ['copy', 'virt-export-copy'],
  ['a.b', /^virt-export-a-b-[0-9a-f]{8}$/],
  ['x'.repeat(80), /^virt-export-x{42}-[0-9a-f]{8}$/],
])('the name of export %s is a DNS label', (name, want) => {
  const found = exporterName({ ...CLAIM, metadata: { name } });
  expect(found).toEqual(typeof want === 'string' ? want : expect.stringMatching(want));
  expect(found.length).toBeLessThanOrEqual(63);
});

test('an unchanged condition keeps its times', () => {
  const first = decide(seen(CLAIM, facts())).status!;
  const later = decide(seen({ ...CLAIM, status: first }, facts(), { now: NOW + 60_000 })).status;
  expect(later).toEqual(first);
  expect(expirationOf(CLAIM)).toBe(Date.parse('2026-11-25T12:00:00Z'));
});

test('clients outside of the cluster download from the proxy, if there is one', () => {
  const proxy = { url: 'https://proxy.example', certificate: 'authority' };
  const of = (more: Partial<Observed>) =>
    decide(seen(CLAIM, facts({ list: [claim('disk')] }), { service, pod: READY_POD, ...more })).status!.links!;
  expect(of({}).external).toBeUndefined();
  const { external, internal } = of({ proxy });
  const base = `https://proxy.example/api/export.kubevirt.io/v1/namespaces/${CLAIM.metadata.namespace}/virtualmachineexports/${CLAIM.metadata.name}`;
  expect(external!.cert).toBe('authority');
  expect(external!.volumes![0]!.formats![0]!.url).toMatch(base);
  expect(external!.manifests![0]!.url).toBe(`${base}/external/manifests/secret`);
  expect(internal!.manifests![0]!.url).toMatch(/\.svc\/internal\/manifests\/secret$/);
});
