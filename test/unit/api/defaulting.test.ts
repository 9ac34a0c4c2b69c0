import { clusterConfig, defaultInstanceSpec, firmwareUuid, VirtualMachineInstanceSpec } from '../../../src/api';
import { canonicalForm } from '../../../src/api/defaulting/canonical';
import fc, { runs } from '../../support/fast-check';
import { configured, Loose, validVmi } from './fixtures';

const defaulted = (change: (spec: VirtualMachineInstanceSpec) => void, config = clusterConfig()) => {
  const { spec } = validVmi();
  change(spec);
  return defaultInstanceSpec(spec, config, 'web');
};

test('the least spec becomes a whole one', () => {
  const spec = defaultInstanceSpec({ domain: { devices: {}, memory: { guest: '128Mi' } } }, clusterConfig(), 'web');
  expect(spec).toEqual({
    architecture: 'amd64',
    evictionStrategy: 'None',
    domain: {
      cpu: { cores: 1, sockets: 1, threads: 1, maxSockets: 4, model: 'host-model' },
      devices: { interfaces: [{ name: 'default', bridge: {} }] },
      features: { acpi: { enabled: true } },
      firmware: { uuid: firmwareUuid('web') },
      machine: { type: 'q35' },
      memory: { guest: '128Mi' },
      resources: {},
    },
    networks: [{ name: 'default', pod: {} }],
  });
});

test('the status of a volume keeps its target, which the schema requires, also while it is empty', () => {
  expect(canonicalForm({ volumeStatus: [{ name: 'root', target: '' }] })).toEqual({
    volumeStatus: [{ name: 'root', target: '' }],
  });
});

test("a name has KubeVirt's firmware UUID", () => {
  expect(firmwareUuid('vmi-arm')).toBe('d2d55d2e-fe7f-5e6c-b7b9-26be2ac2a694');
});

describe('what comes back', () => {
  const keep = (spec: Loose) => canonicalForm(spec);
  test.each<[string, Loose, Loose]>([
    ['empty values are absence', { hostname: '', volumes: [], nodeSelector: {}, cpu: { cores: 0 } }, { cpu: {} }],
    ['null is absence', { hostname: null }, {}],
    [
      'false and zero stay where they say something',
      { autoattachPodInterface: false, terminationGracePeriodSeconds: 0 },
      { autoattachPodInterface: false, terminationGracePeriodSeconds: 0 },
    ],
    ['empty objects stay', { networks: [{ name: 'a', pod: {} }] }, { networks: [{ name: 'a', pod: {} }] }],
    ['labels may be empty', { nodeSelector: { 'node-role/x': '' } }, { nodeSelector: { 'node-role/x': '' } }],
    [
      'a CD drive may be writable, a disk is unless it says',
      { cdrom: { readonly: false }, disk: { readonly: false } },
      { cdrom: { readonly: false }, disk: {} },
    ],
    [
      'amounts are canonical',
      { requests: { memory: '1024Mi', cpu: 0.5 }, guest: '1.5Gi' },
      { requests: { memory: '1Gi', cpu: '500m' }, guest: '1536Mi' },
    ],
    ['what is always there', { hostDisk: { path: '/x' } }, { hostDisk: { path: '/x', type: '', capacity: '0' } }],
  ])('%s', (_, given, want) => expect(keep(given)).toEqual(want));
});

