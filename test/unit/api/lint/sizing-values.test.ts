import { type Loose, validVm } from '../fixtures';
import { alone, object, together, worldWith } from './worlds';
import { clusterConfig } from '../../../../src/api';
import { lintObject } from '../../../../src/api/lint';

const type = (spec: Loose, kind = 'VirtualMachineClusterInstancetype'): Loose =>
  object('instancetype.kubevirt.io/v1beta1', kind, 'small', {
    ...spec,
    cpu: { guest: 2, ...spec.cpu },
    memory: { guest: '2Gi', ...spec.memory },
  });
const preference = (spec: Loose): Loose =>
  object('instancetype.kubevirt.io/v1beta1', 'VirtualMachinePreference', 'server', spec);
const devices = (own: Loose): Loose => preference({ devices: own });

test.each<[string, Loose, string[]]>([
  ['accepts an instance type', type({ cpu: { model: 'host-model' }, memory: { maxGuest: '2Gi' } }), []],
  [
    'reports a maximum below the memory',
    type({ memory: { maxGuest: '2047Mi' } }),
    ['instancetype-size spec.memory.maxGuest'],
  ],
  ['reports no vCPU', type({ cpu: { guest: 0 } }), ['instancetype-size spec.cpu.guest']],
  ['accepts memory of whole pages', type({ memory: { hugepages: { pageSize: '1Gi' } } }), []],
  [
    'reports memory of half a page',
    type({ memory: { guest: '1536Mi', hugepages: { pageSize: '1Gi' } } }),
    ['instancetype-size spec.memory.guest'],
  ],
  ['reports a model', type({ cpu: { model: 'Haswel' } }, 'VirtualMachineInstancetype'), ['cpu-model spec.cpu.model']],
  [
    'reports a realtime mask beyond the vCPUs',
    type({ cpu: { realtime: { mask: '0-2' } } }),
    ['realtime-mask spec.cpu.realtime.mask'],
  ],
  ['reports a policy of I/O threads', type({ ioThreadsPolicy: 'pool' }), ['device-choice spec.ioThreadsPolicy']],
  ['reports a label of nodes', type({ nodeSelector: { 'a/b/c': '' } }), ['node-selector spec.nodeSelector.a/b/c']],
  [
    'reports a resource',
    type({ gpus: [{ name: 'a', deviceName: 'a10' }] }),
    ['device-resource-name spec.gpus[0].deviceName'],
  ],
  [
    'reports two devices of one name',
    type({ gpus: [{ name: 'a', deviceName: 'x.y/z' }], hostDevices: [{ name: 'a', deviceName: 'x.y/w' }] }),
    ['device-name-unique spec.hostDevices[0].name'],
  ],
  [
    'accepts a preference',
    preference({
      preferredArchitecture: 'arm64',
      requirements: { architecture: 'arm64' },
      firmware: { preferredEfi: { secureBoot: false } },
      devices: { preferredDiskBus: 'virtio', preferredCdromBus: 'scsi', preferredVideoType: 'ramfb' },
      features: { preferredHyperv: { spinlocks: { spinlocks: 8191 } } },
    }),
    [],
  ],
  ...(
    [
      ['preferredDiskBus', 'ide'],
      ['preferredCdromBus', 'virtio'],
      ['preferredLunBus', 'usb'],
      ['preferredDiskCache', 'unsafe'],
      ['preferredDiskIO', 'io_uring'],
      ['preferredInputBus', 'ps2'],
      ['preferredInterfaceModel', 'vmxnet3'],
      ['preferredPanicDeviceModel', 'xen'],
      ['preferredSoundModel', 'sb16'],
      ['preferredVideoType', 'qxl'],
    ] as const
  ).map(([field, value]): [string, Loose, string[]] => [
    `reports ${field}: ${value}`,
    devices({ [field]: value }),
    [`device-choice spec.devices.${field}`],
  ]),
  [
    'reports an architecture',
    preference({ preferredArchitecture: 'x86_64' }),
    ['device-choice spec.preferredArchitecture'],
  ],
  [
    'reports two architectures',
    preference({ preferredArchitecture: 'arm64', requirements: { architecture: 'amd64' } }),
    ['preference-architecture spec.preferredArchitecture'],
  ],
  [
    'reports BIOS and UEFI',
    preference({ firmware: { preferredUseBios: true, preferredEfi: {} } }),
    ['preference-boot spec.firmware.preferredEfi'],
  ],
  ['accepts BIOS without UEFI', preference({ firmware: { preferredUseBios: true, preferredUseEfi: false } }), []],
  [
    'reports a feature',
    preference({ cpu: { preferredCPUFeatures: [{ name: 'sse4_2' }] } }),
    ['cpu-feature-name spec.cpu.preferredCPUFeatures[0].name'],
  ],
  [
    'reports attempts of spinlocks',
    preference({ features: { preferredHyperv: { spinlocks: { spinlocks: 1024 } } } }),
    ['hyperv-spinlocks spec.features.preferredHyperv.spinlocks.spinlocks'],
  ],
  [
    'reports a time zone',
    preference({ clock: { preferredClockOffset: { timezone: 'Europe/Prag' } } }),
    ['clock-time-zone spec.clock.preferredClockOffset.timezone'],
  ],
  ['reports a subdomain', preference({ preferredSubdomain: 'a.b' }), ['preference-subdomain spec.preferredSubdomain']],
  [
    'reports a negative grace period',
    preference({ preferredTerminationGracePeriodSeconds: -1 }),
    ['preference-grace-period spec.preferredTerminationGracePeriodSeconds'],
  ],
])('%s', (_, made, expected) => {
  expect(alone(made)).toEqual(expected);
});

