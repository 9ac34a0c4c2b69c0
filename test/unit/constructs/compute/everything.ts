/** Objects that use each of their properties, without the escape hatch `instanceSpec`. */
import { Chart, Duration, Size } from 'cdk8s';
import {
  AccessCredential,
  Architecture,
  Clock,
  CloudInit,
  Cpu,
  CpuFeaturePolicy,
  DeviceOptions,
  Disk,
  DiskBlockSize,
  DiskBus,
  DiskCache,
  DiskDevice,
  DiskIo,
  EvictionStrategy,
  Firmware,
  Gpu,
  GuestProps,
  HostDevice,
  HugepageSize,
  HyperV,
  InputBus,
  InputDevice,
  InputType,
  InstancetypeProps,
  IoThreads,
  KernelBoot,
  LaunchSecurity,
  NicModel,
  NodeQuery,
  PanicModel,
  PoolMaxUnavailable,
  PoolOrder,
  PoolScaleInStrategy,
  PoolStatePreservation,
  PoolUpdateStrategy,
  PreferenceProps,
  PreferredTopology,
  ProbeScheme,
  PullPolicy,
  RebootPolicy,
  RtcTrack,
  RunStrategy,
  SoundModel,
  SpreadAcross,
  StartStrategy,
  TickPolicy,
  Tpm,
  UpdateVolumesStrategy,
  UtilityVolumeType,
  VideoModel,
  VirtualMachineInstance,
  VirtualMachinePoolProps,
  VirtualMachineReplicaSetProps,
  VmDnsPolicy,
  VmNetwork,
  VmProbe,
  VmResourceClaim,
  Watchdog,
  WatchdogAction,
} from '../../../../src';

const claim = VmResourceClaim.fromClaim({ name: 'gpus' });
const template = VmResourceClaim.fromTemplate({ name: 'cards' }, { name: 'nics' });

const devices: DeviceOptions = {
  gpus: [
    Gpu.device('nvidia.com/GP102GL', { name: 'big', tag: 'first', virtualGpu: { display: true, ramFb: false } }),
    Gpu.fromClaim(claim, 'one'),
  ],
  hostDevices: [HostDevice.device('intel.com/qat', { tag: 'crypto' }), HostDevice.fromClaim(template, 'nic')],
  inputs: [InputDevice.tablet({ name: 'pen', bus: InputBus.VIRTIO })],
  panicDevices: [PanicModel.PVPANIC],
  rng: true,
  watchdog: Watchdog.i6300esb(WatchdogAction.POWEROFF),
  tpm: Tpm.PERSISTENT,
  sound: SoundModel.AC97,
  video: VideoModel.VIRTIO,
  graphics: true,
  serialConsole: true,
  logSerialConsole: false,
  memBalloon: false,
  inputDevice: true,
  podInterface: true,
  vsock: true,
  clientPassthrough: true,
  downwardMetrics: true,
  blockMultiQueue: true,
  networkMultiQueue: true,
  disableHotplug: true,
  virtioTransitional: true,
};

const terms = [
  {
    matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }],
    matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }],
  },
];
const labelled = {
  matchLabels: { app: 'db' },
  matchExpressions: [{ key: 'app', operator: 'In', values: ['db'] }],
};
const pods = {
  topologyKey: 'zone',
  labelSelector: labelled,
  namespaceSelector: labelled,
  namespaces: ['prod'],
  matchLabelKeys: ['app'],
  mismatchLabelKeys: ['tier'],
};
const wishes = {
  requiredDuringSchedulingIgnoredDuringExecution: [pods],
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: pods }],
};

