import type { VirtualMachine, VirtualMachineInstance } from '../../../../../src/api';
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

  public constructor(
    spec: object,
    private readonly looks: (VirtualMachineInstance | undefined)[],
    status: object = {},
  ) {
    this.vm = { metadata: { name: 'web', uid: 'vm' }, spec, status } as unknown as VirtualMachine;
  }

  public ask(verb: 'start' | 'stop' | 'restart', body = ''): Promise<void> {
    const client = {
      find: async ({ plural }: { plural: string }) => {
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

test('a stop of a VM that was about to start stops what was started meanwhile', async () => {
  const pending = { stateChangeRequests: [{ action: 'Start' }] };
  const world = new OneVm({ runStrategy: 'Manual' }, [undefined, instance('b')], pending);
  await world.ask('stop');
  expect(world.writes).toEqual(['{"status":{"stateChangeRequests":null}}', stops('b')]);
});

test('a stop whose new VMI ended by itself is done', async () => {
  const world = new OneVm({ runStrategy: 'Manual' }, [instance('a'), instance('b'), instance('b', 'Succeeded')]);
  await expect(world.ask('stop')).resolves.toBeUndefined();
  expect(world.writes).toEqual([stops('a')]);
});

test('a start is written once, whatever runs afterwards', async () => {
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
])('a decision is made anew after %i conflicts: %s', async (conflicts, isDone) => {
  const world = new OneVm({ runStrategy: 'Manual' }, [instance('a')]);
  world.conflicts = conflicts;
  const asked = world.ask('stop');
  await (isDone ? expect(asked).resolves.toBeUndefined() : expect(asked).rejects.toThrow(/please try again/));
});
