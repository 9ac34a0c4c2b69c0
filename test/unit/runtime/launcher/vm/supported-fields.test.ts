import type { VirtualMachineInstance } from '../../../../../src/api';
import { prepareDisks } from '../../../../../src/runtime/launcher/disks/prepare';
import type { DiskSource } from '../../../../../src/runtime/launcher/domain/facts';
import { DEFAULT_PATHS, pathsOf } from '../../../../../src/runtime/launcher/paths';
import { rejectUnsupported, rejectUnsupportedDisks } from '../../../../../src/runtime/launcher/vm/supported-fields';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- fields that the types forbid are the point
type Loose = Record<string, any>;

function served(): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'default' },
    spec: {
      architecture: 'amd64',
      domain: {
        cpu: { cores: 2, dedicatedCpuPlacement: false },
        memory: { guest: '64Mi' },
        firmware: { bootloader: { efi: { secureBoot: false, persistent: false } } },
        features: { acpi: {}, hyperv: { relaxed: {}, synictimer: { direct: {} } } },
        clock: { timer: { hpet: { present: false } } },
        devices: {
          disks: [{ name: 'root', disk: { bus: 'virtio' } }],
          interfaces: [{ name: 'default', masquerade: {} }],
          gpus: [],
          tpm: {},
        },
      },
    },
  };
}

test('accepts a VM with supported fields only; empty or disabled fields request nothing', () => {
  expect(() => rejectUnsupported(served())).not.toThrow();
});

test('accepts the ports of an interface, which virt-handler opens', () => {
  const vmi = served();
  const [nic] = vmi.spec.domain.devices.interfaces!;
  Object.assign(nic!, { ports: [{ port: 80 }], portRanges: [{ protocol: 'TCP', start: 8000, end: 8099 }] });
  expect(() => rejectUnsupported(vmi)).not.toThrow();
});

test.each<[string, (domain: Loose) => void, RegExp]>([
  ['an unknown field of the domain', (d) => (d.quantum = {}), /^spec.domain.quantum: virt-launcher does not support/],
  ['a field that objects inherit', (d) => Object.assign(d, { constructor: {} }), /^spec.domain.constructor: /],
  ['an unknown device', (d) => (d.devices.teleporter = {}), /^spec.domain.devices.teleporter: .*; remove it$/],
  ['an unknown field of a disk', (d) => (d.devices.disks[0].spin = 1), /^spec.domain.devices.disks\[0\].spin: /],
  [
    'an unknown field of its device',
    (d) => (d.devices.disks[0].disk.spin = 1),
    /^spec.domain.devices.disks\[0\].disk.spin/,
  ],
  ['slirp', (d) => (d.devices.interfaces[0].slirp = {}), /^spec.domain.devices.interfaces\[0\].slirp: /],
  ['an unknown CPU field', (d) => (d.cpu.turbo = true), /^spec.domain.cpu.turbo: /],
  ['dedicated CPUs', (d) => (d.cpu.dedicatedCpuPlacement = true), /^spec.domain.cpu.dedicatedCpuPlacement: /],
  ['an unknown hyperv feature', (d) => (d.features.hyperv.magic = {}), /^spec.domain.features.hyperv.magic: /],
  ['an unknown timer', (d) => (d.clock.timer.sun = {}), /^spec.domain.clock.timer.sun: /],
  ['launch security', (d) => (d.launchSecurity = { sev: {} }), /^spec.domain.launchSecurity: /],
  ['no memory', (d) => (d.memory = {}), /^spec.domain.memory.guest: the VM has no memory to boot with; set it/],
  [
    'metrics of its host',
    (d) => (d.devices.downwardMetrics = {}),
    /^spec.domain.devices.downwardMetrics: .*; remove it$/,
  ],
  ['a GPU', (d) => (d.devices.gpus = [{ name: 'gpu' }]), /^spec.domain.devices.gpus: /],
  [
    'a vsock without a number',
    (d) => (d.devices.autoattachVSOCK = true),
    /^spec.domain.devices.autoattachVSOCK: the VMI has no CID; wait for virt-controller$/,
  ],
])('%s is rejected with its path', (_, change, message) => {
  const vmi = served();
  change(vmi.spec.domain as Loose);
  expect(() => rejectUnsupported(vmi)).toThrow(message);
});

test('another architecture is rejected', () => {
  const vmi = served();
  vmi.spec.architecture = 'arm64';
  expect(() => rejectUnsupported(vmi)).toThrow(/^spec.architecture: this launcher runs amd64, got "arm64"; use amd64$/);
});

test('a vsock that has its number passes', () => {
  const vmi = served();
  vmi.spec.domain.devices.autoattachVSOCK = true;
  expect(() => rejectUnsupported({ ...vmi, status: { VSOCKCID: 7 } })).not.toThrow();
});

test('a disk with metrics of its host is rejected', async () => {
  const vmi = served();
  vmi.spec.volumes = [{ name: 'root', downwardMetrics: {} }];
  await expect(prepareDisks({ vmi, paths: pathsOf(DEFAULT_PATHS) })).rejects.toThrow(
    'disk "root": virt-launcher cannot attach a volume of downwardMetrics; use another source',
  );
});

describe('native I/O', () => {
  const withDisk = (disk: object, cache: DiskSource['cache']) => () => {
    const vmi = served();
    vmi.spec.domain.devices.disks = [{ name: 'root', disk: { bus: 'virtio' }, io: 'native', ...disk }];
    const file = { type: 'file', path: '/x', format: 'raw', readonly: false, discard: 'always' } as const;
    rejectUnsupportedDisks(vmi, [{ name: 'root', ...file, cache }]);
  };

  test.each<[string, object, DiskSource['cache']]>([
    ['on a claim', {}, 'none'],
    ['on a disk that the VMI takes out of the cache', { cache: 'none' }, 'unsafe'],
    ['on a shared disk', { shareable: true }, 'unsafe'],
  ])('%s passes', (_, disk, cache) => expect(withDisk(disk, cache)).not.toThrow());

  test.each<[string, object, DiskSource['cache']]>([
    ['what dies with the Pod', {}, 'unsafe'],
    ['a disk that the VMI caches', { cache: 'writeback' }, 'none'],
  ])('on %s is refused', (_, disk, cache) => {
    expect(withDisk(disk, cache)).toThrow(/^spec.domain.devices.disks\[0\].io: native I\/O needs cache none, got "/);
  });
});