/** Guests that together use every property. Each value is valid; the combinations need not be. */
export const guests: Record<string, GuestProps> = {
  one: {
    cpu: Cpu.topology(
      { sockets: 2, cores: 2, threads: 1 },
      {
        model: 'Haswell',
        features: [{ name: 'vmx', policy: CpuFeaturePolicy.OPTIONAL }],
        dedicated: true,
        isolateEmulatorThread: true,
        maxSockets: 4,
        numaPassthrough: true,
        realtime: { mask: '0-1' },
      },
    ),
    memory: Size.gibibytes(2),
    memoryOptions: {
      maxGuest: Size.gibibytes(8),
      hugepages: HugepageSize.TWO_MEBIBYTES,
      addedOverhead: Size.mebibytes(64),
      locked: true,
    },
    requests: { cpu: '2', memory: '3Gi' },
    limits: { cpu: '2', memory: '3Gi' },
    overcommitGuestOverhead: true,
    disks: [Disk.containerDisk('os'), Disk.configMap({ name: 'files' }, { device: DiskDevice.FILESYSTEM })],
    cloudInit: CloudInit.noCloud({ packages: ['nginx'] }),
    firmware: Firmware.efi({
      secureBoot: true,
      persistent: true,
      uuid: '5d307ca9-b3ef-428c-8861-06e72d69f223',
      serial: 'S1',
      slicTable: { name: 'slic' },
      msdmTable: { name: 'msdm' },
    }),
    machineType: 'q35',
    architecture: Architecture.AMD64,
    chassis: { manufacturer: 'A', version: '1', serial: 'C1', asset: 'X', sku: 'Y' },
    clock: Clock.utc({
      offsetSeconds: 60,
      timers: {
        hpet: { present: true, tickPolicy: TickPolicy.MERGE },
        hyperv: true,
        kvm: false,
        pit: { present: true, tickPolicy: TickPolicy.DELAY },
        rtc: { present: true, tickPolicy: TickPolicy.CATCHUP, track: RtcTrack.GUEST },
      },
    }),
    features: { acpi: true, apic: true, apicEndOfInterrupt: true, kvmHidden: true, pvSpinlock: false, smm: true },
    hyperv: HyperV.windows({ evmcs: true, vendorId: 'virt8s', tlbFlushDirect: true, tlbFlushExtended: true }),
    launchSecurity: LaunchSecurity.sev({ encryptedState: true, attestation: true, dhCert: 'QQ==', session: 'QQ==' }),
    ioThreads: IoThreads.pool(4),
    devices,
    resourceClaims: [claim],
    utilityVolumes: [{ name: 'dump', claim: { name: 'dumps' }, type: UtilityVolumeType.MEMORY_DUMP, readOnly: false }],
    scheduling: {
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'vms', operator: 'Equal', value: 'only', effect: 'NoExecute', tolerationSeconds: 60 }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: terms[0] }],
        },
        podAffinity: wishes,
        podAntiAffinity: wishes,
      },
      topologySpread: [
        {
          topologyKey: 'zone',
          maxSkew: 1,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: labelled,
          minDomains: 2,
          nodeAffinityPolicy: 'Honor',
          nodeTaintsPolicy: 'Honor',
          matchLabelKeys: ['app'],
        },
      ],
      priorityClass: 'high',
      schedulerName: 'mine',
    },
    readiness: VmProbe.fromHttpGet('/health', {
      port: 8080,
      scheme: ProbeScheme.HTTPS,
      host: '10.0.2.2',
      headers: { Accept: 'text/plain' },
      initialDelay: Duration.seconds(5),
      period: Duration.seconds(20),
      timeout: Duration.seconds(2),
      failureThreshold: 5,
      successThreshold: 2,
    }),
    liveness: VmProbe.fromTcpSocket(22, { host: '10.0.2.2' }),
    accessCredentials: [
      AccessCredential.sshKeysByAgent({ name: 'keys' }, ['me']),
      AccessCredential.sshKeysByNoCloud({ name: 'keys' }),
      AccessCredential.sshKeysByConfigDrive({ name: 'keys' }),
      AccessCredential.passwordsByAgent({ name: 'passwords' }),
    ],
    serviceAccount: { name: 'vms' },
    hostname: 'db-1',
    subdomain: 'db',
    dns: {
      policy: VmDnsPolicy.NONE,
      nameservers: ['10.0.0.1'],
      searches: ['example.com'],
      options: { ndots: '2', rotate: '' },
    },
    startStrategy: StartStrategy.PAUSED,
    evictionStrategy: EvictionStrategy.LIVE_MIGRATE,
    terminationGracePeriod: Duration.minutes(2),
    rebootPolicy: RebootPolicy.TERMINATE,
  },
  two: {
    firmware: Firmware.bios({
      useSerial: true,
      kernelBoot: KernelBoot.container('boot', {
        kernelPath: '/boot/vmlinuz',
        initrdPath: '/boot/initrd',
        args: 'console=ttyS0',
        pullPolicy: PullPolicy.ALWAYS,
        pullSecret: { name: 'registry' },
      }),
    }),
    clock: Clock.timezone('Europe/Prague'),
    hyperv: HyperV.passthrough(),
    launchSecurity: LaunchSecurity.snp(),
    readiness: VmProbe.fromCommand(['true']),
    liveness: VmProbe.fromGuestAgent(),
    networks: [],
  },
  three: {
    launchSecurity: LaunchSecurity.tdx(),
    devices: { tpm: Tpm.NONE },
    networks: [VmNetwork.bridge()],
    readiness: VmProbe.fromGuestAgent(),
    liveness: VmProbe.fromCommand(['true']),
  },
  four: {
    architecture: Architecture.S390X,
    devices: { watchdog: Watchdog.diag288() },
    readiness: VmProbe.fromTcpSocket(80, { host: 'x' }),
    liveness: guestsHttp(),
  },
};

function guestsHttp(): VmProbe {
  return VmProbe.fromHttpGet('/', {
    scheme: ProbeScheme.HTTP,
    host: 'x',
    headers: { a: 'b' },
    initialDelay: Duration.seconds(1),
    period: Duration.seconds(1),
    timeout: Duration.seconds(1),
    failureThreshold: 1,
    successThreshold: 1,
  });
}

