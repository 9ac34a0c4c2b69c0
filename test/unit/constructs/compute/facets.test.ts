/** Tests what each property and facet of a guest renders. */
import { Duration, Size } from 'cdk8s';
import {
  Preference,
  TaintEffect,
  type PreferenceProps,
  AccessCredential,
  Architecture,
  Clock,
  CloudInit,
  CloudUser,
  Cpu,
  CpuFeaturePolicy,
  DeviceOptions,
  Disk,
  DiskDevice,
  Firmware,
  Gpu,
  GuestProps,
  HostDevice,
  HugepageSize,
  HyperV,
  InputDevice,
  IGuestPods,
  IoThreads,
  KernelBoot,
  LaunchSecurity,
  MachineFeatures,
  NodeQuery,
  PanicModel,
  SoundModel,
  Sysprep,
  Tpm,
  VideoModel,
  VirtualMachine,
  VmDnsPolicy,
  VmProbe,
  VmResourceClaim,
  VmTopology,
  Watchdog,
  WindowsAdmin,
  WindowsRelease,
} from '../../../../src';
import { instanceSpec, mistakeOf, testChart, testVm } from '../fixtures';

const domain = (props: GuestProps) => instanceSpec(testVm(props)).domain;
const on = { enabled: true };

const UNATTEND = '<unattend xmlns="urn:schemas-microsoft-com:unattend"></unattend>';

test.each<[string, Cpu, object]>([
  ['cores', Cpu.cores(2), { cores: 2 }],
  ['sockets', Cpu.sockets(2, { maxSockets: 4 }), { sockets: 2, maxSockets: 4 }],
  ['a topology', Cpu.topology({ sockets: 2, cores: 4 }), { sockets: 2, cores: 4 }],
  ['a model without a size', Cpu.ofModel('Haswell'), { model: 'Haswell' }],
  [
    'a hidden feature',
    Cpu.cores(1, { features: [{ name: 'vmx', policy: CpuFeaturePolicy.DISABLE }, { name: 'aes' }] }),
    { cores: 1, features: [{ name: 'vmx', policy: 'disable' }, { name: 'aes' }] },
  ],
  [
    'realtime scheduling of all vCPUs',
    Cpu.cores(2, { dedicated: true, realtime: {}, numaPassthrough: true }),
    {
      cores: 2,
      dedicatedCpuPlacement: true,
      realtime: {},
      numa: { guestMappingPassthrough: {} },
    },
  ],
])('cpu: %s', (_, cpu, want) => expect(domain({ cpu }).cpu).toEqual(want));

test.each<[string, GuestProps, object | undefined]>([
  ['a size', { memory: Size.mebibytes(1536) }, { guest: '1536Mi' }],
  [
    'huge pages',
    { memoryOptions: { hugepages: HugepageSize.TWO_MEBIBYTES } },
    { guest: '1Gi', hugepages: { pageSize: '2Mi' } },
  ],
  [
    'a maximum for hotplug',
    { memoryOptions: { maxGuest: Size.gibibytes(4), locked: false } },
    { guest: '1Gi', maxGuest: '4Gi', reservedOverhead: { memLock: 'NotRequired' } },
  ],
  ['a quantity that Size cannot express', { memoryOptions: { quantity: '1024M' } }, { guest: '1024M' }],
  ['only a request', { memory: undefined, requests: { memory: '1Gi' } }, undefined],
])('memory: %s', (_, props, want) => expect(domain(props).memory).toEqual(want));

test.each<[string, GuestProps, object | undefined]>([
  ['nothing', {}, undefined],
  ['an empty list of requests', { requests: {} }, {}],
  ['requests and limits', { requests: { cpu: '1' }, limits: {} }, { requests: { cpu: '1' }, limits: {} }],
])('resources: %s', (_, props, want) => expect(domain(props).resources).toEqual(want));

test.each<[string, Firmware, object]>([
  ['BIOS', Firmware.bios(), { bootloader: { bios: {} } }],
  ['UEFI', Firmware.efi(), { bootloader: { efi: { secureBoot: true } } }],
  [
    'the default firmware with a serial number',
    Firmware.platform({ serial: 'S1', uuid: '5d307ca9-b3ef-428c-8861-06e72d69f223' }),
    { serial: 'S1', uuid: '5d307ca9-b3ef-428c-8861-06e72d69f223' },
  ],
  [
    'a kernel from an image',
    Firmware.platform({ kernelBoot: KernelBoot.container('k', { kernelPath: '/k', args: 'quiet' }) }),
    { kernelBoot: { container: { image: 'k', kernelPath: '/k' }, kernelArgs: 'quiet' } },
  ],
])('firmware: %s', (_, firmware, want) => expect(domain({ firmware }).firmware).toEqual(want));

