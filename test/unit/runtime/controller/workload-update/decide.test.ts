import type { KubeVirt, VirtualMachineInstance } from '../../../../../src/api';
import type { KubeVirtStatus, KubeVirtWorkloadUpdateStrategy } from '../../../../../src/api/generated/kubevirt-v1';
import type { Pod } from '../../../../../src/runtime/controller/pod';
import { decide, MOST_REFUSALS } from '../../../../../src/runtime/controller/workload-update/decide';
import type { Action } from '../../../../../src/runtime/controller/workload-update/decide';
import type { Instance, Observed } from '../../../../../src/runtime/controller/workload-update/observed';
import { ago, condition, NOW, onNode, pod, running } from '../fixtures';

const LABEL = 'kubevirt.io/outdatedLauncherImage';
const deployed: KubeVirtStatus = { phase: 'Deployed', observedDeploymentID: 'b', targetDeploymentID: 'b' };

const kubeVirt = (
  workloadUpdateStrategy: KubeVirtWorkloadUpdateStrategy = {},
  status: KubeVirtStatus = {},
): KubeVirt => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'KubeVirt',
  metadata: { name: 'kubevirt', namespace: 'kubevirt' },
  spec: { workloadUpdateStrategy },
  status: { ...deployed, ...status },
});
const evict: KubeVirtWorkloadUpdateStrategy = { workloadUpdateMethods: ['Evict'] };

type Change = (vmi: VirtualMachineInstance, pod: Pod) => void;

/** A running instance with its label, in a launcher of image launcher:1. */
function instance(name: string, change: Change = () => {}): Instance {
  const vmi = running((v) => {
    v.metadata = { ...v.metadata, name, uid: `uid-${name}`, labels: { [LABEL]: '' } };
  });
  const launcher = pod({ phase: 'Running' }, (p) => {
    onNode(p);
    p.metadata.uid = `pod-${name}`;
  });
  change(vmi, launcher);
  return { vmi, pod: launcher };
}
const many = (count: number, prefix = 'vm', change?: Change): Instance[] =>
  Array.from({ length: count }, (_, i) => instance(`${prefix}-${String(i).padStart(3, '0')}`, change));
/** Instances whose launchers end, with the end of their grace periods this many seconds ago. */
const ending = (count: number, seconds = -30): Instance[] =>
  many(count, 'ending', (_, p) => (p.metadata.deletionTimestamp = ago(seconds)));

const see = (instances: readonly Instance[], more: Partial<Observed> = {}): Observed => ({
  kubeVirt: kubeVirt(evict),
  launcherImage: 'launcher:2',
  instances,
  refusals: new Map(),
  evictions: new Map(),
  now: NOW,
  ...more,
});

/** Actions in a short form; the count is tested on its own. */
const brief = (actions: readonly Action[]): string[] =>
  actions.flatMap((action) => {
    switch (action.do) {
      case 'label':
        return `${action.isOutdated ? 'label' : 'unlabel'} ${action.vmi.metadata.name}`;
      case 'count':
        return [];
      case 'warn':
        return 'warn';
      case 'evict':
        return `evict ${action.room} of ${action.candidates.length}`;
      case 'recheck':
        return `recheck ${action.afterMs / 1000}s`;
    }
  });
const counted = (actions: readonly Action[]): number[] =>
  actions.flatMap((action) => (action.do === 'count' ? action.count : []));
const chosen = (actions: readonly Action[]): (string | undefined)[] =>
  actions.flatMap((action) => (action.do === 'evict' ? action.candidates.map(({ vmi }) => vmi.metadata.name) : []));
const warnings = (actions: readonly Action[]): string[] =>
  actions.flatMap((action) => (action.do === 'warn' ? action.message : []));

describe('the label', () => {
  const unlabelled: Change = (v) => (v.metadata.labels = {});
  test.each<[string, Instance, string, string[]]>([
    ['is added to an instance with an earlier launcher', instance('a', unlabelled), 'launcher:2', ['label a']],
    ['is kept', instance('a'), 'launcher:2', []],
    ['is removed after a rollback', instance('a'), 'launcher:1', ['unlabel a']],
    ['is not added to a current instance', instance('a', unlabelled), 'launcher:1', []],
    ['is not changed without a Pod', { vmi: instance('a').vmi }, 'launcher:1', []],
    ['is not changed at the end', instance('a', (v) => (v.status!.phase = 'Succeeded')), 'launcher:1', []],
    [
      'is not changed during a deletion',
      instance('a', (v) => (v.metadata.deletionTimestamp = ago(1))),
      'launcher:1',
      [],
    ],
    [
      'is added before the guest runs',
      instance('a', (v) => {
        v.metadata.labels = {};
        v.status!.phase = 'Scheduled';
      }),
      'launcher:2',
      ['label a'],
    ],
  ])('%s', (_, of, launcherImage, want) =>
    expect(brief(decide(see([of], { launcherImage, kubeVirt: undefined })))).toEqual(want),
  );
});

