import { Size } from 'cdk8s';
import {
  AccessMode,
  CdromTray,
  DataVolumeSource,
  Disk,
  DiskBlockSize,
  DiskBus,
  DiskCache,
  DiskContent,
  DiskDevice,
  DiskErrorPolicy,
  DiskIo,
  DownwardApiFile,
  PullMethod,
  PullPolicy,
  VolumeMode,
} from '../../../../src';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
export type Loose = any;

/** Returns what a disk renders, without undefined parts. */
export interface Rendered {
  disk?: Loose;
  filesystem?: Loose;
  volume?: Loose;
  template?: Loose;
}

const size = Size.gibibytes(10);
const requests = { resources: { requests: { storage: '10Gi' } } };
const named = (name: string) => ({ name });

/** Returns what the first disk of the VM `web` renders. */
export function rendered(disk: Disk, owner: Loose = { name: 'web' }): Rendered {
  return JSON.parse(
    JSON.stringify({
      disk: disk._renderDisk(0),
      filesystem: disk._renderFilesystem(0),
      volume: disk._renderVolume(0, owner),
      template: disk._renderDataVolumeTemplate(0, owner),
    }),
  );
}

/** Disks of existing data, each with all of its options. */
export const existing: [string, Disk, Rendered][] = [
  [
    'an image',
    Disk.containerDisk('registry.example/os:1', {
      path: '/disk/os.qcow2',
      pullPolicy: PullPolicy.NEVER,
      pullSecret: named('login'),
    }),
    on({
      containerDisk: {
        image: 'registry.example/os:1',
        path: '/disk/os.qcow2',
        imagePullPolicy: 'Never',
        imagePullSecret: 'login',
      },
    }),
  ],
  ['an empty disk', Disk.emptyDisk(Size.mebibytes(1536)), on({ emptyDisk: { capacity: '1536Mi' } })],
  ['a claim', Disk.persistentVolumeClaim(named('data')), on({ persistentVolumeClaim: { claimName: 'data' } })],
  [
    'a read-only, hotpluggable claim',
    Disk.persistentVolumeClaim(named('data'), { readOnlyClaim: true, hotpluggable: true }),
    on({ persistentVolumeClaim: { claimName: 'data', readOnly: true, hotpluggable: true } }, { disk: { bus: 'scsi' } }),
  ],
  ['a DataVolume', Disk.dataVolume(named('data')), on({ dataVolume: { name: 'data' } })],
  [
    'a hotpluggable DataVolume with a bus',
    Disk.dataVolume(named('data'), { hotpluggable: true, bus: DiskBus.VIRTIO }),
    on({ dataVolume: { name: 'data', hotpluggable: true } }),
  ],
  [
    'an ephemeral disk on a claim',
    Disk.ephemeral(named('data'), { readOnlyClaim: true }),
    on({ ephemeral: { persistentVolumeClaim: { claimName: 'data', readOnly: true } } }),
  ],
  ['a file of the node', Disk.hostDisk('/d.img'), on({ hostDisk: { path: '/d.img', type: 'Disk' } })],
  [
    'a shared file that is created',
    Disk.hostDisk('/d.img', { createWithSize: Size.gibibytes(1), shared: true }),
    on({ hostDisk: { path: '/d.img', type: 'DiskOrCreate', capacity: '1Gi', shared: true } }),
  ],
  [
    'files of a ConfigMap',
    Disk.configMap(named('files'), { optional: true, volumeLabel: 'cidata' }),
    on({ configMap: { name: 'files', optional: true, volumeLabel: 'cidata' } }),
  ],
  [
    'files of a Secret',
    Disk.secret(named('files'), { optional: true, volumeLabel: 'cidata' }),
    on({ secret: { secretName: 'files', optional: true, volumeLabel: 'cidata' } }),
  ],
  ['a ServiceAccount', Disk.serviceAccount(named('robot')), on({ serviceAccount: { serviceAccountName: 'robot' } })],
  [
    'fields of the Pod',
    Disk.downwardApi(
      [
        DownwardApiFile.field('labels', 'metadata.labels', { apiVersion: 'v1', mode: 0o600 }),
        DownwardApiFile.resource('memory', 'compute', 'limits.memory', { divisor: '1Mi', mode: 0o400 }),
      ],
      { volumeLabel: 'pod' },
    ),
    on({
      downwardAPI: {
        fields: [
          { path: 'labels', fieldRef: { fieldPath: 'metadata.labels', apiVersion: 'v1' }, mode: 0o600 },
          {
            path: 'memory',
            resourceFieldRef: { containerName: 'compute', resource: 'limits.memory', divisor: '1Mi' },
            mode: 0o400,
          },
        ],
        volumeLabel: 'pod',
      },
    }),
  ],
  ['metrics of the host', Disk.downwardMetrics(), on({ downwardMetrics: {} })],
  [
    'an answer file for Windows in a ConfigMap',
    Disk.sysprepConfigMap(named('answers')),
    on({ sysprep: { configMap: { name: 'answers' } } }, { cdrom: { bus: 'sata' } }),
  ],
  [
    'an answer file for Windows in a Secret',
    Disk.sysprepSecret(named('answers')),
    on({ sysprep: { secret: { name: 'answers' } } }, { cdrom: { bus: 'sata' } }),
  ],
  ['an empty CD drive', Disk.emptyCdrom(), { disk: { name: 'disk0', cdrom: { bus: 'sata' } } }],
  [
    'a writable CD drive with an open tray',
    Disk.dataVolume(named('iso'), {
      device: DiskDevice.cdrom({ tray: CdromTray.OPEN }),
      readOnly: false,
      bus: DiskBus.SCSI,
    }),
    on({ dataVolume: { name: 'iso' } }, { cdrom: { bus: 'scsi', readonly: false, tray: 'open' } }),
  ],
  [
    'a LUN with reservations',
    Disk.persistentVolumeClaim(named('san'), { device: DiskDevice.lun({ reservation: true }), readOnly: true }),
    on({ persistentVolumeClaim: { claimName: 'san' } }, { lun: { bus: 'scsi', readonly: true, reservation: true } }),
  ],
  [
    'a directory of a claim',
    Disk.persistentVolumeClaim(named('share'), { name: 'share', device: DiskDevice.FILESYSTEM }),
    {
      filesystem: { name: 'share', virtiofs: {} },
      volume: { name: 'share', persistentVolumeClaim: { claimName: 'share' } },
    },
  ],
  [
    'a directory of the launcher',
    Disk.containerPath('/mnt/x', { name: 'folder', readOnly: true }),
    {
      filesystem: { name: 'folder', virtiofs: {} },
      volume: { name: 'folder', containerPath: { path: '/mnt/x', readOnly: true } },
    },
  ],
  [
    'the target of a memory dump',
    Disk.memoryDump(named('dump'), { name: 'dump', hotpluggable: true, readOnly: false }),
    { volume: { name: 'dump', memoryDump: { claimName: 'dump', hotpluggable: true, readOnly: false } } },
  ],
  [
    'any volume source',
    Disk.of({ hostDisk: { path: '/d', type: 'Disk' } }),
    on({ hostDisk: { path: '/d', type: 'Disk' } }),
  ],
  [
    'every option of a disk',
    Disk.persistentVolumeClaim(
      { name: 'scratch' },
      {
        name: 'scratch',
        device: DiskDevice.plain({ pciAddress: '0000:81:01.0' }),
        bootOrder: 2,
        serial: 'S1',
        readOnly: true,
        cache: DiskCache.NONE,
        io: DiskIo.NATIVE,
        dedicatedIoThread: true,
        errorPolicy: DiskErrorPolicy.REPORT,
        shareable: false,
        tag: 'fast',
        blockSize: DiskBlockSize.custom({ logical: 512, physical: 4096, discardGranularity: 1024 }),
        changedBlockTracking: false,
      },
    ),
    {
      disk: {
        name: 'scratch',
        disk: { bus: 'virtio', readonly: true, pciAddress: '0000:81:01.0' },
        bootOrder: 2,
        serial: 'S1',
        cache: 'none',
        io: 'native',
        dedicatedIOThread: true,
        errorPolicy: 'report',
        shareable: false,
        tag: 'fast',
        blockSize: { custom: { logical: 512, physical: 4096, discardGranularity: 1024 } },
        changedBlockTracking: false,
      },
      volume: { name: 'scratch', persistentVolumeClaim: { claimName: 'scratch' } },
    },
  ],
  [
    'the sector sizes of the volume',
    Disk.emptyDisk(size, { blockSize: DiskBlockSize.matchVolume() }),
    {
      disk: { name: 'disk0', disk: { bus: 'virtio' }, blockSize: { matchVolume: { enabled: true } } },
      volume: { name: 'disk0', emptyDisk: { capacity: '10Gi' } },
    },
  ],
];

