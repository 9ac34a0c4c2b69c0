import type { KubeObject, VirtualMachine } from '../../../../src/api';
import { resources } from '../../../../src/runtime/kube';
import type { Pod } from '../../../../src/runtime/controller/pod';
import { World } from './world';

let world: World;
beforeAll(async () => {
  world = await World.start();
  world.startController();
});
afterAll(async () => {
  await world.stop();
  expect(world.errors).toEqual([]);
});
beforeEach(() => {
  world.kubelet = () => 'run';
  world.handler = () => 'run';
});

/** The VM and its VMI report the problem in a condition, and both have a Warning with the same message. */
async function bothSay(name: string, type: string, reason: string, words: RegExp): Promise<void> {
  const vm = await world.until(
    () => world.vm(name),
    ({ status }) =>
      status?.conditions?.some((c) => c.type === type && c.reason === reason && words.test(c.message ?? '')) ?? false,
    `${name} reports ${type} ${reason}`,
  );
  const text = vm.status?.conditions?.find((c) => c.type === type)?.message;
  expect((await world.vmi(name))?.status?.conditions).toContainEqual(
    expect.objectContaining({ type, reason, message: text }),
  );
  for (const kind of ['VirtualMachine', 'VirtualMachineInstance']) {
    const events = await world.until(
      () => world.eventsOf(kind, name),
      (all) => all.some((e) => e.message === text),
      `${kind} has the event`,
    );
    expect(events.filter((event) => event.message === text)).toEqual([
      expect.objectContaining({ type: 'Warning', reason }),
    ]);
  }
}

const unschedulable = async (name: string, message: string): Promise<void> => {
  const [pod] = await world.until(
    () => world.podsOf(name),
    (pods) => pods.length === 1,
    `${name} has a Pod`,
  );
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
  await world.patchPodStatus(pod, { phase: 'Pending', conditions: [condition] });
};

test('a missing claim is reported on the VM, which starts when the claim is created', async () => {
  await world.createVm('claim', (vm) => {
    vm.spec.template.spec!.volumes = [{ name: 'root', persistentVolumeClaim: { claimName: 'data' } }];
  });
  await world.vmShows('claim', 'ErrorPvcNotFound');
  await bothSay(
    'claim',
    'Synchronized',
    'FailedPvcNotFound',
    /volume "root": PersistentVolumeClaim "data" does not exist .* create it/,
  );
  expect(await world.podsOf('claim')).toEqual([]);
  await world.client.create(resources.persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Block', resources: { requests: { storage: '1Gi' } } },
  } as KubeObject);
  const vm = await world.vmShows('claim', 'Running');
  expect(vm.status?.conditions?.map(({ type }) => type).sort()).toEqual(['LiveMigratable', 'Ready']);
  const [pod] = await world.podsOf('claim');
  expect(pod.spec.containers[0].volumeDevices).toEqual([{ name: 'root', devicePath: '/dev/root' }]);
});

test('more memory than any node has: cause and remedy; with less, the VM starts automatically', async () => {
  const memory = (pod: Pod): string => pod.spec.containers[0].resources?.requests?.memory ?? '';
  // 599Gi and its overhead are written as 613664Mi
  world.kubelet = (pod) => (memory(pod).length > 6 ? 'ignore' : 'run');
  await world.createVm('huge', (vm) => (vm.spec.template.spec!.domain.memory = { guest: '599Gi' }));
  await unschedulable('huge', '0/1 nodes are available: 1 Insufficient memory.');
  await world.vmShows('huge', 'ErrorUnschedulable');
  await bothSay(
    'huge',
    'PodScheduled',
    'Unschedulable',
    /needs 6\d{5}Mi .* largest node, "node-1", has 16Gi; lower spec.domain.memory.guest/,
  );
  await world.patchVm('huge', { spec: { template: { spec: { domain: { memory: { guest: '1Gi' } } } } } });
  await world.vmShows('huge', 'Running');
  expect((await world.vmi('huge'))?.spec.domain.memory?.guest).toBe('1Gi');
});