describe('cpu', () => {
  const cpu = (domain: VirtualMachineInstanceSpec['domain'], config = clusterConfig()) =>
    defaultInstanceSpec({ domain }, config, 'x').domain.cpu;
  test.each([
    [
      'limits come before requests',
      { devices: {}, resources: { limits: { cpu: '3' }, requests: { cpu: '2' } } },
      { sockets: 3, maxSockets: 12 },
    ],
    [
      'a fraction of a CPU is a whole socket',
      { devices: {}, resources: { requests: { cpu: '1500m' } } },
      { sockets: 2 },
    ],
    ['a given topology stays', { devices: {}, cpu: { cores: 2 } }, { cores: 2, model: 'host-model' }],
    [
      'the maximum stays within 512 vCPUs',
      { devices: {}, cpu: { cores: 8, threads: 2, sockets: 16 } },
      { maxSockets: 32 },
    ],
    [
      'the maximum is never below what runs',
      { devices: {}, cpu: { cores: 1, threads: 1, sockets: 600 } },
      { maxSockets: 600 },
    ],
  ])('%s', (_, domain, want) => expect(cpu(domain)).toMatchObject(want));

  test('a topology without sockets gets no maximum', () => {
    expect(cpu({ devices: {}, cpu: { cores: 2 } })).toEqual({ cores: 2, model: 'host-model' });
  });

  test('a limit is also the request, and the platform may have its own', () => {
    const request = (resources: Loose, config = clusterConfig(), more: Loose = {}) =>
      defaultInstanceSpec({ domain: { devices: {}, resources, ...more } }, config, 'x').domain.resources?.requests;
    expect(request({ limits: { cpu: '2' } })).toEqual({ cpu: '2' });
    expect(request({})).toBeUndefined();
    expect(request({}, configured({ cpuRequest: '0.1' }))).toBeUndefined();
    expect(request({}, configured({ cpuRequest: '200m' }))).toEqual({ cpu: '200m' });
    expect(request({}, configured({ cpuRequest: '200m' }), { cpu: { dedicatedCpuPlacement: true } })).toBeUndefined();
  });

  test('the configured maximum and model are used', () => {
    const config = configured({ cpuModel: 'Haswell', liveUpdateConfiguration: { maxCpuSockets: 8 } });
    expect(cpu({ devices: {} }, config)).toMatchObject({ maxSockets: 8, model: 'Haswell' });
  });
});

describe('memory', () => {
  test.each([
    ['1Gi of guest can grow fourfold', { guest: '1Gi' }, '4Gi'],
    ['an unaligned guest cannot grow', { guest: '1025M' }, undefined],
    ['a small guest cannot grow', { guest: '512Mi' }, undefined],
    ['a given maximum stays, in canonical text', { guest: '1Gi', maxGuest: '2048Mi' }, '2Gi'],
  ])('%s', (_, memory, want) => {
    expect(defaulted((spec) => (spec.domain.memory = memory)).domain.memory?.maxGuest).toBe(want);
  });

  test("memory that is only requested is the guest's", () => {
    const spec = defaulted((s) => {
      delete s.domain.memory;
      s.domain.resources = { requests: { memory: '256Mi' } };
    });
    expect(spec.domain.memory?.guest).toBe('256Mi');
  });
});

describe('disks', () => {
  test('a volume that nothing names becomes a disk', () => {
    const spec = defaulted((s) => (s.domain.devices = {}));
    expect(spec.domain.devices.disks).toEqual([
      { name: 'root', disk: { bus: 'sata' } },
      { name: 'scratch', disk: { bus: 'sata' } },
      { name: 'init', disk: { bus: 'sata' } },
    ]);
  });

  test('a CD drive is read-only and closed', () => {
    const spec = defaulted((s) => (s.domain.devices.disks![0] = { name: 'root', cdrom: {} }));
    expect(spec.domain.devices.disks![0].cdrom).toEqual({ bus: 'sata', readonly: true, tray: 'closed' });
  });

  test.each([
    ['x/y:latest', 'Always'],
    ['x/y', 'Always'],
    ['x/y:1', 'IfNotPresent'],
    ['x/y@sha256:0', 'IfNotPresent'],
  ])('image %s is pulled %s', (image, want) => {
    const spec = defaulted((s) => (s.volumes![0].containerDisk = { image }));
    expect(spec.volumes![0].containerDisk?.imagePullPolicy).toBe(want);
  });
});

describe('network', () => {
  test('the configured default is used only when nothing is named', () => {
    const config = configured({ network: { defaultNetworkInterface: 'masquerade' } });
    const bare = (s: VirtualMachineInstanceSpec) => {
      delete s.networks;
      delete s.domain.devices.interfaces;
    };
    expect(defaulted(bare, config).domain.devices.interfaces).toEqual([{ name: 'default', masquerade: {} }]);
    const none = defaulted((s) => {
      bare(s);
      s.domain.devices.autoattachPodInterface = false;
    });
    expect(none.networks).toBeUndefined();
  });
});

test('a feature that is present is enabled, with the features that it requires', () => {
  const spec = defaulted(
    (s) => (s.domain.features = { smm: {}, apic: {}, hyperv: { synictimer: {}, spinlocks: {}, evmcs: {} } }),
  );
  expect(spec.domain.features).toMatchObject({
    smm: { enabled: true },
    apic: { enabled: true },
    hyperv: {
      synictimer: { enabled: true },
      synic: { enabled: true },
      vpindex: { enabled: true },
      vapic: { enabled: true },
      spinlocks: { enabled: true, spinlocks: 4096 },
    },
  });
  expect(spec.domain.cpu?.features).toEqual([{ name: 'vmx', policy: 'require' }]);
});

