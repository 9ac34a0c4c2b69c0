import type { KubeObject, VirtualMachineInstance } from '../../../../src/api';
import type { Pod } from '../../../../src/runtime/controller/pod';
import { resources } from '../../../../src/runtime/kube';
import { established, World } from './world';

/** Tests the objects that a launcher Pod depends on besides its VM, with the real controller and a real API server. */
let world: World;
beforeAll(async () => {
  world = await World.start();
  world.kubelet = () => 'ignore';
  world.startController();
});
afterAll(async () => {
  await world.stop();
  expect(world.errors).toEqual([]);
});

const object = (kind: string, name: string, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'default' },
  ...more,
});
const podOf = async (name: string) =>
  (
    await world.until(
      () => world.podsOf(name),
      (pods) => pods.length === 1,
      `${name} has a Pod`,
    )
  )[0];

test('a VM with persistent state gets its own claim', async () => {
  await world.createVm('keeper', (vm) => (vm.spec.template.spec!.domain.devices.tpm = { persistent: true }));
  const pod = await podOf('keeper');
  const claimName = 'persistent-state-for-keeper';
  expect(pod.spec.volumes).toContainEqual({ name: 'vm-state', persistentVolumeClaim: { claimName } });
  const claim = await world.client.get(resources.persistentVolumeClaims, { namespace: 'default', name: claimName });
  expect(claim.metadata.labels).toMatchObject({ 'persistent-state-for': 'keeper' });
  expect(claim.metadata.ownerReferences).toMatchObject([{ kind: 'VirtualMachine', name: 'keeper' }]);
});

const says = (name: string, reason: string, words: RegExp): Promise<VirtualMachineInstance | undefined> =>
  world.until(
    () => world.vmi(name),
    (vmi) => vmi?.status?.conditions?.some((c) => c.reason === reason && words.test(c.message ?? '')) ?? false,
    `${name} reports ${reason}`,
  );

test('a quota of limits gives the Pod limits, and replaces a waiting Pod; so do labels of the namespace', async () => {
  await world.createVm('counted');
  const next = async (before: Pod): Promise<Pod> => {
    const [after] = await world.until(
      () => world.podsOf('counted'),
      (pods) => pods.length === 1 && pods[0].metadata.uid !== before.metadata.uid,
      'counted has another Pod',
    );
    return after;
  };
  const before = await podOf('counted');
  expect(before.spec.containers[0].resources?.limits).not.toHaveProperty('memory');
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' };
  await world.patchPodStatus(before, { phase: 'Pending', conditions: [condition] });
  await says('counted', 'Unschedulable', /./);
  await world.client.create(
    resources.resourceQuotas,
    object('ResourceQuota', 'limits', { spec: { hard: { 'limits.memory': '1000Ti', 'limits.cpu': '1000' } } }),
  );
  const limited = await next(before);
  const { requests, limits } = limited.spec.containers[0].resources ?? {};
  expect(limits?.cpu).toBe('1');
  expect(limits?.memory).toBe(`${2 * parseInt(requests?.memory ?? '', 10)}Mi`);
  const labels = { 'alpha.kubevirt.io/auto-memory-limits-ratio': '3' };
  await world.client.patch(resources.namespaces, { name: 'default' }, { metadata: { labels } }, 'merge');
  const labelled = await next(limited);
  expect(labelled.spec.containers[0].resources?.limits?.memory).toBe(`${3 * parseInt(requests?.memory ?? '', 10)}Mi`);
});