test('no usable KVM: the cause comes from the node; with emulation allowed, the VM starts automatically', async () => {
  await world.client.patch(
    resources.nodes,
    { name: 'node-1' },
    { metadata: { annotations: { 'virt8s.io/kvm-unusable': 'a vCPU hung when it was run' } } },
    'merge',
  );
  await world.client.patch(
    resources.nodes,
    { name: 'node-1', subresource: 'status' },
    { status: { allocatable: { 'devices.kubevirt.io/kvm': '0' } } },
    'merge',
  );
  const needsKvm = (limits: Record<string, string> = {}): boolean => 'devices.kubevirt.io/kvm' in limits;
  world.kubelet = (pod) => (needsKvm(pod.spec.containers[0].resources?.limits) ? 'ignore' : 'run');
  await world.createVm('kvm');
  await unschedulable('kvm', '0/1 nodes are available: 1 Insufficient devices.kubevirt.io/kvm.');
  await bothSay(
    'kvm',
    'PodScheduled',
    'Unschedulable',
    /no node has a usable \/dev\/kvm \(node-1: a vCPU hung .*useEmulation/,
  );
  const developerConfiguration = { useEmulation: true };
  await world.client.create(resources.kubeVirts, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: { configuration: { developerConfiguration } },
  } as KubeObject);
  await world.vmShows('kvm', 'Running');
  await world.client.delete(resources.kubeVirts, { namespace: 'kubevirt', name: 'kubevirt' });
  await world.client.patch(
    resources.nodes,
    { name: 'node-1', subresource: 'status' },
    { status: { allocatable: { 'devices.kubevirt.io/kvm': '1k' } } },
    'merge',
  );
});

test('an image that cannot be pulled is reported with the cause, and the VM runs when the kubelet has it', async () => {
  world.kubelet = () => 'ignore';
  await world.createVm('image');
  const [pod] = await world.until(
    () => world.podsOf('image'),
    (pods) => pods.length === 1,
    'the Pod is made',
  );
  const waiting = (reason: string) => ({
    phase: 'Pending',
    initContainerStatuses: [
      {
        name: 'volumeroot',
        image: 'disk:test',
        imageID: '',
        ready: false,
        restartCount: 0,
        state: { waiting: { reason, message: 'manifest unknown' } },
      },
    ],
  });
  await world.patchPodStatus(pod, waiting('ErrImagePull'));
  await world.vmShows('image', 'ErrImagePull');
  await bothSay(
    'image',
    'Synchronized',
    'ErrImagePull',
    /image "disk:test" of container "volumeroot" cannot be pulled: manifest unknown; correct/,
  );
  await world.patchPodStatus(pod, waiting('ImagePullBackOff'));
  await world.vmShows('image', 'ImagePullBackOff');
  world.kubelet = () => 'run';
  await world.patchPodStatus(pod, { initContainerStatuses: null });
  await world.vmShows('image', 'Running');
});

test('a Pod that fails before its guest runs: the failures are counted, reported, and delay the next start', async () => {
  world.handler = () => 'ignore';
  await world.createVm('crash');
  const [pod] = await world.until(
    () => world.podsOf('crash'),
    ([p]) => p?.status?.phase === 'Running',
    'the Pod runs',
  );
  const terminated = {
    exitCode: 1,
    reason: 'Error',
    message: 'disk root: no file in /disk\n',
    startedAt: null,
    finishedAt: null,
  };
  await world.patchPodStatus(pod, {
    phase: 'Failed',
    containerStatuses: [
      { name: 'compute', image: '', imageID: '', ready: false, restartCount: 0, state: { running: null, terminated } },
    ],
  });
  const vm = await world.vmShows('crash', 'CrashLoopBackOff');
  expect(vm.status?.startFailure).toMatchObject({ consecutiveFailCount: 1 });
  const failed = vm.status?.conditions?.find(({ type }) => type === 'Failure')?.lastTransitionTime;
  const wait = Date.parse(vm.status?.startFailure?.retryAfterTimestamp ?? '') - Date.parse(failed ?? '');
  expect(wait).toBeGreaterThan(5000);
  expect(wait).toBeLessThanOrEqual(10_000);
  expect(vm.status?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'Failure',
      status: 'True',
      reason: 'StartFailed',
      message: expect.stringMatching(/start failed once: .*disk root: no file/),
    }),
  );
  await world.until(
    () => world.eventsOf('VirtualMachine', 'crash'),
    (events) =>
      events.some(
        ({ type, reason, message }) => type === 'Warning' && reason === 'PodFailed' && /no file/.test(message),
      ),
    'the VM has the event',
  );
  world.handler = () => 'run';
  const after = await world.until(
    () => world.vm('crash'),
    ({ status }) => status?.printableStatus === 'Running',
    'it runs',
  );
  expect(after.status?.startFailure ?? undefined).toBeUndefined();
  expect(after.status?.conditions?.some(({ type }) => type === 'Failure')).toBe(false);
});