test('a licence table renders a volume of its Secret', () => {
  const spec = instanceSpec(testVm({ firmware: Firmware.platform({ msdmTable: { name: 'licence' } }) }));
  expect(spec.domain.firmware).toEqual({ acpi: { msdmNameRef: 'acpi-msdm' } });
  expect(spec.volumes[1]).toEqual({ name: 'acpi-msdm', secret: { secretName: 'licence' } });
});

test.each<[string, Pick<GuestProps, 'features' | 'firmware' | 'hyperv'>, object | undefined]>([
  ['nothing', {}, undefined],
  ['SMM with secure boot', { firmware: Firmware.efi() }, { smm: on }],
  ['no SMM without it', { firmware: Firmware.efi({ secureBoot: false }) }, undefined],
  [
    'each feature of the machine',
    { features: { acpi: true, apicEndOfInterrupt: true, kvmHidden: true, pvSpinlock: false } as MachineFeatures },
    { acpi: on, apic: { endOfInterrupt: true }, kvm: { hidden: true }, pvspinlock: { enabled: false } },
  ],
  [
    'single Hyper-V enlightenments',
    { hyperv: HyperV.of({ relaxed: true, vpIndex: true, tlbFlushDirect: true, vendorId: 'me' }) },
    {
      hyperv: {
        relaxed: on,
        vpindex: on,
        tlbflush: { enabled: true, direct: on },
        vendorid: { enabled: true, vendorid: 'me' },
      },
    },
  ],
  ['passthrough of Hyper-V', { hyperv: HyperV.passthrough() }, { hypervPassthrough: on }],
])('features: %s', (_, props, want) => expect(domain(props).features).toEqual(want));

test('HyperV.windows turns on its set, and overrides turn off single enlightenments', () => {
  const { hyperv } = domain({ hyperv: HyperV.windows({ reenlightenment: false }) }).features;
  expect(Object.keys(hyperv)).toHaveLength(12);
  expect(hyperv).toMatchObject({ spinlocks: { spinlocks: 8191 }, reenlightenment: { enabled: false } });
});

test.each<[string, Clock, object]>([
  ['UTC', Clock.utc(), { utc: {} }],
  ['UTC with a negative offset', Clock.utc({ offsetSeconds: -3600 }), { utc: { offsetSeconds: -3600 } }],
  [
    'a time zone without HPET',
    Clock.timezone('Europe/Prague', { timers: { hpet: { present: false }, kvm: true } }),
    { timezone: 'Europe/Prague', timer: { hpet: { present: false }, kvm: { present: true } } },
  ],
  [
    'Windows',
    Clock.windows('Europe/Prague'),
    {
      timezone: 'Europe/Prague',
      timer: {
        hpet: { present: false },
        hyperv: { present: true },
        pit: { tickPolicy: 'delay' },
        rtc: { tickPolicy: 'catchup' },
      },
    },
  ],
])('clock: %s', (_, clock, want) => expect(domain({ clock }).clock).toEqual(want));

test.each<[string, DeviceOptions, object]>([
  ['an emulated TPM', { tpm: Tpm.EMULATED }, { tpm: {} }],
  ['a persistent TPM', { tpm: Tpm.PERSISTENT }, { tpm: { persistent: true } }],
  ['a random number generator', { rng: true }, { rng: {} }],
  ['no random number generator', { rng: false }, {}],
  ['no graphics card', { graphics: false }, { autoattachGraphicsDevice: false }],
  ['a watchdog', { watchdog: Watchdog.i6300esb() }, { watchdog: { name: 'watchdog', i6300esb: { action: 'reset' } } }],
  ['sound', { sound: SoundModel.ICH9 }, { sound: { name: 'sound', model: 'ich9' } }],
  ['video', { video: VideoModel.VIRTIO }, { video: { type: 'virtio' } }],
  ['a tablet', { inputs: [InputDevice.tablet()] }, { inputs: [{ name: 'input0', type: 'tablet' }] }],
  ['a panic device', { panicDevices: [PanicModel.PVPANIC] }, { panicDevices: [{ model: 'pvpanic' }] }],
  ['USB redirection', { clientPassthrough: true }, { clientPassthrough: {} }],
  [
    'queues',
    { blockMultiQueue: true, networkMultiQueue: true },
    { blockMultiQueue: true, networkInterfaceMultiqueue: true },
  ],
])('devices: %s', (_, devices, want) => {
  const { disks, interfaces, ...rest } = domain({ devices }).devices;
  expect([disks, interfaces, rest]).toEqual([expect.any(Array), expect.any(Array), want]);
});