describe('the number of outdated instances', () => {
  const count = (outdatedVirtualMachineInstanceWorkloads?: number): KubeVirt =>
    kubeVirt({}, { outdatedVirtualMachineInstanceWorkloads });
  test.each<[string, Observed, number[]]>([
    ['is written first', see([], { kubeVirt: count() }), [0]],
    ['is written when it changes', see(many(2), { kubeVirt: count(1) }), [2]],
    ['is not written again', see(many(2), { kubeVirt: count(2) }), []],
    [
      'has running guests only',
      see([instance('a', (v) => (v.status!.phase = 'Scheduled'))], { kubeVirt: count() }),
      [0],
    ],
    [
      'has no guest that is being deleted',
      see([instance('a', (v) => (v.metadata.deletionTimestamp = ago(1)))], { kubeVirt: count() }),
      [0],
    ],
    ['has guests whose launcher is ending', see(ending(1), { kubeVirt: count() }), [1]],
    ['has no guest of the current version', see(many(2), { kubeVirt: count(), launcherImage: 'launcher:1' }), [0]],
  ])('%s', (_, seen, want) => expect(counted(decide(seen))).toEqual(want));
});

test.each<[string, KubeVirt | undefined]>([
  ['there is no KubeVirt object', undefined],
  ['the platform is being installed', kubeVirt(evict, { phase: 'Deploying' })],
  ['the platform is being updated', kubeVirt(evict, { targetDeploymentID: 'c' })],
  ['the status is empty', { ...kubeVirt(evict), status: undefined }],
  ['the platform is being removed', { ...kubeVirt(evict), metadata: { name: 'kubevirt', deletionTimestamp: ago(1) } }],
])('nothing is counted or evicted while %s', (_, of) => expect(decide(see(many(3), { kubeVirt: of }))).toEqual([]));

test('an installation without an operator, which has no deployment IDs, is complete', () => {
  const engine = { ...kubeVirt(evict), status: { phase: 'Deployed' as const } };
  expect(brief(decide(see(many(1), { kubeVirt: engine })))).toEqual(['evict 10 of 1', 'recheck 30s']);
});

describe('a batch', () => {
  const size = (batchEvictionSize: number): Partial<Observed> => ({
    kubeVirt: kubeVirt({ ...evict, batchEvictionSize }),
  });
  test.each<[string, Observed, string[]]>([
    ['does not begin without a method', see(many(3), { kubeVirt: kubeVirt() }), []],
    ['does not begin without outdated guests', see([]), []],
    ['has ten guests unless a size is set', see(many(3)), ['evict 10 of 3', 'recheck 30s']],
    ['fills what is left of its size', see([...ending(3), ...many(3)], size(5)), ['evict 2 of 3', 'recheck 30s']],
    [
      'evicts one where one less than its size is ending',
      see([...ending(4), ...many(3)], size(5)),
      ['evict 1 of 3', 'recheck 30s'],
    ],
    ['waits where as many as its size are ending', see([...ending(5), ...many(3)], size(5)), ['recheck 30s']],
    ['waits where more than its size are ending', see([...ending(6), ...many(3)], size(5)), ['recheck 30s']],
    ['of one guest', see(many(3), size(1)), ['evict 1 of 3', 'recheck 30s']],
    ['of no guest never begins', see(many(3), size(0)), ['warn', 'recheck 30s']],
    ['of a negative size never begins', see(many(3), size(-1)), ['warn', 'recheck 30s']],
    ['has nothing to do when all are ending', see(ending(3)), ['recheck 30s']],
  ])('%s', (_, seen, want) => expect(brief(decide(seen))).toEqual(want));

  test.each<[string, Instance[], Partial<Observed>, string]>([
    [
      'a launcher that the cache does not show as ending',
      many(1),
      { evictions: new Map([['pod-vm-000', NOW - 59_999]]) },
      'evict 1',
    ],
    ['no eviction that had no effect', many(1), { evictions: new Map([['pod-vm-000', NOW - 60_000]]) }, 'evict 2'],
    ['a launcher that overruns its grace period', ending(1, 299), {}, 'evict 1'],
    ['no launcher that has overrun it for five minutes', ending(1, 300), {}, 'evict 2'],
    [
      'no launcher that has ended',
      many(1, 'ended', (_, p) => {
        p.metadata.deletionTimestamp = ago(1);
        p.status!.phase = 'Succeeded';
      }),
      {},
      'evict 2',
    ],
  ])('counts %s', (_, some, more, want) => {
    const of = see([...some, ...many(3, 'waiting')], { ...size(2), ...more });
    expect(brief(decide(of))[0]).toMatch(new RegExp(`^${want} of`));
  });

  test('evicts no guest twice', () => {
    const evictions = new Map([['pod-vm-000', NOW - 1000]]);
    expect(chosen(decide(see([...ending(1), ...many(2)], { evictions })))).toEqual(['vm-001']);
  });

  test.each<[string, Change]>([
    ['has not started', (v) => (v.status!.phase = 'Scheduled')],
    ['is being deleted', (v) => (v.metadata.deletionTimestamp = ago(1))],
    ['has a launcher that has ended', (_, p) => (p.status!.phase = 'Failed')],
  ])('has no guest that %s', (_, change) =>
    expect(chosen(decide(see([instance('a', change), instance('b')])))).toEqual(['b']),
  );
});