test('DataVolumes in a cluster without that kind: a condition has the remedy', async () => {
  await world.createVm('dv', (vm: VirtualMachine) => {
    vm.spec.dataVolumeTemplates = [
      {
        metadata: { name: 'dv-root' },
        spec: { source: { blank: {} }, storage: { resources: { requests: { storage: '1Gi' } } } },
      },
    ];
    vm.spec.template.spec!.volumes = [{ name: 'root', dataVolume: { name: 'dv-root' } }];
  });
  const vm = await world.vmShows('dv', 'DataVolumeError');
  expect(vm.status?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'Failure',
      reason: 'DataVolumesNotInstalled',
      message: expect.stringMatching(/"dv-root".*install the importer/),
    }),
  );
  expect(await world.vmi('dv')).toBeUndefined();
});

test('a VMI of the same name that the VM did not create is reported and not changed', async () => {
  await world.client.create(resources.virtualMachineInstances, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'foreign', namespace: 'default' },
    spec: { domain: { devices: {}, memory: { guest: '64Mi' } } },
  } as KubeObject);
  await world.createVm('foreign');
  const vm = await world.until(
    () => world.vm('foreign'),
    ({ status }) => status?.conditions?.some((c) => c.type === 'Failure') ?? false,
    'Failure',
  );
  expect(vm.status?.conditions?.find((c) => c.type === 'Failure')?.message).toMatch(
    /exists that this VM did not create; delete it/,
  );
  const vmi = await world.vmi('foreign');
  expect(vmi?.metadata.ownerReferences ?? []).toEqual([]);
});

test('a retry loop writes one event and raises its count', async () => {
  world.proxy.reset();
  world.kubelet = () => 'ignore';
  await world.createVm('loop');
  await unschedulable('loop', 'no');
  await world.vmShows('loop', 'ErrorUnschedulable');
  for (let i = 0; i < 10; i++) {
    await world.client.patch(
      resources.nodes,
      { name: 'node-1' },
      { metadata: { labels: { touched: String(i) } } },
      'merge',
    );
  }
  await world.settled();
  // it writes its last events
  await world.restartController();
  const warnings = (await world.eventsOf('VirtualMachine', 'loop')).filter(({ type }) => type === 'Warning');
  expect(warnings).toHaveLength(1);
  expect(
    world.proxy.writes.filter(({ path }) => /virtualmachine(instance)?s\/loop/.test(path)).length,
  ).toBeLessThanOrEqual(4);
});