test('a device of a claim adds its claim once', () => {
  const claim = VmResourceClaim.fromTemplate({ name: 'accelerators' }, { name: 'cards' });
  const vm = new VirtualMachine(testChart(), 'vm', { memory: Size.gibibytes(1), resourceClaims: [claim] });
  vm.devices.addGpu(Gpu.fromClaim(claim, 'gpu'));
  vm.devices.addHostDevice(HostDevice.fromClaim(claim, 'nic'));
  const spec = instanceSpec(vm);
  expect(spec.resourceClaims).toEqual([{ name: 'cards', resourceClaimTemplateName: 'accelerators' }]);
  expect(spec.domain.devices.gpus).toEqual([{ name: 'gpu0', claimName: 'cards', requestName: 'gpu' }]);
  expect(spec.domain.devices.hostDevices).toEqual([{ name: 'device0', claimName: 'cards', requestName: 'nic' }]);
});

test.each<[string, LaunchSecurity, object]>([
  ['SEV', LaunchSecurity.sev(), { sev: {} }],
  ['SEV-ES', LaunchSecurity.sev({ encryptedState: true }), { sev: { policy: { encryptedState: true } } }],
  ['SNP', LaunchSecurity.snp(), { snp: {} }],
  ['TDX', LaunchSecurity.tdx(), { tdx: {} }],
  ['Secure Execution', LaunchSecurity.secureExecution(), {}],
])('launch security: %s', (_, launchSecurity, want) => expect(domain({ launchSecurity }).launchSecurity).toEqual(want));

test.each<[string, IoThreads, object]>([
  ['one shared thread', IoThreads.shared(), { ioThreadsPolicy: 'shared' }],
  ['a number that depends on the vCPUs', IoThreads.auto(), { ioThreadsPolicy: 'auto' }],
  ['a pool', IoThreads.pool(4), { ioThreadsPolicy: 'supplementalPool', ioThreads: { supplementalPoolThreadCount: 4 } }],
])('I/O threads: %s', (_, ioThreads, want) => expect(domain({ ioThreads })).toMatchObject(want));

test.each<[string, VmProbe, object]>([
  ['HTTP', VmProbe.fromHttpGet('/'), { httpGet: { path: '/', port: 80 } }],
  ['TCP', VmProbe.fromTcpSocket(22), { tcpSocket: { port: 22 } }],
  ['a command', VmProbe.fromCommand(['true']), { exec: { command: ['true'] } }],
  [
    'the guest agent with long times',
    VmProbe.fromGuestAgent({ initialDelay: Duration.minutes(2), failureThreshold: 9 }),
    { guestAgentPing: {}, initialDelaySeconds: 120, failureThreshold: 9 },
  ],
])('probes: %s', (_, probe, want) => {
  const { readinessProbe, livenessProbe } = instanceSpec(testVm({ readiness: probe, liveness: probe }));
  expect([readinessProbe, livenessProbe]).toEqual([want, want]);
});

test('credentials: lists those of the property first, then one for each Secret of cloud-init users', () => {
  const password = { source: { secret: { secretName: 'passwords' } }, propagationMethod: { qemuGuestAgent: {} } };
  const vm = testVm({
    accessCredentials: [AccessCredential.sshKeysByAgent({ name: 'keys' }, ['me'])],
    cloudInit: CloudInit.noCloud({
      users: ['me', 'you'].map((name) => CloudUser.named(name, { passwordFrom: { name: 'passwords' } })),
    }),
  });
  vm.addAccessCredential(AccessCredential.sshKeysByNoCloud({ name: 'more' }));
  expect(instanceSpec(vm).accessCredentials).toEqual([
    {
      sshPublicKey: {
        source: { secret: { secretName: 'keys' } },
        propagationMethod: { qemuGuestAgent: { users: ['me'] } },
      },
    },
    { sshPublicKey: { source: { secret: { secretName: 'more' } }, propagationMethod: { noCloud: {} } } },
    { userPassword: password },
  ]);
});