export const instancetype: InstancetypeProps = {
  cpus: 4,
  memory: Size.gibibytes(4),
  maxSockets: 8,
  cpuModel: 'Haswell',
  dedicatedCpus: true,
  isolateEmulatorThread: true,
  numaPassthrough: true,
  realtime: { mask: '0' },
  maxMemory: Size.gibibytes(8),
  hugepages: HugepageSize.ONE_GIBIBYTE,
  memoryOvercommitPercent: 0,
  gpus: guests.one.devices?.gpus,
  hostDevices: guests.one.devices?.hostDevices,
  ioThreads: IoThreads.pool(2),
  launchSecurity: guests.one.launchSecurity,
  nodeSelector: { disk: 'ssd' },
  schedulerName: 'mine',
  annotations: { note: 'x' },
};

export const preferences: PreferenceProps[] = [
  {
    topology: PreferredTopology.spread(SpreadAcross.SOCKETS_CORES_THREADS, 4),
    socketToCoreRatio: 4,
    cpuFeatures: [{ name: 'vmx', policy: CpuFeaturePolicy.REQUIRE }],
    clock: guests.one.clock,
    devices: {
      diskBus: DiskBus.VIRTIO,
      cdromBus: DiskBus.SATA,
      lunBus: DiskBus.SCSI,
      diskCache: DiskCache.NONE,
      diskIo: DiskIo.NATIVE,
      diskBlockSize: DiskBlockSize.custom({ logical: 512, physical: 4096, discardGranularity: 4096 }),
      diskDedicatedIoThread: true,
      interfaceModel: NicModel.VIRTIO,
      interfaceMasquerade: true,
      inputBus: InputBus.VIRTIO,
      inputType: InputType.TABLET,
      panicModel: PanicModel.ISA,
      soundModel: SoundModel.ICH9,
      video: VideoModel.VIRTIO,
      tpm: Tpm.PERSISTENT,
      rng: true,
      virtualGpu: { display: true, ramFb: true },
      graphics: true,
      inputDevice: true,
      memBalloon: true,
      podInterface: true,
      serialConsole: true,
      blockMultiQueue: true,
      networkMultiQueue: true,
      disableHotplug: false,
      virtioTransitional: false,
    },
    features: guests.one.features,
    hyperv: guests.one.hyperv,
    firmware: { efi: true, secureBoot: true, persistent: true },
    machineType: 'q35',
    architecture: Architecture.AMD64,
    launchSecurity: guests.one.launchSecurity,
    subdomain: 'vms',
    terminationGracePeriod: Duration.minutes(1),
    storageClass: 'fast',
    requirements: { cpus: 2, memory: Size.gibibytes(1), architecture: Architecture.AMD64 },
    annotations: { note: 'x' },
  },
  {
    firmware: { efi: false, useSerial: true },
    clock: guests.two.clock,
    devices: { tpm: Tpm.NONE, diskBlockSize: DiskBlockSize.matchVolume() },
    launchSecurity: guests.two.launchSecurity,
  },
  { launchSecurity: guests.three.launchSecurity },
];

const selector = {
  matchLabels: { app: 'web' },
  matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }],
};
const selection = {
  labels: selector,
  nodes: [NodeQuery.is('disk', 'hdd'), NodeQuery.gt('generation', 3)],
  order: PoolOrder.OLDEST,
};

export const replicaSet: VirtualMachineReplicaSetProps = {
  memory: Size.gibibytes(1),
  replicas: 3,
  paused: true,
  selector,
  instanceMetadata: { labels: { app: 'web' } },
};

const pool: VirtualMachinePoolProps = {
  memory: Size.gibibytes(1),
  disks: [Disk.blank(Size.gibibytes(1))],
  replicas: 3,
  paused: true,
  selector,
  virtualMachineMetadata: { labels: { app: 'web' }, annotations: { note: 'x' } },
  instanceMetadata: { labels: { app: 'web' } },
  runStrategy: RunStrategy.ALWAYS,
  updateVolumesStrategy: UpdateVolumesStrategy.MIGRATION,
  maxUnavailable: PoolMaxUnavailable.percent(20),
  autohealing: { failedStarts: 5, failingFor: Duration.minutes(10) },
  ownConfigMaps: true,
  ownSecrets: true,
};

export const pools: VirtualMachinePoolProps[] = [
  {
    ...pool,
    updateStrategy: PoolUpdateStrategy.proactive(selection),
    scaleInStrategy: PoolScaleInStrategy.proactive({ selection, statePreservation: PoolStatePreservation.OFFLINE }),
  },
  {
    ...pool,
    updateStrategy: PoolUpdateStrategy.opportunistic(),
    scaleInStrategy: PoolScaleInStrategy.opportunistic({ statePreservation: PoolStatePreservation.ONLINE }),
  },
  {
    ...pool,
    updateStrategy: PoolUpdateStrategy.unmanaged(),
    scaleInStrategy: PoolScaleInStrategy.unmanaged(),
    maxUnavailable: PoolMaxUnavailable.count(1),
  },
];

/** Returns the spec of an instance with these properties. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
export function specOf(chart: Chart, id: string, props: GuestProps): any {
  return new VirtualMachineInstance(chart, id, props).apiObject.toJson().spec;
}
