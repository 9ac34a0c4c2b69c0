import { configured, dedicated, inputOf, render, stored, withGates } from './fixtures';
import type { Change, More } from './fixtures';
import { renderPod } from '../../../../../src/runtime/controller/pod';

const selector = (change: Change, more?: More) => render(change, more).spec.nodeSelector;

test('only nodes with a handler, of the architecture and with the machine type', () => {
  const config = configured({ developerConfiguration: { nodeSelectors: { zone: 'a', rack: '1' } } });
  expect(selector((v) => (v.spec.nodeSelector = { rack: '7' }), { config })).toEqual({
    'kubevirt.io/schedulable': 'true',
    'kubernetes.io/arch': 'amd64',
    'machine-type.node.kubevirt.io/q35': 'true',
    rack: '7',
    zone: 'a',
  });
});

const hyperv =
  (features: object): Change =>
  (v) =>
    (v.spec.domain.features = { hyperv: features });
const security =
  (launchSecurity: object, architecture = 'amd64'): Change =>
  (v) =>
    Object.assign(v.spec, { architecture, domain: { ...v.spec.domain, launchSecurity } });
test.each<[string, Change, More, string[], string[]]>([
  ['dedicated CPUs', dedicated, {}, ['kubevirt.io/cpumanager'], []],
  [
    'a CPU model and the features that it requires',
    (v) =>
      (v.spec.domain.cpu = {
        model: 'Penryn',
        features: [{ name: 'a' }, { name: 'b', policy: 'require' }, { name: 'c', policy: 'optional' }],
      }),
    {},
    ['cpu-model.node.kubevirt.io/Penryn', 'cpu-feature.node.kubevirt.io/a', 'cpu-feature.node.kubevirt.io/b'],
    ['cpu-feature.node.kubevirt.io/c'],
  ],
  [
    'the CPU of the node',
    (v) => (v.spec.domain.cpu = { model: 'host-passthrough' }),
    {},
    [],
    ['cpu-model.node.kubevirt.io/host-passthrough'],
  ],
  [
    'features without a model',
    (v) => (v.spec.domain.cpu = { features: [{ name: 'a' }] }),
    {},
    [],
    ['cpu-feature.node.kubevirt.io/a'],
  ],
  [
    'the machine that a running guest has',
    (v) => (v.status!.machine = { type: 'pc-q35-10.0' }),
    {},
    ['machine-type.node.kubevirt.io/pc-q35-10.0'],
    ['machine-type.node.kubevirt.io/q35'],
  ],
  ['real time', (v) => (v.spec.domain.cpu = { realtime: {} }), {}, ['kubevirt.io/realtime'], []],
  ['SEV', security({ sev: {} }), {}, ['kubevirt.io/sev'], ['kubevirt.io/sev-es', 'kubevirt.io/s390-pv']],
  [
    'SEV-ES',
    security({ sev: { policy: { encryptedState: true } } }),
    {},
    ['kubevirt.io/sev', 'kubevirt.io/sev-es'],
    [],
  ],
  ['SEV-SNP', security({ snp: {} }), {}, ['kubevirt.io/sev', 'kubevirt.io/sev-snp'], []],
  ['TDX', security({ tdx: {} }), {}, ['kubevirt.io/tdx'], ['kubevirt.io/sev']],
  ['Secure Execution', security({}, 's390x'), {}, ['kubevirt.io/s390-pv'], ['kubevirt.io/sev']],
  [
    'Hyper-V features, where the cluster is strict',
    hyperv({ vpindex: { enabled: true }, synic: { enabled: false }, evmcs: {} }),
    { config: withGates('HypervStrictCheck') },
    ['hyperv.node.kubevirt.io/vpindex', 'cpu-vendor.node.kubevirt.io/Intel'],
    ['hyperv.node.kubevirt.io/synic'],
  ],
  [
    'no Hyper-V features elsewhere',
    hyperv({ vpindex: { enabled: true } }),
    {},
    [],
    ['hyperv.node.kubevirt.io/vpindex'],
  ],
  [
    'a clock whose frequency is known',
    (v) => {
      v.spec.domain.cpu = { features: [{ name: 'invtsc', policy: 'require' }] };
      v.status!.topologyHints = { tscFrequency: 2100000000 };
    },
    {},
    ['scheduling.node.kubevirt.io/tsc-frequency-2100000000'],
    [],
  ],
  [
    'no clock for a guest that does not count on it',
    (v) => (v.status!.topologyHints = { tscFrequency: 2100000000 }),
    {},
    [],
    ['scheduling.node.kubevirt.io/tsc-frequency-2100000000'],
  ],
  [
    'nodes that can run another architecture',
    (v) => (v.spec.architecture = 'arm64'),
    { config: withGates('CrossArchitectureVirtualization') },
    ['kubevirt.io/vm-arch-arm64'],
    ['kubernetes.io/arch'],
  ],
])('nodes for %s', (_, change, more, want, unwanted) => {
  const labels = Object.keys(selector(change, more) ?? {});
  expect(labels).toEqual(expect.arrayContaining(want));
  for (const label of unwanted) expect(labels).not.toContain(label);
});