test.each([
  ['is set by the guest agent', {}, ['windows']],
  ['shares an entry with users of the same Secret', { passwordFrom: { name: 'windows' } }, ['windows']],
  ['follows the entries of other Secrets', { passwordFrom: { name: 'linux' } }, ['linux', 'windows']],
])("credentials: the password of Windows' administrator %s", (_, user, want) => {
  const admin = WindowsAdmin.local('ops', { passwordFrom: { name: 'windows' } });
  const { accessCredentials = [] } = instanceSpec(
    testVm({
      sysprep: Sysprep.firstBoot({ release: WindowsRelease.WINDOWS_11, admin }),
      cloudInit: CloudInit.noCloud({ users: [CloudUser.named('me', user)] }),
    }),
  );
  expect(accessCredentials).toEqual(
    want.map((secretName) => ({
      userPassword: { source: { secret: { secretName } }, propagationMethod: { qemuGuestAgent: {} } },
    })),
  );
});

describe('scheduling', () => {
  const pods = (name: string) => ({
    topologyKey: 'kubernetes.io/hostname',
    labelSelector: { matchLabels: { 'vm.kubevirt.io/name': name } },
  });

  test('requirements are alternatives, preferences add up', () => {
    const vm = testVm();
    vm.scheduling.attract([NodeQuery.is('disk', 'ssd'), NodeQuery.doesNotExist('slow')]);
    vm.scheduling.attract([NodeQuery.in('zone', ['a', 'b'])]);
    vm.scheduling.attract([NodeQuery.lt('age', 5)], { weight: 10 });
    expect(instanceSpec(vm).affinity.nodeAffinity).toEqual({
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          {
            matchExpressions: [
              { key: 'disk', operator: 'In', values: ['ssd'] },
              { key: 'slow', operator: 'DoesNotExist' },
            ],
          },
          { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] },
        ],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 10, preference: { matchExpressions: [{ key: 'age', operator: 'Lt', values: ['5'] }] } },
      ],
    });
  });

  test('colocates with VMs and separates from VMs', () => {
    const chart = testChart();
    const vm = testVm({}, chart);
    const db = new VirtualMachine(chart, 'db', { memory: Size.gibibytes(1) });
    vm.scheduling.colocate(db);
    vm.scheduling.separate(vm, { weight: 50, topology: VmTopology.ZONE });
    expect(instanceSpec(vm).affinity).toEqual({
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [pods('web-db')] },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 50, podAffinityTerm: { ...pods('web-vm'), topologyKey: 'topology.kubernetes.io/zone' } },
        ],
      },
    });
  });

  test('methods add to the properties', () => {
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'rack' }] } };
    const vm = testVm({ scheduling: { affinity, nodeSelector: { a: 'b' }, tolerations: [{ key: 'x' }] } });
    vm.scheduling.colocate(vm);
    vm.scheduling.selectNode('c', 'd');
    vm.scheduling.tolerate('y', { effect: TaintEffect.NO_EXECUTE, evictAfter: Duration.minutes(1) });
    vm.scheduling.spread({ bestEffort: true });
    const { podAffinity } = instanceSpec(vm).affinity;
    expect(podAffinity.requiredDuringSchedulingIgnoredDuringExecution).toEqual([
      { topologyKey: 'rack' },
      pods('web-vm'),
    ]);
    expect(instanceSpec(vm)).toMatchObject({
      nodeSelector: { a: 'b', c: 'd' },
      tolerations: [{ key: 'x' }, { key: 'y', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'kubernetes.io/hostname',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: { 'vm.kubevirt.io/name': 'web-vm' } },
        },
      ],
    });
    expect(affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution).toHaveLength(1);
  });
});

test('renders DNS settings', () => {
  const dns = { policy: VmDnsPolicy.NONE, nameservers: ['10.0.0.1'], options: { ndots: '1', rotate: '' } };
  expect(instanceSpec(testVm({ dns }))).toMatchObject({
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['10.0.0.1'], options: [{ name: 'ndots', value: '1' }, { name: 'rotate' }] },
  });
});