test('a claim of another VM is not used for the state of a guest, which starts when that claim is deleted', async () => {
  const name = 'persistent-state-for-held';
  const labels = { 'persistent-state-for': 'held' };
  // an object that exists: the garbage collector leaves its claim alone
  const other = await world.client.create(resources.configMaps, object('ConfigMap', 'other'));
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: other.metadata.uid ?? '', controller: true };
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const metadata = { name, namespace: 'default', labels, ownerReferences: [owner] };
  await world.client.create(resources.persistentVolumeClaims, {
    ...object('PersistentVolumeClaim', name, { spec }),
    metadata,
  });
  await world.createVm('held', (vm) => (vm.spec.template.spec!.domain.devices.tpm = { persistent: true }));
  await says('held', 'FailedCreate', /belongs to ConfigMap "other" \(uid .*\); delete the claim/);
  expect(await world.podsOf('held')).toEqual([]);
  await world.client.delete(resources.persistentVolumeClaims, { namespace: 'default', name });
  await podOf('held');
  const claim = await world.client.get(resources.persistentVolumeClaims, { namespace: 'default', name });
  expect(claim.metadata.ownerReferences).toMatchObject([{ kind: 'VirtualMachine', name: 'held' }]);
});

test('nodes that change cost no request per waiting VMI, and a quota is read from a cache', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `waiting-${i}`);
  for (const name of names) {
    await world.createVm(name, (vm) => (vm.spec.template.spec!.domain.memory = { guest: '599Gi' }));
  }
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' };
  for (const name of names) {
    await world.patchPodStatus(await podOf(name), { phase: 'Pending', conditions: [condition] });
  }
  const allSay = async (size: string): Promise<void> => {
    for (const name of names) await says(name, 'Unschedulable', new RegExp(`largest node, "node-1", has ${size};`));
  };
  await allSay('16Gi');
  world.proxy.reset();
  for (const memory of ['17Gi', '18Gi', '19Gi']) {
    const status = { allocatable: { memory } };
    await world.client.patch(resources.nodes, { name: 'node-1', subresource: 'status' }, { status }, 'merge');
    await allSay(memory);
  }
  // but for kinds that are missing here: each is requested periodically, regardless of how many VMIs wait
  expect(world.proxy.reads.filter((path) => !/^\/apis\/(k8s\.cni\.cncf|cdi\.kubevirt)\.io\//.test(path))).toEqual([]);
});

test('a network whose kind is installed and which is defined later: the VM reports what is missing, and gets its Pod', async () => {
  const disabledFeatureGates = ['ExternalNetResourceInjection'];
  await world.client.create(resources.kubeVirts, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: { configuration: { developerConfiguration: { disabledFeatureGates } } },
  } as KubeObject);
  await world.createVm('networked', ({ spec: { template } }) => {
    template.spec!.networks!.push({ name: 'second', multus: { networkName: 'net' } });
    template.spec!.domain.devices.interfaces!.push({ name: 'second', bridge: {} });
  });
  await says('networked', 'FailedCreate', /"default\/net" cannot exist: .* install Multus/);
  const { group, version, plural, kind } = resources.networkAttachmentDefinitions;
  const name = `${plural}.${group}`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await world.client.create(resources.customResourceDefinitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, singular: 'network-attachment-definition', listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  } as KubeObject);
  await established(world.client, name);
  await world.client.create(resources.networkAttachmentDefinitions, {
    ...object(kind, 'net', { spec: { config: '{}' } }),
    apiVersion: `${group}/${version}`,
    metadata: { name: 'net', namespace: 'default', annotations: { 'k8s.v1.cni.cncf.io/resourceName': 'x.com/nic' } },
  });
  // the controller asks for a missing kind every 45 s at least
  const [pod] = await world.until(
    () => world.podsOf('networked'),
    (pods) => pods.length === 1,
    'networked has a Pod',
  );
  expect(pod.spec.containers[0].resources?.requests).toMatchObject({ 'x.com/nic': '1' });
  // known by now: the next definition wakes its VM at once
  await world.createVm('second-network', ({ spec: { template } }) => {
    template.spec!.networks!.push({ name: 'second', multus: { networkName: 'other' } });
    template.spec!.domain.devices.interfaces!.push({ name: 'second', bridge: {} });
  });
  await says('second-network', 'FailedCreate', /"default\/other" does not exist; create it or name another/);
  await world.client.create(resources.networkAttachmentDefinitions, {
    ...object(kind, 'other', { spec: { config: '{}' } }),
    apiVersion: `${group}/${version}`,
  });
  await podOf('second-network');
});