/** Disks that are created together with their VM, and the spec of their DataVolume. */
export const own: [string, Disk, Loose][] = [
  ['an empty disk', Disk.blank(size), { source: { blank: {} }, storage: requests }],
  [
    'every option of a claim that a StorageProfile completes',
    Disk.blank(size, {
      storageClassName: 'fast',
      accessModes: [AccessMode.READ_WRITE_MANY],
      volumeMode: VolumeMode.BLOCK,
      sizeLimit: Size.gibibytes(20),
      selector: { matchLabels: { tier: 'gold' }, matchExpressions: [{ key: 'old', operator: 'In', values: ['no'] }] },
      volumeName: 'pv-1',
      content: DiskContent.DISK,
      preallocation: true,
      priorityClassName: 'high',
      serviceAccount: named('importer'),
    }),
    {
      source: { blank: {} },
      storage: {
        storageClassName: 'fast',
        accessModes: ['ReadWriteMany'],
        volumeMode: 'Block',
        resources: { requests: { storage: '10Gi' }, limits: { storage: '20Gi' } },
        selector: { matchLabels: { tier: 'gold' }, matchExpressions: [{ key: 'old', operator: 'In', values: ['no'] }] },
        volumeName: 'pv-1',
      },
      contentType: 'kubevirt',
      preallocation: true,
      priorityClassName: 'high',
      serviceAccountName: 'importer',
    },
  ],
  [
    'an exact claim',
    Disk.upload(size, {
      exact: true,
      storageClassName: 'fast',
      accessModes: [AccessMode.READ_WRITE_ONCE],
      volumeMode: VolumeMode.FILESYSTEM,
      sizeLimit: Size.gibibytes(20),
      selector: { matchLabels: { tier: 'gold' }, matchExpressions: [{ key: 'old', operator: 'In', values: ['no'] }] },
      volumeName: 'pv-1',
      volumeAttributesClassName: 'gold',
    }),
    {
      source: { upload: {} },
      pvc: {
        storageClassName: 'fast',
        accessModes: ['ReadWriteOnce'],
        volumeMode: 'Filesystem',
        resources: { requests: { storage: '10Gi' }, limits: { storage: '20Gi' } },
        selector: { matchLabels: { tier: 'gold' }, matchExpressions: [{ key: 'old', operator: 'In', values: ['no'] }] },
        volumeName: 'pv-1',
        volumeAttributesClassName: 'gold',
      },
    },
  ],
  [
    'an HTTP server',
    Disk.http('https://images.example/os.qcow2', size, {
      checksum: `sha256:${'0'.repeat(64)}`,
      credentials: named('login'),
      certConfigMap: named('authorities'),
      extraHeaders: ['X-A: 1'],
      secretHeaders: [named('header')],
      insecureSkipVerify: false,
    }),
    {
      source: {
        http: {
          url: 'https://images.example/os.qcow2',
          checksum: `sha256:${'0'.repeat(64)}`,
          secretRef: 'login',
          certConfigMap: 'authorities',
          extraHeaders: ['X-A: 1'],
          secretExtraHeaders: ['header'],
          insecureSkipVerify: false,
        },
      },
      storage: requests,
    },
  ],
  [
    'S3',
    Disk.s3('https://s3.example/b/os.img', size, {
      credentials: named('login'),
      certConfigMap: named('authorities'),
    }),
    {
      source: { s3: { url: 'https://s3.example/b/os.img', secretRef: 'login', certConfigMap: 'authorities' } },
      storage: requests,
    },
  ],
  [
    'Google Cloud Storage',
    Disk.gcs('gs://bucket/os.img', size, { credentials: named('login') }),
    { source: { gcs: { url: 'gs://bucket/os.img', secretRef: 'login' } }, storage: requests },
  ],
  [
    'a container image',
    Disk.registry('registry.example/os:1', size, {
      pullMethod: PullMethod.POD,
      credentials: named('login'),
      certConfigMap: named('authorities'),
      architecture: 'arm64',
    }),
    {
      source: {
        registry: {
          url: 'docker://registry.example/os:1',
          pullMethod: 'pod',
          secretRef: 'login',
          certConfigMap: 'authorities',
          platform: { architecture: 'arm64' },
        },
      },
      storage: requests,
    },
  ],
  [
    'an OCI archive',
    Disk.registry('oci-archive://os.tar', size),
    { source: { registry: { url: 'oci-archive://os.tar' } }, storage: requests },
  ],
  [
    'an image stream',
    Disk.imageStream('fedora', size),
    { source: { registry: { imageStream: 'fedora', pullMethod: 'node' } }, storage: requests },
  ],
  [
    'oVirt with checkpoints',
    Disk.imageio('https://engine.example/api', size, {
      diskId: 'd-1',
      credentials: named('login'),
      certConfigMap: named('authorities'),
      insecureSkipVerify: true,
      checkpoints: [{ current: 's1' }, { current: 's2', previous: 's1' }],
      finalCheckpoint: true,
    }),
    {
      source: {
        imageio: {
          url: 'https://engine.example/api',
          diskId: 'd-1',
          secretRef: 'login',
          certConfigMap: 'authorities',
          insecureSkipVerify: true,
        },
      },
      storage: requests,
      checkpoints: [
        { current: 's1', previous: '' },
        { current: 's2', previous: 's1' },
      ],
      finalCheckpoint: true,
    },
  ],
  [
    'VMware',
    Disk.vddk('https://vcenter.example', size, {
      backingFile: '[store] vm/vm.vmdk',
      uuid: '52a0',
      thumbprint: '20:6C',
      credentials: named('login'),
      initImageUrl: 'registry.example/vddk:1',
      extraArgs: named('arguments'),
      certConfigMap: named('authorities'),
    }),
    {
      source: {
        vddk: {
          url: 'https://vcenter.example',
          backingFile: '[store] vm/vm.vmdk',
          uuid: '52a0',
          thumbprint: '20:6C',
          secretRef: 'login',
          initImageURL: 'registry.example/vddk:1',
          extraArgs: 'arguments',
          certConfigMap: 'authorities',
        },
      },
      storage: requests,
    },
  ],
  [
    'a claim of another namespace',
    Disk.cloneOf(named('golden'), { namespace: 'images' }),
    { source: { pvc: { name: 'golden', namespace: 'images' } }, storage: {} },
  ],
  [
    'a larger copy of a snapshot',
    Disk.snapshot(named('golden'), { namespace: 'images', size }),
    { source: { snapshot: { name: 'golden', namespace: 'images' } }, storage: requests },
  ],
  [
    'a DataSource',
    Disk.dataSource(named('fedora'), { namespace: 'images' }),
    { sourceRef: { kind: 'DataSource', name: 'fedora', namespace: 'images' }, storage: {} },
  ],
  [
    'a DataSource of the same namespace',
    Disk.dataSource(named('fedora')),
    { sourceRef: { kind: 'DataSource', name: 'fedora' }, storage: {} },
  ],
  [
    'a populator of another controller',
    Disk.from(DataVolumeSource.populator({ apiGroup: 'example.com', kind: 'Disk', name: 'd' }), { size }),
    { storage: { ...requests, dataSourceRef: { apiGroup: 'example.com', kind: 'Disk', name: 'd' } } },
  ],
  [
    'a populator of another controller with an exact claim',
    Disk.from(DataVolumeSource.populator({ apiGroup: 'example.com', kind: 'Disk', name: 'd' }), {
      size,
      exact: true,
      accessModes: [AccessMode.READ_WRITE_ONCE],
    }),
    {
      pvc: {
        ...requests,
        accessModes: ['ReadWriteOnce'],
        dataSourceRef: { apiGroup: 'example.com', kind: 'Disk', name: 'd' },
      },
    },
  ],
  [
    'any data source',
    Disk.from(DataVolumeSource.of({ http: { url: 'http://images.example/a' } }), { size }),
    { source: { http: { url: 'http://images.example/a' } }, storage: requests },
  ],
];

/** Disk and volume of the first disk. */
function on(volume: object, device: object = { disk: { bus: 'virtio' } }): Rendered {
  return { disk: { name: 'disk0', ...device }, volume: { name: 'disk0', ...volume } };
}
