import { type Loose, validVm } from '../fixtures';
import { alone, object, together } from './worlds';

const at = 'spec.template.spec';
const terms = `${at}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;

/** A sound VM with these fields of its instance. */
const vm = (fields: Loose, name = 'web'): Loose => {
  const made: Loose = validVm();
  made.metadata.name = name;
  Object.assign(made.spec.template.spec, fields);
  return made;
};
const tolerating = (toleration: Loose): Loose => vm({ tolerations: [toleration] });
const nodes = (expressions: Loose[], more: Loose = {}): Loose =>
  vm({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: expressions }] },
      },
    },
    ...more,
  });
const is = (operator: string, ...values: string[]): Loose => ({
  key: 'zone',
  operator,
  ...(values.length > 0 && { values }),
});
const resources = (requests: Loose, limits?: Loose): Loose => {
  const made = vm({});
  made.spec.template.spec.domain.resources = { requests, ...(limits && { limits }) };
  return made;
};
const impossible = [`node-contradiction ${terms}[0]`];

test.each<[string, Loose, string[]]>([
  ['accepts a toleration of everything', tolerating({ operator: 'Exists' }), []],
  ['accepts a time limit', tolerating({ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 }), []],
  [
    'reports a time limit for another effect',
    tolerating({ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 60 }),
    [`toleration ${at}.tolerations[0].tolerationSeconds`],
  ],
  [
    'reports a time limit for each effect',
    tolerating({ key: 'a', operator: 'Exists', tolerationSeconds: 60 }),
    [`toleration ${at}.tolerations[0].tolerationSeconds`],
  ],
  [
    'reports a value with Exists',
    tolerating({ key: 'a', operator: 'Exists', value: 'b' }),
    [`toleration ${at}.tolerations[0].value`],
  ],
  ['reports a toleration without a key', tolerating({ value: 'b' }), [`toleration ${at}.tolerations[0].key`]],
  [
    'reports a value that no taint has',
    tolerating({ key: 'a', value: 'a b' }),
    [`toleration ${at}.tolerations[0].value`],
  ],
  ['accepts a priority class', vm({ priorityClassName: 'system-node-critical' }), []],
  ['reports a priority class', vm({ priorityClassName: 'vm_high' }), [`priority-class-name ${at}.priorityClassName`]],
  ['accepts one of two zones without the other', nodes([is('In', 'a', 'b'), is('NotIn', 'a')]), []],
  ['reports a zone that is excluded', nodes([is('In', 'a'), is('NotIn', 'a')]), impossible],
  ['accepts two values for two labels', nodes([is('In', 'a'), { ...is('In', 'b'), key: 'rack' }]), []],
  ['reports two values for one label', nodes([is('In', 'a'), is('In', 'b')]), impossible],
  [
    'reports another value than that of the nodeSelector',
    nodes([is('In', 'b')], { nodeSelector: { zone: 'a' } }),
    impossible,
  ],
  ['accepts the value of the nodeSelector', nodes([is('In', 'b')], { nodeSelector: { zone: 'b' } }), []],
  ['reports a label that must be absent', nodes([is('DoesNotExist'), is('Exists')]), impossible],
  ['accepts a range with one number', nodes([is('Gt', '3'), is('Lt', '5')]), []],
  ['reports a range without a number', nodes([is('Gt', '3'), is('Lt', '4')]), impossible],
  ['reports a value outside the range', nodes([is('In', '8'), is('Lt', '8')]), impossible],
  [
    'reports another architecture',
    nodes([{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }], { architecture: 'amd64' }),
    impossible,
  ],
  [
    'reports nodes with Windows',
    vm({ nodeSelector: { 'kubernetes.io/os': 'windows' } }),
    [`node-contradiction ${at}.nodeSelector.kubernetes.io/os`],
  ],
  ['accepts nodes with Linux', vm({ nodeSelector: { 'kubernetes.io/os': 'linux' } }), []],
  ['accepts a GPU with its limit', resources({ 'nvidia.com/gpu': '1' }, { 'nvidia.com/gpu': 1 }), []],
  [
    'reports a GPU without its limit',
    resources({ 'nvidia.com/gpu': '1' }),
    [`resource-limit ${at}.domain.resources.requests.nvidia.com/gpu`],
  ],
  [
    'reports another limit of huge pages',
    resources({ 'hugepages-2Mi': '2Mi' }, { 'hugepages-2Mi': '4Mi' }),
    [`resource-limit ${at}.domain.resources.requests.hugepages-2Mi`],
  ],
  [
    'reports a resource without a domain',
    resources({ mem: '1Gi' }),
    [`resource-name ${at}.domain.resources.requests.mem`],
  ],
  ['accepts storage', resources({ cpu: '1', 'ephemeral-storage': '1Gi' }), []],
])('%s', (_, made, expected) => {
  expect(alone(made)).toEqual(expected);
});

const where = (app: string, topologyKey = 'zone'): Loose => ({ topologyKey, labelSelector: { matchLabels: { app } } });
const placed = (near: Loose, far: Loose): Loose => {
  const required = (term: Loose): Loose => ({ requiredDuringSchedulingIgnoredDuringExecution: [term] });
  return vm({ affinity: { podAffinity: required(near), podAntiAffinity: required(far) } });
};

test.each<[string, Loose, string[]]>([
  ['accepts different Pods', placed(where('db'), where('web')), []],
  ['accepts another host in the same zone', placed(where('db'), where('db', 'kubernetes.io/hostname')), []],
  [
    'reports that the same Pods must be near and far',
    placed(where('db'), where('db')),
    [`pod-contradiction ${at}.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]`],
  ],
])('%s', (_, made, expected) => {
  expect(alone(made)).toEqual(expected);
});

const UUID = '5d307ca9-b3ef-428c-8861-06e72d69f223';
const withUuid = (name: string, uuid: string, more: Loose = {}): Loose => {
  const made = vm({}, name);
  made.spec.template.spec.domain.firmware = { uuid };
  Object.assign(made.metadata, more.metadata);
  Object.assign(made.spec, more.spec);
  return made;
};
const set = (replicas: number | undefined, domain: Loose): Loose => {
  const spec = vm({}).spec.template.spec;
  Object.assign(spec.domain, domain);
  const template = { metadata: { labels: { a: 'b' } }, spec };
  const selector = { matchLabels: { a: 'b' } };
  const own = { ...(replicas !== undefined && { replicas }), selector, template };
  return object('kubevirt.io/v1', 'VirtualMachineInstanceReplicaSet', 'set', own, { namespace: 'default' });
};
const scaler = (maxReplicas: number): Loose =>
  object(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'load',
    { maxReplicas, scaleTargetRef: { kind: 'VirtualMachineInstanceReplicaSet', name: 'set' } },
    { namespace: 'default' },
  );
const path = 'spec.template.spec.domain';

test.each<[string, Loose[], string[]]>([
  ['accepts the UUID of one guest', [set(1, { firmware: { uuid: UUID } })], []],
  ['reports the UUID of two guests', [set(2, { firmware: { uuid: UUID } })], [`identity-unique ${path}.firmware.uuid`]],
  [
    'reports both serial numbers',
    [set(3, { firmware: { serial: 'a' }, chassis: { serial: 'b', manufacturer: 'c' } })],
    [`identity-unique ${path}.firmware.serial`, `identity-unique ${path}.chassis.serial`],
  ],
  ['accepts a set without a number', [set(undefined, { firmware: { uuid: UUID } })], []],
  ['accepts an autoscaler of one guest', [scaler(1), set(undefined, { firmware: { uuid: UUID } })], []],
  [
    'reports the UUID of a set that an autoscaler may grow',
    [scaler(2), set(undefined, { firmware: { uuid: UUID } })],
    [`identity-unique ${path}.firmware.uuid`],
  ],
  ['accepts a manufacturer', [set(2, { chassis: { manufacturer: 'c' } })], []],
  [
    'reports the UUID of another VM in another spelling',
    [withUuid('a', UUID), withUuid('b', UUID.replaceAll('-', '').toUpperCase())],
    [`identity-unique ${path}.firmware.uuid`],
  ],
  ['accepts another UUID', [withUuid('a', UUID), withUuid('b', UUID.replace('5', '6'))], []],
  [
    'accepts the UUID of a VM in another namespace',
    [withUuid('a', UUID, { metadata: { namespace: 'x' } }), withUuid('b', UUID)],
    [],
  ],
  [
    'accepts the UUID of a VM that is off',
    [withUuid('a', UUID, { spec: { runStrategy: 'Halted' } }), withUuid('b', UUID)],
    [],
  ],
])('%s', (_, objects, expected) => {
  expect(together(...objects)).toEqual(expected);
});

const moving = (change: (spec: Loose) => void): Loose => {
  const made = vm({ evictionStrategy: 'LiveMigrate' });
  change(made.spec.template.spec);
  return made;
};

test.each<[string, Loose, string[]]>([
  [
    'reports the enlightenments of the node',
    moving((spec) => (spec.domain.features = { hypervPassthrough: {} })),
    [`migration-hyperv ${path}.features.hypervPassthrough`],
  ],
  [
    'accepts them when they are off',
    moving((spec) => (spec.domain.features = { hypervPassthrough: { enabled: false } })),
    [],
  ],
  [
    'reports a reservation',
    moving((spec) => (spec.domain.devices.disks[0] = { name: 'root', lun: { reservation: true } })),
    [`migration-reservation ${path}.devices.disks[0].lun.reservation`],
  ],
])('%s', (_, made, expected) => {
  expect(together(made)).toEqual(expected);
});