test('a Pod or VMI that the API server rejects: the VM reports its message, and starts when it is accepted', async () => {
  const refuse = (what: string) => {
    world.proxy.fate = ({ method, path }) => (method === 'POST' && path.endsWith(what) ? 'forbidden' : 'pass');
  };
  refuse('/virtualmachineinstances');
  await world.createVm('refused');
  const words = (type: string, text: RegExp) => (vm: VirtualMachine) =>
    vm.status?.conditions?.some((c) => c.type === type && c.reason === 'FailedCreate' && text.test(c.message ?? '')) ??
    false;
  await world.until(
    () => world.vm('refused'),
    words('Failure', /rejected the VirtualMachineInstance: .*exceeded quota: small/),
    'VMI is refused',
  );
  refuse('/pods');
  await world.until(
    () => world.vm('refused'),
    words('Synchronized', /rejected the launcher Pod: .*exceeded quota: small; raise the quota/),
    'Pod is refused',
  );
  world.proxy.fate = () => 'pass';
  const vm = await world.vmShows('refused', 'Running');
  expect(vm.status?.conditions?.map(({ type }) => type).sort()).toEqual(['LiveMigratable', 'Ready']);
});

test('a VMI without a VM gets its Pod, fails with it, and is removed when it is deleted', async () => {
  await world.client.create(resources.virtualMachineInstances, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'alone', namespace: 'default', finalizers: ['kubevirt.io/foregroundDeleteVirtualMachine'] },
    spec: { domain: { devices: {}, memory: { guest: '64Mi' } } },
    status: { phase: 'Pending' },
  } as KubeObject);
  await world.until(
    () => world.vmi('alone'),
    (vmi) => vmi?.status?.phase === 'Running',
    'it runs',
  );
  const [pod] = await world.podsOf('alone');
  await world.client.delete(
    resources.pods,
    { namespace: 'default', name: pod.metadata.name ?? '' },
    { gracePeriodSeconds: 0 },
  );
  const failed = await world.until(
    () => world.vmi('alone'),
    (vmi) => vmi?.status?.phase === 'Failed',
    'it failed',
  );
  expect(failed?.status).toMatchObject({ reason: 'PodGone' });
  await world.client.delete(resources.virtualMachineInstances, { namespace: 'default', name: 'alone' });
  await world.until(
    () => world.vmi('alone'),
    (vmi) => !vmi,
    'it is deleted',
  );
});

test('a node whose handler is silent gets no more VMs, and a guest without a Pod is started elsewhere', async () => {
  await world.createVm('lost');
  await world.vmShows('lost', 'Running');
  const before = (await world.vmi('lost'))?.metadata.uid;
  const heartbeat = (minutes: number): Promise<KubeObject> => {
    const time = new Date(Date.now() - minutes * 60_000).toISOString().replace(/\.\d+Z$/, 'Z');
    const labels = minutes ? {} : { 'kubevirt.io/schedulable': 'true' };
    return world.client.patch(
      resources.nodes,
      { name: 'node-1' },
      { metadata: { labels, annotations: { 'kubevirt.io/heartbeat': time } } },
      'merge',
    );
  };
  await heartbeat(6);
  // a controller that has seen no other heartbeat believes the time in it
  await world.restartController();
  const node = () => world.client.get(resources.nodes, { name: 'node-1' });
  await world.until(
    node,
    ({ metadata }) => metadata.labels?.['kubevirt.io/schedulable'] === 'false',
    'the node is marked',
  );
  expect((await world.vmi('lost'))?.status?.phase).toBe('Running');
  const kubelet = (status: string): Promise<KubeObject> =>
    world.client.patch(
      resources.nodes,
      { name: 'node-1', subresource: 'status' },
      { status: { conditions: [{ type: 'Ready', status }] } },
      'merge',
    );
  await kubelet('Unknown');
  const doubted = await world.until(
    () => world.vmi('lost'),
    (vmi) =>
      vmi?.status?.conditions?.some(({ type, reason }) => type === 'Ready' && reason === 'NodeUnresponsive') ?? false,
    'the guest is doubted',
  );
  expect(doubted?.status?.phase).toBe('Running');
  await kubelet('True');
  const [pod] = await world.podsOf('lost');
  await world.client.delete(
    resources.pods,
    { namespace: 'default', name: pod.metadata.name ?? '' },
    { gracePeriodSeconds: 0 },
  );
  await heartbeat(0);
  await world.until(
    () => world.vmi('lost'),
    (vmi) => vmi?.status?.phase === 'Running' && vmi.metadata.uid !== before,
    'it runs again',
  );
});
