/** Mistakes that the webhook accepts in the template of a set, and rejects in the objects that the set creates. */
import { clusterConfig } from '../../../../src/api';
import { lintObject, worldOf } from '../../../../src/api/lint';
import type { KubeObject } from '../../../../src/api/meta';

const template = (spec: object) => ({
  metadata: { labels: { app: 'web' } },
  spec: {
    domain: { memory: { guest: '1Gi' }, devices: {} },
    ...spec,
  },
});
const selector = { matchLabels: { app: 'web' } };
const metadata = { name: 'web', namespace: 'default' };

const set = (spec: object = {}): KubeObject =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet',
    metadata,
    spec: { selector, template: template(spec) },
  }) as KubeObject;

const pool = (spec: object = {}, vm: object = {}): KubeObject =>
  ({
    apiVersion: 'pool.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePool',
    metadata,
    spec: {
      selector,
      virtualMachineTemplate: {
        metadata: { labels: { app: 'web' } },
        spec: { runStrategy: 'Always', template: template(spec), ...vm },
      },
    },
  }) as KubeObject;

const instancetype = {
  apiVersion: 'instancetype.kubevirt.io/v1beta1',
  kind: 'VirtualMachineClusterInstancetype',
  metadata: { name: 'small' },
  spec: { cpu: { guest: 1 }, memory: { guest: '1Gi' } },
} as KubeObject;
const world = worldOf([
  {
    apiVersion: instancetype.apiVersion,
    kind: instancetype.kind,
    name: 'small',
    namespace: undefined,
    where: 'small',
    object: () => instancetype,
  },
]);
const reported = (object: KubeObject): string[] =>
  lintObject(object, clusterConfig(), world).map(({ rule, path }) => `${rule} ${path}`);

const noMemory = { domain: { devices: {} } };
const noCores = { domain: { cpu: { cores: 0 }, memory: { guest: '1Gi' }, devices: {} } };
const inSet = 'spec.template.spec';
const inPool = 'spec.virtualMachineTemplate.spec.template.spec';

test.each<[string, KubeObject, string[]]>([
  ['a set that is right', set(), []],
  ['a pool that is right', pool(), []],
  ['a set without memory', set(noMemory), [`memory-required ${inSet}.domain.memory.guest`]],
  ['a pool without memory', pool(noMemory), [`memory-required ${inPool}.domain.memory.guest`]],
  ['a set without cores', set(noCores), [`cpu-positive ${inSet}.domain.cpu.cores`]],
  ['a pool without cores', pool(noCores), [`cpu-positive ${inPool}.domain.cpu.cores`]],
  [
    'a pool whose VMs say what their instancetype says',
    pool({}, { instancetype: { name: 'small' } }),
    [`instancetype-conflict ${inPool}.domain.memory.guest`],
  ],
  ['a pool whose instancetype the cluster may hold', pool(noMemory, { instancetype: { name: 'large' } }), []],
  [
    'a finding of the webhook about a template is reported once',
    pool({ hostname: 'A_B' }),
    [`hostname ${inPool}.hostname`],
  ],
])('%s', (_, object, want) => expect(reported(object)).toEqual(want));

test('texts name the field where it is written', () => {
  const [error] = lintObject(pool(noMemory), clusterConfig());
  expect(error.cause).toContain(`'${inPool}.domain.memory.guest'`);
});

test('texts keep the fields of other objects', () => {
  const host = { name: 'data', hostDisk: { path: '/data/disk.img', type: 'Disk' } };
  const domain = { memory: { guest: '1Gi' }, devices: { disks: [{ name: 'data', disk: { bus: 'virtio' } }] } };
  const errors = lintObject(pool({ domain, volumes: [host] }), clusterConfig());
  expect(errors.map(({ remedy }) => remedy).join()).toContain(
    'add HostDisk to spec.configuration.developerConfiguration.featureGates of the KubeVirt object',
  );
});