const keys = (pod: ReturnType<typeof render>) =>
  pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms.map(
    ({ matchExpressions }) => matchExpressions?.map(({ key, operator }) => `${key} ${operator}`),
  );
const obsolete = 'node-labeller.kubevirt.io/obsolete-host-model DoesNotExist';
const forbidding: Change = (v) =>
  (v.spec.domain.cpu = { model: 'host-model', features: [{ name: 'bad', policy: 'forbid' }] });

test('each of the user’s alternatives excludes the nodes that the guest cannot run on', () => {
  const term = (key: string) => ({ matchExpressions: [{ key, operator: 'Exists' as const }] });
  const nodeSelectorTerms = [term('a'), term('b')];
  const pod = render((v) => {
    forbidding(v);
    v.spec.affinity = {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
      podAffinity: {},
    };
  });
  const bad = 'cpu-feature.node.kubevirt.io/bad DoesNotExist';
  expect(keys(pod)).toEqual([
    ['a Exists', obsolete, bad],
    ['b Exists', obsolete, bad],
  ]);
  expect(pod.spec.affinity?.podAffinity).toEqual({});
  expect(keys(render(forbidding))).toEqual([[obsolete, bad]]);
});

test('a guest with host-passthrough may run on every node', () => {
  expect(render((v) => (v.spec.domain.cpu = { model: 'host-passthrough' })).spec).not.toHaveProperty('affinity');
});

test('a cluster of several architectures prefers the guest’s', () => {
  const pod = render(() => {}, { config: withGates('CrossArchitectureVirtualization') });
  expect(pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution).toEqual([
    {
      weight: 100,
      preference: { matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }] },
    },
  ]);
});

test('guests that reserve one disk are kept on different nodes', () => {
  const vmi = stored((v) => {
    v.spec.domain.devices.disks!.push({ name: 'shared', lun: { bus: 'scsi', reservation: true } });
    v.spec.volumes!.push({ name: 'shared', persistentVolumeClaim: { claimName: 'lun' } });
    v.spec.affinity = { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } };
  });
  const pod = renderPod(inputOf(vmi, { claims: new Map([['lun', { uid: 'u1' }]]) }));
  expect(pod.metadata.labels).toHaveProperty(['pr.kubevirt.io/u1'], '');
  expect(pod.spec.affinity?.podAntiAffinity).toEqual({
    preferredDuringSchedulingIgnoredDuringExecution: [],
    requiredDuringSchedulingIgnoredDuringExecution: [
      {
        labelSelector: { matchExpressions: [{ key: 'pr.kubevirt.io/u1', operator: 'Exists' }] },
        topologyKey: 'kubernetes.io/hostname',
      },
    ],
  });
  expect(JSON.stringify(renderPod(inputOf(vmi)))).not.toContain('pr.kubevirt.io');
});