test('a directory is rendered as a file system, not as a disk', () => {
  const folder = Disk.configMap({ name: 'site' }, { device: DiskDevice.FILESYSTEM, name: 'site' });
  const spec = instanceSpec(testVm({ disks: [folder, Disk.containerDisk('os')] }));
  expect(spec.domain.devices.filesystems).toEqual([{ name: 'site', virtiofs: {} }]);
  expect(spec.domain.devices.disks.map(({ name }: { name: string }) => name)).toEqual(['disk1']);
});

describe('generated objects', () => {
  const sensitive = () => CloudInit.noCloud({ runcmd: ['true'], sensitive: true });

  test('sensitive cloud-init data is in a Secret, and changing it changes the instance', () => {
    const chart = testChart();
    const vm = testVm({ cloudInit: sensitive(), metadata: { namespace: 'prod' } }, chart);
    const other = testVm({ cloudInit: CloudInit.noCloud({ runcmd: ['false'], sensitive: true }) });
    const [secret, manifest] = chart.toJson();
    expect(secret).toMatchObject({ kind: 'Secret', metadata: { namespace: 'prod' } });
    expect(instanceSpec(vm).volumes[1].cloudInitNoCloud).toEqual({ secretRef: { name: secret.metadata.name } });
    const checksum = (json: typeof manifest) =>
      json.spec.template.metadata.annotations['virt8s.io/cloud-init-checksum'];
    expect(checksum(manifest)).toMatch(/^[0-9a-f]{16}$/);
    expect(checksum(manifest)).not.toBe(checksum(other.apiObject.toJson()));
    expect(JSON.stringify(manifest)).not.toContain('runcmd');
  });

  test('the answer file for Windows is in a ConfigMap or in a Secret', () => {
    for (const [answers, kind] of [
      [Sysprep.raw(UNATTEND), 'ConfigMap'],
      [Sysprep.raw(UNATTEND, { sensitive: true }), 'Secret'],
    ] as const) {
      const chart = testChart();
      const vm = testVm({ sysprep: answers }, chart);
      const [generated, manifest] = chart.toJson();
      expect(generated.kind).toBe(kind);
      expect(instanceSpec(vm).volumes[1].name).toBe('sysprep');
      expect(instanceSpec(vm).domain.devices.disks[1]).toEqual({ name: 'sysprep', cdrom: { bus: 'sata' } });
      expect(manifest.spec.template.metadata.annotations).toHaveProperty(['virt8s.io/sysprep-checksum']);
    }
  });
});

test('renders architecture and chassis', () => {
  const spec = instanceSpec(testVm({ architecture: Architecture.ARM64, chassis: { asset: '4711' } }));
  expect([spec.architecture, spec.domain.chassis]).toEqual(['arm64', { asset: '4711' }]);
});

test('rejects values that a manifest cannot hold', () => {
  const circular: Record<string, unknown> = {};
  circular.domain = circular;
  expect(mistakeOf(() => testVm({ instanceSpec: circular }))).toContain('[plain-data]');
  for (const unselectable of [{ toPodSelectorConfig: () => ({}) }, {}]) {
    expect(mistakeOf(() => testVm().scheduling.separate(unselectable as IGuestPods))).toContain('[pods-selector]');
  }
  const affinity = { nodeAffinity: 'here' } as never;
  expect(mistakeOf(() => testVm({ scheduling: { affinity } }))).toContain('scheduling.affinity.nodeAffinity');
  const polluting = JSON.parse('{ "__proto__": { "polluted": true } }');
  expect(mistakeOf(() => testVm({ instanceSpec: polluting }))).toContain('unknown field "__proto__"');
  expect({}).not.toHaveProperty('polluted');
});

test.each<[string, PreferenceProps, unknown]>([
  ['with secure boot', { firmware: { efi: true, secureBoot: true } }, { enabled: true }],
  ['with UEFI, which has secure boot by default', { firmware: { efi: true } }, { enabled: true }],
  ['unless the property turns it off', { firmware: { efi: true }, features: { smm: false } }, { enabled: false }],
  ['not without secure boot', { firmware: { efi: true, secureBoot: false } }, undefined],
  ['not with BIOS', { firmware: { efi: false } }, undefined],
])('a preference enables SMM %s', (_, props, want) => {
  const { spec } = new Preference(testChart(), 'p', props).apiObject.toJson();
  expect(spec.features?.preferredSmm).toEqual(want);
});