describe('the interval', () => {
  const after = (seconds: number, batchEvictionInterval?: string): Observed =>
    see(many(3), { kubeVirt: kubeVirt({ ...evict, batchEvictionInterval }), lastBatch: NOW - seconds * 1000 });
  test.each<[string, Observed, string[]]>([
    ['has a minute unless another time is set', after(59), ['recheck 1s']],
    ['ends after exactly that time', after(60), ['evict 10 of 3', 'recheck 30s']],
    ['has ended after that time', after(61), ['evict 10 of 3', 'recheck 30s']],
    ['is one that was set', after(89, '1m30s'), ['recheck 1s']],
    ['that was set ends', after(90, '1m30s'), ['evict 10 of 3', 'recheck 30s']],
    ['is looked at in between', after(1, '2h'), ['recheck 30s']],
    ['of no time delays nothing', after(0, '0s'), ['evict 10 of 3', 'recheck 30s']],
    ['that cannot be read is the default', after(59, 'soon'), ['recheck 1s']],
    ['that is negative is the default', after(59, '-5m'), ['recheck 1s']],
    ['of a leader whose clock was ahead', after(-60), ['recheck 30s']],
    ['does not depend on a time far in the future', after(-61), ['evict 10 of 3', 'recheck 30s']],
  ])('%s', (_, seen, want) => expect(brief(decide(seen))).toEqual(want));
});

describe('guests whose eviction was rejected', () => {
  const refused = (...of: [name: string, secondsAgo: number][]): Partial<Observed> => ({
    refusals: new Map(of.map(([name, seconds]) => [`uid-${name}`, NOW - seconds * 1000])),
  });
  test.each<[string, Partial<Observed>, string[]]>([
    ['are not tried again within five minutes', refused(['vm-000', 299]), ['vm-001', 'vm-002']],
    ['are tried again after five minutes', refused(['vm-000', 300]), ['vm-001', 'vm-002', 'vm-000']],
    [
      'are tried after the others, oldest first',
      refused(['vm-001', 300], ['vm-000', 301]),
      ['vm-002', 'vm-000', 'vm-001'],
    ],
  ])('%s', (_, more, want) => expect(chosen(decide(see(many(3), more)))).toEqual(want));

  test('leave candidates for a batch, within a limit', () => {
    const kept = chosen(decide(see(many(MOST_REFUSALS + 11))));
    expect(kept).toHaveLength(MOST_REFUSALS + 10);
  });
});

describe('live migration, which virt8s does not have yet', () => {
  const both: KubeVirtWorkloadUpdateStrategy = { workloadUpdateMethods: ['LiveMigrate', 'Evict'] };
  const only: KubeVirtWorkloadUpdateStrategy = { workloadUpdateMethods: ['LiveMigrate'] };
  const migratable: Change = (v) => v.status!.conditions!.push(condition('LiveMigratable', 'True'));
  const fixed: Change = (v) => v.status!.conditions!.push(condition('LiveMigratable', 'False'));

  test.each<[string, Instance[], KubeVirtWorkloadUpdateStrategy, string[], string[]]>([
    ['alone: all guests stay', [instance('a', migratable), instance('b', fixed)], only, ['warn'], []],
    ['alone: nothing is reported without outdated guests', [], only, [], []],
    [
      'with Evict: guests that cannot migrate are evicted',
      [instance('a', migratable), instance('b', fixed), instance('c')],
      both,
      ['warn', 'evict 10 of 2', 'recheck 30s'],
      ['b', 'c'],
    ],
    ['with Evict: all can migrate', [instance('a', migratable)], both, ['warn', 'recheck 30s'], []],
    ['with Evict: none can migrate', [instance('a', fixed)], both, ['evict 10 of 1', 'recheck 30s'], ['a']],
    [
      'not chosen: guests that could migrate are evicted',
      [instance('a', migratable)],
      evict,
      ['evict 10 of 1', 'recheck 30s'],
      ['a'],
    ],
  ])('%s', (_, instances, strategy, want, evicted) => {
    const actions = decide(see(instances, { kubeVirt: kubeVirt(strategy) }));
    expect(brief(actions)).toEqual(want);
    expect(chosen(actions)).toEqual(evicted);
  });

  test.each([
    [only, 'add Evict, which stops them in batches, or restart their VMs'],
    [both, 'remove LiveMigrate from spec.workloadUpdateStrategy.workloadUpdateMethods'],
    [{ ...evict, batchEvictionSize: 0 }, 'batchEvictionSize is 0: use 1 or more'],
  ])('the report has a remedy: %j', (strategy, remedy) => {
    const actions = decide(see([instance('a', migratable)], { kubeVirt: kubeVirt(strategy) }));
    expect(warnings(actions)).toEqual([expect.stringContaining(remedy)]);
  });
});
