import type { VirtualMachine, VirtualMachineInstance } from '../../../../../src/api';
import { launcherPodName } from '../../../../../src/api/launcher-name';
import { changeRunState } from '../../../../../src/runtime/api-server/subresources/lifecycle';
import { ApiError } from '../../../../../src/runtime/kube';
import type { KubeClient } from '../../../../../src/runtime/kube';

const instance = (uid: string, phase = 'Running'): VirtualMachineInstance =>
  ({ metadata: { name: 'web', uid }, spec: {}, status: { phase } }) as VirtualMachineInstance;

/** An API server with one VM, whose VMI is another one at each look. */
class OneVm {
  public version = 1;
  public readonly writes: string[] = [];
  public conflicts = 0;
  public vm: VirtualMachine;
  /** Pods by their names, and those that were deleted. */
  public readonly pods = new Map<string, object>();
  public readonly deleted: unknown[] = [];

  public constructor(
    spec: object,
    private readonly looks: (VirtualMachineInstance | undefined)[],
    status: object = {},
  ) {
    this.vm = { metadata: { name: 'web', uid: 'vm' }, spec, status } as unknown as VirtualMachine;
  }

  public ask(verb: 'start' | 'stop' | 'restart', body = ''): Promise<void> {
    const client = {
      find: async ({ plural }: { plural: string }, { name }: { name: string }) => {
        if (plural === 'pods') return this.pods.get(name);
        if (plural !== 'virtualmachines') return this.looks.length > 1 ? this.looks.shift() : this.looks[0];
        return { ...this.vm, metadata: { ...this.vm.metadata, resourceVersion: String(this.version) } };
      },
      patch: async (
        _: unknown,
        __: unknown,
        { metadata, ...rest }: { metadata: { resourceVersion: string }; status?: object; spec?: object },
      ) => {
        if (metadata.resourceVersion !== String(this.version) || this.conflicts-- > 0) {
          throw new ApiError(409, 'Conflict', 'stale');
        }
        this.writes.push(JSON.stringify(rest));
        const { vm } = this;
        this.vm = { ...vm, spec: { ...vm.spec, ...rest.spec }, status: { ...vm.status, ...rest.status } };
        return { metadata: { resourceVersion: String(++this.version) } };
      },
      delete: async (_: unknown, { name }: { name: string }, options: object) => {
        this.deleted.push([name, options]);
      },
    };
    return changeRunState(client as unknown as KubeClient, verb, { namespace: 'default', name: 'web' }, body);
  }
}
const stops = (uid: string): string => `{"status":{"stateChangeRequests":[{"action":"Stop","uid":"${uid}"}]}}`;

test('a stop whose VMI was replaced while it was written stops the new one', async () => {
  const world = new OneVm({ runStrategy: 'Manual' }, [instance('a'), instance('b')]);
  await world.ask('stop');
  expect(world.writes).toEqual([stops('a'), stops('b')]);
});

test('a stop of a VM that is about to start also stops a VMI that was started in the meantime', async () => {
  const pending = { stateChangeRequests: [{ action: 'Start' }] };
  const world = new OneVm({ runStrategy: 'Manual' }, [undefined, instance('b')], pending);
  await world.ask('stop');
  expect(world.writes).toEqual(['{"status":{"stateChangeRequests":null}}', stops('b')]);
});

const restarts = (uid: string): string =>
  `{"status":{"stateChangeRequests":[{"action":"Stop","uid":"${uid}"},{"action":"Start"}]}}`;
const podOf = (uid: string, name = launcherPodName('web', uid)): object => ({
  metadata: {
    namespace: 'default',
    name,
    uid: `pod-${uid}`,
    ownerReferences: [
      { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'web', uid, controller: true },
    ],
  },
});

test.each([
  ['restart', '', []],
  ['forced restart', '{"gracePeriodSeconds":0}', ['a']],
])('a %s whose VMI is replaced at once leaves the new one alone', async (_, body, deleted) => {
  const world = new OneVm({ runStrategy: 'Always' }, [instance('a'), instance('b')]);
  for (const uid of ['a', 'b']) world.pods.set(launcherPodName('web', uid), podOf(uid));
  await world.ask('restart', body);
  expect(world.writes).toEqual([restarts('a')]);
  const options = (uid: string): object => ({
    gracePeriodSeconds: 1,
    preconditions: { uid: `pod-${uid}` },
    dryRun: false,
  });
  expect(world.deleted).toEqual(deleted.map((uid) => [launcherPodName('web', uid), options(uid)]));
});

test('a restart is complete when another client had the VMI replaced before the request was written', async () => {
  const world = new OneVm({ runStrategy: 'Always' }, [instance('a'), instance('b')]);
  world.conflicts = 1;
  await world.ask('restart', '{"gracePeriodSeconds":0}');
  expect([world.writes, world.deleted]).toEqual([[], []]);
});

test('a restart is decided again for the same VMI when only the VM has changed', async () => {
  const world = new OneVm({ runStrategy: 'Always' }, [instance('a')]);
  world.conflicts = 1;
  await world.ask('restart');
  expect(world.writes).toEqual([restarts('a')]);
});

test.each<[string, object]>([
  ['another VMI owns it', podOf('b', launcherPodName('web', 'a'))],
  ['nobody controls it', { metadata: { namespace: 'default', name: launcherPodName('web', 'a'), uid: 'p' } }],
])('a forced restart deletes no Pod with the name of the launcher when %s', async (_, pod) => {
  const world = new OneVm({ runStrategy: 'Always' }, [instance('a')]);
  world.pods.set(launcherPodName('web', 'a'), pod);
  await world.ask('restart', '{"gracePeriodSeconds":0}');
  expect(world.writes).toEqual([restarts('a')]);
  expect(world.deleted).toEqual([]);
});

test('a stop whose new VMI has ended in the meantime is complete', async () => {
  const world = new OneVm({ runStrategy: 'Manual' }, [instance('a'), instance('b'), instance('b', 'Succeeded')]);
  await expect(world.ask('stop')).resolves.toBeUndefined();
  expect(world.writes).toEqual([stops('a')]);
});

test('a start is written once, even if another VMI runs afterwards', async () => {
  const world = new OneVm({ runStrategy: 'Manual' }, [undefined, instance('b')]);
  await world.ask('start');
  expect(world.writes).toEqual(['{"status":{"stateChangeRequests":[{"action":"Start"}]}}']);
});

test('the second of two patches names the version that the first one made', async () => {
  const pending = { stateChangeRequests: [{ action: 'Stop', uid: 'a' }, { action: 'Start' }] };
  const world = new OneVm({ runStrategy: 'Always' }, [instance('a')], pending);
  await world.ask('stop');
  expect(world.writes).toEqual(['{"status":{"stateChangeRequests":null}}', '{"spec":{"runStrategy":"Halted"}}']);
});

test.each([
  [5, true],
  [6, false],
])('a decision is repeated after %i conflicts: %s', async (conflicts, isDone) => {
  const world = new OneVm({ runStrategy: 'Manual' }, [instance('a')]);
  world.conflicts = conflicts;
  const asked = world.ask('stop');
  await (isDone ? expect(asked).resolves.toBeUndefined() : expect(asked).rejects.toThrow(/please try again/));
});
