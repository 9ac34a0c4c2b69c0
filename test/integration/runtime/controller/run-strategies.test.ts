import { resources } from '../../../../src/runtime/kube';
import type { VirtualMachine } from '../../../../src/api';
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

type Strategy = NonNullable<VirtualMachine['spec']['runStrategy']>;
const withStrategy = (name: string, runStrategy: Strategy): Promise<VirtualMachine> =>
  world.createVm(name, (vm) => (vm.spec.runStrategy = runStrategy));
const uidOf = async (name: string): Promise<string | undefined> => (await world.vmi(name))?.metadata.uid;
const request = (name: string, ...requests: object[]): Promise<unknown> =>
  world.patchVm(name, { status: { stateChangeRequests: requests } }, 'status');
const isStartedAnew = (name: string, before: string | undefined): Promise<unknown> =>
  world.until(
    () => world.vmi(name),
    (vmi) => vmi?.metadata.uid !== before && vmi?.status?.phase === 'Running',
    `${name} runs again`,
  );

test('Always starts a guest again that powered off', async () => {
  await withStrategy('always', 'Always');
  await world.vmShows('always', 'Running');
  const before = await uidOf('always');
  await world.endGuest('always', 'Succeeded');
  await isStartedAnew('always', before);
});

test('RerunOnFailure leaves a guest off that powered off and starts one again that failed', async () => {
  await withStrategy('rerun', 'RerunOnFailure');
  await world.vmShows('rerun', 'Running');
  const before = await uidOf('rerun');
  await world.endGuest('rerun', 'Failed');
  await isStartedAnew('rerun', before);
  await world.vmShows('rerun', 'Running');
  await world.endGuest('rerun', 'Succeeded');
  await world.vmShows('rerun', 'Stopped');
  await world.settled();
  expect(await uidOf('rerun')).toBeUndefined();
  await request('rerun', { action: 'Start' });
  await world.vmShows('rerun', 'Running');
});

test('Manual starts and stops on request only, and a restart is a stop followed by a start', async () => {
  await withStrategy('manual', 'Manual');
  await world.vmShows('manual', 'Stopped');
  await request('manual', { action: 'Start' });
  const running = await world.vmShows('manual', 'Running');
  expect(running.status?.stateChangeRequests ?? []).toEqual([]);
  const uid = await uidOf('manual');
  await request('manual', { action: 'Stop', uid }, { action: 'Start' });
  await isStartedAnew('manual', uid);
  const again = await uidOf('manual');
  await world.vmShows('manual', 'Running');
  // a stop that means an earlier VMI does nothing
  await request('manual', { action: 'Stop', uid });
  await world.until(
    () => world.vm('manual'),
    (vm) => !vm.status?.stateChangeRequests?.length,
    'the request is dropped',
  );
  expect(await uidOf('manual')).toBe(again);
  await request('manual', { action: 'Stop', uid: again });
  await world.vmShows('manual', 'Stopped');
});

test('Halted ends a running VM, and a start request turns it to Always', async () => {
  await withStrategy('halted', 'Always');
  await world.vmShows('halted', 'Running');
  await world.patchVm('halted', { spec: { runStrategy: 'Halted' } });
  const stopped = await world.vmShows('halted', 'Stopped');
  expect(stopped.status).toMatchObject({ created: false, ready: false });
  const generation = String((await world.vm('halted')).metadata.generation);
  await request('halted', { action: 'Start', data: { paused: 'true', generation } });
  const paused = await world.vmShows('halted', 'Paused');
  expect(paused.spec.runStrategy).toBe('Always');
  expect((await world.vmi('halted'))?.spec.startStrategy).toBe('Paused');
  const [pod] = (await world.podsOf('halted')).filter(({ status }) => status?.phase === 'Running');
  expect(pod.status?.conditions?.find(({ type }) => type.endsWith('unpaused'))?.status).not.toBe('True');
});

test('Once runs a guest once, regardless of its end', async () => {
  await withStrategy('once', 'Once');
  await world.vmShows('once', 'Running');
  const before = await uidOf('once');
  await world.endGuest('once', 'Succeeded');
  await world.vmShows('once', 'Stopped');
  await world.settled();
  expect(await uidOf('once')).toBe(before);
});

test('the deprecated field running works like Always and Halted', async () => {
  await world.createVm('old', (vm) => {
    delete vm.spec.runStrategy;
    vm.spec.running = true;
  });
  await world.vmShows('old', 'Running');
  await world.patchVm('old', { spec: { running: false } });
  await world.vmShows('old', 'Stopped');
});

test('pausing a guest takes its Pod out of its Services, and resuming puts it back', async () => {
  await withStrategy('paused', 'Always');
  await world.vmShows('paused', 'Running');
  const gate = async (): Promise<string | undefined> =>
    (await world.podsOf('paused'))[0].status?.conditions?.find(({ type }) => type.endsWith('unpaused'))?.status;
  await world.until(gate, (status) => status === 'True', 'gate is True');
  const conditions = (await world.vmi('paused'))?.status?.conditions ?? [];
  const others = conditions.filter(({ type }) => type !== 'Ready');
  const verdicts = [
    { type: 'Paused', status: 'True' },
    { type: 'Ready', status: 'False', reason: 'GuestNotRunning', message: 'the guest is paused' },
  ];
  await world.patchVmi('paused', { status: { conditions: [...others, ...verdicts] } });
  await world.vmShows('paused', 'Paused');
  await world.until(gate, (status) => status === 'False', 'gate is False');
  const vm = await world.until(
    () => world.vm('paused'),
    ({ status }) => status?.ready === false,
    'VM is not ready',
  );
  expect(vm.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Ready', status: 'False', reason: 'GuestNotRunning' }),
  );
  await world.patchVmi('paused', { status: { conditions } });
  await world.until(gate, (status) => status === 'True', 'gate is True again');
  await world.until(
    () => world.vm('paused'),
    ({ status }) => status?.ready === true,
    'VM is ready again',
  );
});

test('a changed template requires a restart, and the restart applies it', async () => {
  await withStrategy('changed', 'Always');
  await world.vmShows('changed', 'Running');
  await world.patchVm('changed', { spec: { template: { spec: { domain: { cpu: { cores: 2 } } } } } });
  const has = (type: string) => (vm: VirtualMachine) => vm.status?.conditions?.some((c) => c.type === type) ?? false;
  const vm = await world.until(() => world.vm('changed'), has('RestartRequired'), 'RestartRequired');
  expect(vm.status).toMatchObject({ desiredGeneration: 2, observedGeneration: 1 });
  const uid = await uidOf('changed');
  await request('changed', { action: 'Stop', uid });
  await isStartedAnew('changed', uid);
  const after = await world.until(
    () => world.vm('changed'),
    (seen) => !has('RestartRequired')(seen),
    'no RestartRequired',
  );
  expect((await world.vmi('changed'))?.spec.domain.cpu?.cores).toBe(2);
  expect(after.status?.observedGeneration).toBe(2);
});

test('a VM that is deleted while it starts leaves nothing', async () => {
  await withStrategy('hasty', 'Always');
  await world.client.delete(resources.virtualMachines, { namespace: 'default', name: 'hasty' });
  await world.until(
    () => world.client.find(resources.virtualMachines, { namespace: 'default', name: 'hasty' }),
    (vm) => !vm,
    'VM is deleted',
  );
  await world.until(
    () => world.podsOf('hasty'),
    (pods) => pods.length === 0,
    'Pods are deleted',
  );
  expect(await world.vmi('hasty')).toBeUndefined();
});