/** Findings of a VM in the presence of these objects. */
const between = (vm: Loose, ...others: Loose[]): string[] =>
  lintObject(vm, clusterConfig(), worldWith(...others, vm)).map(({ rule, path }) => `${rule} ${path}`);
const vm = (spec: Loose, change: (spec: Loose) => void = () => undefined): Loose => {
  const made: Loose = validVm();
  Object.assign(made.spec, spec);
  change(made.spec.template.spec);
  return made;
};
const onClaim = (spec: Loose): void => {
  delete spec.domain.cpu;
  delete spec.domain.memory;
  spec.volumes[0] = { name: 'root', persistentVolumeClaim: { claimName: 'golden' } };
};
const inferred = { instancetype: { inferFromVolume: 'root' } };

test.each<[string, Loose, string[]]>([
  ['accepts an inference from a claim of the cluster', vm(inferred, onClaim), []],
  [
    'reports an inference from a container disk',
    vm(inferred, (spec) => {
      delete spec.domain.cpu;
      delete spec.domain.memory;
    }),
    ['instancetype-inferred spec.instancetype.inferFromVolume'],
  ],
  [
    'accepts an inference from a container disk that may fail',
    vm({ preference: { inferFromVolume: 'root', inferFromVolumeFailurePolicy: 'Ignore' } }),
    [],
  ],
  [
    'reports a name beside an inference',
    vm({ preference: { name: 'fedora', inferFromVolume: 'root' } }),
    ['preference-infer spec.preference.name'],
  ],
  [
    'reports an inference from an import, which has no labels',
    vm(
      {
        ...inferred,
        dataVolumeTemplates: [
          {
            metadata: { name: 'os' },
            spec: {
              source: { registry: { url: 'docker://quay.io/containerdisks/fedora:42' } },
              storage: { resources: { requests: { storage: '10Gi' } } },
            },
          },
        ],
      },
      (spec) => {
        onClaim(spec);
        spec.volumes[0] = { name: 'root', dataVolume: { name: 'os' } };
      },
    ),
    ['instancetype-inferred spec.instancetype.inferFromVolume'],
  ],
])('%s', (_, made, expected) => {
  expect(between(made)).toEqual(expected);
});

test('reports what a preference sets on an architecture without it', () => {
  const arm = preference({ preferredArchitecture: 'arm64', features: { preferredHyperv: { relaxed: {} } } });
  arm.metadata.namespace = 'default';
  const made = vm({ preference: { name: 'server', kind: 'VirtualMachinePreference' } }, (spec) => {
    spec.domain.devices.disks = spec.domain.devices.disks.map(({ name }: Loose) => ({ name, disk: { bus: 'virtio' } }));
  });
  expect(between(made, arm)).toEqual(['architecture-lacks spec.template.spec.domain.features.hyperv']);
  const unseen = vm({ preference: { name: 'of-the-cluster' } });
  expect(between(unseen)).toEqual([]);
});

const licensed = (key: string): string[] => {
  const secret: Loose = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'lic', namespace: 'default' },
    stringData: { [key]: 'x' },
  };
  const made = vm({}, (spec) => {
    spec.domain.firmware = { acpi: { msdmNameRef: 'acpi' } };
    spec.volumes.push({ name: 'acpi', secret: { secretName: 'lic' } });
  });
  return together(secret, made);
};

test('reports a Secret without the ACPI table', () => {
  expect(licensed('msdm.bin')).toEqual([]);
  expect(licensed('msdm')).toEqual(['secret-key spec.template.spec.domain.firmware.acpi.msdmNameRef']);
});

test.each<[string, Loose, string[]]>([
  ['accepts 8 MiB', '8Mi', []],
  ['reports less than 8 MiB', '8191Ki', ['guest-memory-tiny spec.template.spec.domain.memory.guest']],
])('%s of memory', (_, guest, expected) => {
  expect(alone(vm({}, (spec) => (spec.domain.memory = { guest })))).toEqual(expected);
});