test('timers that are mentioned are present, probes and watchdogs are complete', () => {
  const spec = defaulted((s) => {
    s.domain.clock = { timer: { pit: { tickPolicy: 'delay' }, hpet: { present: false } } };
    s.domain.devices.watchdog = { name: 'dog', i6300esb: {} };
    s.domain.devices.inputs = [{ name: 'mouse' } as never];
    s.readinessProbe = { httpGet: { port: 80 } };
  });
  expect(spec.domain.clock?.timer).toEqual({ pit: { tickPolicy: 'delay', present: true }, hpet: { present: false } });
  expect(spec.domain.devices.watchdog?.i6300esb).toEqual({ action: 'reset' });
  expect(spec.domain.devices.inputs).toEqual([{ name: 'mouse', type: 'tablet', bus: 'usb' }]);
  expect(spec.readinessProbe).toMatchObject({
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
});

describe('other architectures', () => {
  test('arm64 boots by EFI from virtio', () => {
    const spec = defaulted((s) => {
      s.architecture = 'arm64';
      s.domain.devices.disks = [{ name: 'root' }];
    });
    expect(spec.domain.machine?.type).toBe('virt');
    expect(spec.domain.cpu?.model).toBe('host-passthrough');
    expect(spec.domain.firmware?.bootloader).toEqual({ efi: { secureBoot: false } });
    expect(spec.domain.devices.disks?.[0].disk?.bus).toBe('virtio');
    expect(spec.domain.memory?.maxGuest).toBeUndefined();
  });

  test('s390x has no ACPI, its own watchdog, and CPUs that can be plugged', () => {
    const spec = defaulted((s) => {
      s.architecture = 's390x';
      s.domain.cpu = { sockets: 2 };
      s.domain.devices.watchdog = { name: 'dog' };
      s.domain.devices.disks = [
        { name: 'root', lun: {} },
        { name: 'scratch', cdrom: {} },
      ];
    });
    expect(spec.domain.features?.acpi?.enabled).toBe(false);
    expect(spec.domain.devices.watchdog).toEqual({ name: 'dog', diag288: { action: 'reset' } });
    expect(spec.domain.cpu?.maxSockets).toBe(8);
    expect(spec.domain.memory?.maxGuest).toBeUndefined();
    // a CD drive on virtio, as KubeVirt would have it, does not exist
    expect(spec.domain.devices.disks).toMatchObject([{ lun: { bus: 'virtio' } }, { cdrom: { bus: 'scsi' } }, {}]);
  });
});

const specs = fc.record(
  {
    architecture: fc.constantFrom('amd64' as const, 'arm64' as const, 's390x' as const),
    domain: fc.record(
      {
        devices: fc.record(
          {
            disks: fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c') })),
            autoattachPodInterface: fc.boolean(),
            autoattachInputDevice: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
        cpu: fc.record(
          { cores: fc.nat(64), sockets: fc.nat(64), threads: fc.nat(4), maxSockets: fc.nat(9) },
          { requiredKeys: [] },
        ),
        memory: fc.record({ guest: fc.constantFrom('1Gi', '1024M', '0.5Gi', '3000Mi', 'x') }, { requiredKeys: [] }),
        resources: fc.record(
          {
            requests: fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '1500m', '1Gi', '')),
            limits: fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '1500m', '1Gi', '')),
          },
          { requiredKeys: [] },
        ),
        features: fc.record(
          {
            hyperv: fc.record(
              { synictimer: fc.constant({}), evmcs: fc.constant({}), ipi: fc.constant({}) },
              { requiredKeys: [] },
            ),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: ['devices'] },
    ),
    volumes: fc.array(
      fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), containerDisk: fc.record({ image: fc.string() }) }),
    ),
  },
  { requiredKeys: ['domain'] },
);

test('defaulting is idempotent and does not modify its input', () => {
  fc.assert(
    fc.property(specs, (given) => {
      const before = structuredClone(given);
      const once = defaultInstanceSpec(given as VirtualMachineInstanceSpec, clusterConfig(), 'x');
      expect(given).toEqual(before);
      expect(defaultInstanceSpec(once, clusterConfig(), 'x')).toEqual(once);
    }),
    { numRuns: runs(500) },
  );
});
