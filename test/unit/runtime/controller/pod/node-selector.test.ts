import { claimNames } from '../../../../../src/runtime/controller/pod/claims';
import { compute, configured, render, withGates } from './fixtures';
import type { Change, More } from './fixtures';

const usual = {
  'kubevirt.io/schedulable': 'true',
  'kubernetes.io/arch': 'amd64',
  'machine-type.node.kubevirt.io/q35': 'true',
};
const strict: More = { config: withGates('HypervStrictCheck') };
const needs = (...labels: string[]): object => ({
  ...usual,
  ...Object.fromEntries(labels.map((label) => [label, 'true'])),
});
const on = { enabled: true };
const every = [
  'vpindex',
  'runtime',
  'reset',
  'synic',
  'synictimer',
  'frequencies',
  'reenlightenment',
  'tlbflush',
  'ipi',
];
const features =
  (hyperv: object): Change =>
  (v) =>
    (v.spec.domain.features = { hyperv });
const secured =
  (launchSecurity: object): Change =>
  (v) =>
    (v.spec.domain.launchSecurity = launchSecurity);

test.each<[string, Change, object, More?]>([
  ['a plain guest', () => {}, usual],
  [
    'a machine that is not known',
    (v) => delete v.spec.domain.machine,
    { 'kubevirt.io/schedulable': 'true', 'kubernetes.io/arch': 'amd64' },
  ],
  [
    'the machine that a running guest has',
    (v) => (v.status!.machine = { type: 'pc-q35-9.0' }),
    {
      'kubevirt.io/schedulable': 'true',
      'kubernetes.io/arch': 'amd64',
      'machine-type.node.kubevirt.io/pc-q35-9.0': 'true',
    },
  ],
  [
    'all that Hyper-V needs of the kernel',
    features(Object.fromEntries([...every, 'relaxed', 'vapic'].map((name) => [name, on]))),
    needs(...every.map((name) => `hyperv.node.kubevirt.io/${name}`)),
    strict,
  ],
  [
    'nothing of Hyper-V that is off',
    features({ vpindex: { enabled: false }, evmcs: { enabled: false } }),
    usual,
    strict,
  ],
  [
    'a processor of Intel for its enlightened VMCS',
    features({ evmcs: on }),
    needs('cpu-vendor.node.kubevirt.io/Intel'),
    strict,
  ],
  ['nothing of Hyper-V without the strict check', features({ vpindex: on, evmcs: on }), usual],
  ['SEV', secured({ sev: {} }), needs('kubevirt.io/sev')],
  ['SEV-ES', secured({ sev: { policy: { encryptedState: true } } }), needs('kubevirt.io/sev', 'kubevirt.io/sev-es')],
  ['SEV-SNP', secured({ snp: {} }), needs('kubevirt.io/sev', 'kubevirt.io/sev-snp')],
  ['TDX', secured({ tdx: {} }), needs('kubevirt.io/tdx')],
  [
    'a CPU model with features that it must have',
    (v) =>
      (v.spec.domain.cpu = {
        model: 'Haswell',
        features: [
          { name: 'vmx', policy: 'require' },
          { name: 'pcid' },
          { name: 'apic', policy: 'optional' },
          { name: 'svm', policy: 'disable' },
        ],
      }),
    needs(
      'cpu-model.node.kubevirt.io/Haswell',
      'cpu-feature.node.kubevirt.io/vmx',
      'cpu-feature.node.kubevirt.io/pcid',
    ),
  ],
  ['no model that every node has', (v) => (v.spec.domain.cpu = { model: 'host-passthrough' }), usual],
])('a node must have: %s', (...[, change, want, more]) => expect(render(change, more).spec.nodeSelector).toEqual(want));

test.each<[string, Change, boolean]>([
  [
    'that must have a steady clock',
    (v) => (v.spec.domain.cpu = { features: [{ name: 'invtsc', policy: 'require' }] }),
    true,
  ],
  ['on which it is forced', (v) => (v.spec.domain.cpu = { features: [{ name: 'invtsc', policy: 'force' }] }), true],
  ['that may have one', (v) => (v.spec.domain.cpu = { features: [{ name: 'invtsc', policy: 'optional' }] }), false],
  ['that counts on it by Hyper-V', features({ reenlightenment: on }), true],
  ['that does not care', () => {}, false],
])('a guest %s runs only where its frequency is: %s', (_, change, want) => {
  const frequency = 'scheduling.node.kubevirt.io/tsc-frequency-2500000000';
  const pod = render((v) => {
    change(v);
    v.status!.topologyHints = { tscFrequency: 2_500_000_000 };
  });
  expect(frequency in pod.spec.nodeSelector!).toBe(want);
  const unknown = Object.keys(render(change).spec.nodeSelector!).filter((label) => label.includes('tsc-frequency'));
  expect(unknown).toEqual([]);
});

test('labels of the cluster and of the VM are added, those of the VM above the others', () => {
  const config = configured({ developerConfiguration: { nodeSelectors: { role: 'virt', zone: 'a' } } });
  const pod = render((v) => (v.spec.nodeSelector = { zone: 'b' }), { config });
  expect(pod.spec.nodeSelector).toEqual({ ...usual, role: 'virt', zone: 'b' });
});

test.each<[string, Change, boolean]>([
  ['without a word about networks', (v) => delete v.spec.domain.devices.interfaces, true],
  ['without a network', (v) => (v.spec.domain.devices = { autoattachPodInterface: false }), false],
  ['with its own networks only', (v) => (v.spec.domain.devices.autoattachPodInterface = false), true],
])('a guest %s has a tap device: %s', (_, change, want) => {
  expect('devices.kubevirt.io/tun' in compute(render(change)).resources!.limits!).toBe(want);
});

test('the Pod waits for the claims of disks that are there from the start', () => {
  const volumes = [
    { name: 'a', persistentVolumeClaim: { claimName: 'a' } },
    { name: 'b', persistentVolumeClaim: { claimName: 'b', hotpluggable: true } },
    { name: 'c', dataVolume: { name: 'c' } },
    { name: 'd', dataVolume: { name: 'd', hotpluggable: true } },
    { name: 'e', ephemeral: { persistentVolumeClaim: { claimName: 'e' } } },
    { name: 'f', containerDisk: { image: 'x' } },
    { name: 'g', ephemeral: {} },
  ];
  expect(claimNames({ volumes })).toEqual(['a', 'c', 'e']);
});

test('sysprep without answers is rejected', () => {
  expect(() => render((v) => v.spec.volumes!.push({ name: 'answers', sysprep: {} }))).toThrow(
    'volume "answers": sysprep names neither a Secret nor a ConfigMap; name one of them',
  );
});
