import type { GuestCapabilities, NodeCapabilities } from '../../../../../src/api/node-capabilities';
import { guestLabels } from '../../../../../src/runtime/handler/node/guest-labels';
import type { GuestLabelInput } from '../../../../../src/runtime/handler/node/guest-labels';

const guests = (more: Partial<GuestCapabilities> = {}): GuestCapabilities => ({
  models: { Haswell: 'Haswell-v1', 'Haswell-v1': null, Penryn: 'Penryn-v1', 'Penryn-v1': null },
  features: ['aes', 'vmx'],
  hostModel: { name: 'Skylake-Client', vendor: 'Intel', required: ['ss', 'vmx'] },
  hyperv: ['vpindex', 'synictimer'],
  security: [],
  ...more,
});
const capabilities: NodeCapabilities = {
  machines: ['isapc', 'microvm', 'pc', 'pc-q35-10.0', 'q35'],
  architectures: ['amd64'],
  tsc: { frequency: 2_893_202_000, scalable: true },
  kvm: guests(),
  qemu: guests({ models: { Westmere: null }, features: ['aes'], hyperv: [], hostModel: undefined }),
};
const labels = (more: Partial<GuestLabelInput> = {}): string[] =>
  Object.entries(
    guestLabels({ capabilities, kernel: { realtime: false, ksm: false }, usesKvm: true, machines: ['q35'], ...more }),
  ).map(([key, value]) => (value === 'true' ? key : `${key}=${value}`));

const host = [
  'machine-type.node.kubevirt.io/pc',
  'machine-type.node.kubevirt.io/pc-q35-10.0',
  'machine-type.node.kubevirt.io/q35',
  'kubevirt.io/vm-arch-amd64',
];
const matching = (all: string[], part: string): string[] =>
  all.filter((label) => label.startsWith(part)).map((label) => label.slice(part.length));

test('a node with KVM has the labels of its CPU', () => {
  expect(labels()).toEqual([
    ...host,
    ...['Haswell', 'Haswell-v1', 'Penryn', 'Penryn-v1'].map((model) => `cpu-model.node.kubevirt.io/${model}`),
    ...['Haswell', 'Haswell-v1', 'Penryn', 'Penryn-v1', 'Skylake-Client'].map(
      (model) => `cpu-model-migration.node.kubevirt.io/${model}`,
    ),
    'cpu-feature.node.kubevirt.io/aes',
    'cpu-feature.node.kubevirt.io/vmx',
    'hyperv.node.kubevirt.io/vpindex',
    'hyperv.node.kubevirt.io/synictimer',
    'host-model-cpu.node.kubevirt.io/Skylake-Client',
    'cpu-vendor.node.kubevirt.io/Intel',
    'host-model-required-features.node.kubevirt.io/ss',
    'host-model-required-features.node.kubevirt.io/vmx',
    'cpu-timer.node.kubevirt.io/tsc-frequency=2893202000',
    'cpu-timer.node.kubevirt.io/tsc-scalable',
  ]);
});

test('a node whose guests are emulated has the labels of what QEMU emulates, and no TSC', () => {
  expect(labels({ usesKvm: false })).toEqual([
    ...host,
    'cpu-model.node.kubevirt.io/Westmere',
    'cpu-model-migration.node.kubevirt.io/Westmere',
    'cpu-feature.node.kubevirt.io/aes',
  ]);
});

test('a node that libvirt did not describe has its machine types only', () => {
  expect(labels({ capabilities: undefined })).toEqual(['machine-type.node.kubevirt.io/q35']);
});

describe('obsolete models are not offered', () => {
  const of = (models: GuestCapabilities['models'], obsolete?: Record<string, boolean>): string[] =>
    matching(
      labels({ capabilities: { ...capabilities, kvm: guests({ models }) }, obsolete }),
      'cpu-model.node.kubevirt.io/',
    );

  test.each<[string, GuestCapabilities['models'], Record<string, boolean> | undefined, string[]]>([
    ['by default', { qemu64: null, Conroe: null, Nehalem: null }, undefined, ['Nehalem']],
    ['nor their versions', { qemu64: 'qemu64-v1', 'qemu64-v1': null }, undefined, []],
    ['as the configuration says', { qemu64: null, Nehalem: null }, { Nehalem: true }, ['qemu64']],
    ['unless it says false', { qemu64: null, Nehalem: null }, { Nehalem: false }, ['qemu64', 'Nehalem']],
    ['and none are if it lists none', { qemu64: null }, {}, ['qemu64']],
  ])('%s', (_, models, obsolete, want) => expect(of(models, obsolete)).toEqual(want));

  test('and a node whose own model is obsolete is marked, and receives no guest that has it', () => {
    const all = labels({ obsolete: { 'Skylake-Client': true } });
    expect(all).toContain('node-labeller.kubevirt.io/obsolete-host-model');
    expect(all).toContain('host-model-cpu.node.kubevirt.io/Skylake-Client');
    expect(all).not.toContain('cpu-model-migration.node.kubevirt.io/Skylake-Client');
    expect(labels()).not.toContain('node-labeller.kubevirt.io/obsolete-host-model');
  });
});

test('memory encryption and the settings of the kernel are labels of their own', () => {
  const kvm = guests({ security: ['sev', 'sev-es', 'sev-snp', 'tdx', 's390-pv'] });
  const all = labels({ capabilities: { ...capabilities, kvm }, kernel: { realtime: true, ksm: true } });
  for (const name of ['sev', 'sev-es', 'sev-snp', 'tdx', 's390-pv', 'realtime', 'ksm-enabled']) {
    expect(all).toContain(`kubevirt.io/${name}`);
    expect(labels()).not.toContain(`kubevirt.io/${name}`);
  }
});

test('a name that cannot be a label is left out', () => {
  const kvm = guests({ features: ['aes', 'x/y', '', 'f'.repeat(64)] });
  expect(matching(labels({ capabilities: { ...capabilities, kvm } }), 'cpu-feature.node.kubevirt.io/')).toEqual([
    'aes',
  ]);
});
