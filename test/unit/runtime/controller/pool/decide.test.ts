import { BURST, decide, maxUnavailable } from '../../../../../src/runtime/controller/pool/decide';
import { all, foreign, halted, leaving, member, ownerless, pool, seen, shown, starting, template } from './fixtures';
import { ago } from '../fixtures';

const two = [member(0), member(1)];
const three = [...two, member(2)];
const OFFLINE = { statePreservation: 'Offline' } as const;
const released = all(leaving, ({ vm }) => void (vm.metadata.finalizers = []));

describe('the size of a pool', () => {
  test.each<[string, string[], string[]]>([
    ['grows by the lowest free numbers', shown(pool(), []), ['createVm web-0', 'createVm web-1']],
    ['is one by default', shown(pool({ replicas: undefined }), []), ['createVm web-0']],
    ['fills a gap', shown(pool({ replicas: 3 }), [member(0), member(2)]), ['createVm web-1']],
    [
      'leaves out names of other VMs',
      shown(pool({ replicas: 1 }), [], { isTaken: (name) => name === 'web-0' }),
      ['createVm web-1'],
    ],
    ['is kept', shown(pool(), two), []],
    ['waits for the end of a VM before it is replaced', shown(pool(), [member(0), member(1, released)]), []],
    ['can be zero', shown(pool({ replicas: 0 }), []), []],
    ['counts VMs that are being deleted', shown(pool({ replicas: 2 }), [...two, member(2, released)]), []],
    ['is not managed while the pool is paused', shown(pool({ paused: true }), [member(0)]), []],
    [
      'is not managed if the template would not match the selector, which would create VMs without end',
      shown(pool({ selector: { matchLabels: { app: 'other' } } }), []),
      [],
    ],
    [
      'shrinks in the order of the policy',
      shown(
        pool({ replicas: 1, scaleInStrategy: { proactive: { selectionPolicy: { sortPolicy: 'DescendingOrder' } } } }),
        three,
      ),
      ['deleteVm web-2', 'deleteVm web-1'],
    ],
    ['does not shrink if opportunistic', shown(pool({ replicas: 1, scaleInStrategy: { opportunistic: {} } }), two), []],
    ['does not shrink if unmanaged', shown(pool({ replicas: 1, scaleInStrategy: { unmanaged: {} } }), two), []],
  ])('%s', (_, actions, want) => expect(actions).toEqual(want));

  test('changes by a limited number of VMs in a pass', () => {
    expect(shown(pool({ replicas: BURST + 1 }), [])).toHaveLength(BURST);
    const many = Array.from({ length: BURST + 2 }, (_, i) => member(i));
    expect(shown(pool({ replicas: 1 }), many)).toHaveLength(BURST);
  });

  test('shrinks by the same random VMs in each pass of a generation', () => {
    const small = pool({ replicas: 1 });
    expect(shown(small, three)).toEqual(shown(small, [...three].reverse()));
  });
});

describe('a VM', () => {
  test.each<[string, string[], string[]]>([
    ['is released when it is deleted', shown(pool(), [member(0), member(1, leaving)]), ['release web-1']],
    [
      'is released even while the pool is paused',
      shown(pool({ paused: true }), [member(1, leaving)]),
      ['release web-1'],
    ],
    [
      'leaves its disks to the VM that gets its number',
      shown(pool({ scaleInStrategy: { proactive: OFFLINE } }), [member(0), member(1, leaving)]),
      ['keepDisks web-1', 'release web-1'],
    ],
    [
      'leaves its disks when others delete it',
      shown(pool({ scaleInStrategy: { opportunistic: OFFLINE } }), [member(0), member(1, leaving)]),
      ['keepDisks web-1', 'release web-1'],
    ],
    [
      'takes its disks along when it is deleted in the foreground',
      shown(pool({ scaleInStrategy: { proactive: OFFLINE } }), [
        member(0),
        member(
          1,
          all(leaving, ({ vm }) => vm.metadata.finalizers!.push('foregroundDeletion')),
        ),
      ]),
      ['release web-1'],
    ],
    [
      'is detached when its labels no longer match',
      shown(pool({ replicas: 1 }), [member(0, foreign), member(1)]),
      ['detach web-0'],
    ],
    [
      'is detached and replaced by another number',
      shown(pool({ replicas: 1 }), [member(0, foreign)]),
      ['detach web-0', 'createVm web-1'],
    ],
    ['without an owner loses the finalizer', shown(pool({ replicas: 0 }), [member(0, ownerless)]), ['release web-0']],
    [
      'without an owner is not counted',
      shown(pool({ replicas: 1 }), [member(0, ownerless)]),
      ['release web-0', 'createVm web-1'],
    ],
    ['whose pool is gone can end', shown(undefined, [member(0, leaving)]), ['release web-0']],
    ['whose pool is gone is left to the garbage collector', shown(undefined, [member(0)]), []],
    [
      'of an earlier pool of that name can end',
      shown(pool({ replicas: 0 }, { uid: 'new' }), [member(0, leaving)]),
      ['release web-0'],
    ],
  ])('%s', (_, actions, want) => expect(actions).toEqual(want));
});

describe('a pool', () => {
  test('gets a finalizer', () => expect(shown(pool({}, { finalizers: [] }), two)).toEqual(['addFinalizer']));

  test.each<[string, string[], string[]]>([
    [
      'that is deleted releases its VMs, with their disks',
      shown(pool({ scaleInStrategy: { proactive: OFFLINE } }, { deletionTimestamp: ago(1) }), two),
      ['release web-0', 'release web-1', 'removeFinalizer'],
    ],
    [
      'that is deleted in the foreground creates nothing',
      shown(pool({}, { deletionTimestamp: ago(1), finalizers: ['foregroundDeletion'] }), [member(0, released)]),
      [],
    ],
  ])('%s', (_, actions, want) => expect(actions).toEqual(want));
});

describe('a change of the template', () => {
  const changed = (more: object = {}) => pool({ virtualMachineTemplate: template('2Gi'), ...more }, { generation: 2 });
  const updated = (index: number, change?: Parameters<typeof member>[1]) =>
    member(
      index,
      (of) => {
        const { vmi } = member(index);
        of.vmi = vmi;
        change?.(of);
      },
      changed(),
    );

  test.each<[string, string[], string[]]>([
    ['is written into all VMs at once', shown(changed(), two), ['updateVm web-0', 'updateVm web-1']],
    [
      'is not written into VMs that are being deleted',
      shown(changed(), [member(0), member(1, released)]),
      ['updateVm web-0'],
    ],
    ['is not written by an unmanaged pool', shown(changed({ updateStrategy: { unmanaged: {} } }), two), []],
    ['waits for the size of the pool', shown(changed({ replicas: 3 }), two), ['createVm web-2']],
    [
      'does not wait for a size that others have to make',
      shown(changed({ replicas: 1, scaleInStrategy: { unmanaged: {} } }), two),
      ['updateVm web-0', 'updateVm web-1'],
    ],
    [
      'restarts all guests by default',
      shown(changed(), [updated(0), updated(1)]).sort(),
      ['restart web-0', 'restart web-1'],
    ],
    [
      'restarts no more guests than may be unavailable',
      shown(
        changed({ maxUnavailable: 1, updateStrategy: { proactive: { selectionPolicy: { sortPolicy: 'Oldest' } } } }),
        [updated(1), updated(0)],
      ),
      ['restart web-0'],
    ],
    [
      'waits while one is unavailable',
      shown(changed({ maxUnavailable: 1 }), [updated(0), member(1, starting, changed())]),
      [],
    ],
    [
      'restarts a guest that is not ready in any case',
      shown(changed({ maxUnavailable: 1 }), [updated(0), updated(1, starting)]),
      ['restart web-1'],
    ],
    [
      'waits for the end of a guest',
      shown(changed({ maxUnavailable: 1 }), [
        updated(0),
        updated(1, ({ vmi }) => void (vmi!.metadata.deletionTimestamp = ago(1))),
      ]),
      [],
    ],
    [
      'restarts no guest if opportunistic',
      shown(changed({ updateStrategy: { opportunistic: {} } }), [updated(0), updated(1)]),
      [],
    ],
    ['starts no VM that is stopped', shown(changed(), [updated(0, halted), updated(1, halted)]), []],
    [
      'does not restart instances of others',
      shown(changed({ replicas: 1 }), [updated(0, ({ vmi }) => void (vmi!.metadata.ownerReferences = []))]),
      [],
    ],
  ])('%s', (_, actions, want) => expect(actions).toEqual(want));

  test('of labels reaches the VM without a restart', () => {
    const labelled = pool({ replicas: 1, virtualMachineTemplate: template('1Gi', undefined, { tier: 'a' }) });
    expect(shown(labelled, [member(0)])).toEqual(['updateVm web-0']);
    expect(shown(labelled, [member(0, (of) => void (of.vmi = member(0).vmi), labelled)])).toEqual([]);
  });

  test('of the disks replaces the VM, which has its disks from the beginning', () => {
    const [small, large] = ['1Gi', '2Gi'].map((size) =>
      pool({ replicas: 1, virtualMachineTemplate: template('1Gi', size) }),
    );
    const old = member(0, undefined, small);
    expect(shown(large, [member(0, (of) => void (of.vmi = old.vmi), large)])).toEqual([
      'deleteVm web-0 with its disks',
    ]);
    expect(shown(large, [old])).toEqual(['updateVm web-0']);
  });

  test('keeps the identity of the firmware, and replaces what users changed', () => {
    const machine = member(0, ({ vm }) => {
      vm.spec.runStrategy = 'Halted';
      vm.spec.template.spec!.domain.firmware = { uuid: 'u', serial: 's', bootloader: { bios: {} } };
    });
    const [action] = decide(seen(changed({ replicas: 1 }), [machine]));
    expect(action).toMatchObject({
      do: 'updateVm',
      to: {
        metadata: { labels: { app: 'web', 'kubevirt.io/vm-pool-revision-name': 'web-2' } },
        spec: { runStrategy: 'Always', template: { spec: { domain: { firmware: { uuid: 'u', serial: 's' } } } } },
      },
    });
    expect(JSON.stringify(action?.do === 'updateVm' && action.to)).not.toContain('bios');
  });

  test('is not seen in a new number of replicas', () => {
    expect(shown(pool({ replicas: 2 }, { generation: 7 }), two)).toEqual([]);
  });
});

describe('a VM that does not start', () => {
  const failing = (status: object) => member(0, ({ vm }) => void (vm.status = { ...vm.status, ...status }));
  const since = (seconds: number) => [{ type: 'Ready', status: 'False', lastTransitionTime: ago(seconds) }];
  const healing = pool({ replicas: 1, autohealing: {} });

  test.each<[string, string[], string[]]>([
    [
      'is kept without autohealing',
      shown(pool({ replicas: 1 }), [failing({ startFailure: { consecutiveFailCount: 9 } })]),
      [],
    ],
    [
      'is replaced after three failures',
      shown(healing, [failing({ startFailure: { consecutiveFailCount: 3 } })]),
      ['deleteVm web-0'],
    ],
    ['is kept after two', shown(healing, [failing({ startFailure: { consecutiveFailCount: 2 } })]), []],
    [
      'is replaced after the number of failures that the pool sets',
      shown(pool({ replicas: 1, autohealing: { startUpFailureThreshold: 1 } }), [
        failing({ startFailure: { consecutiveFailCount: 1 } }),
      ]),
      ['deleteVm web-0'],
    ],
    [
      'is replaced after five minutes',
      shown(healing, [failing({ printableStatus: 'ImagePullBackOff', conditions: since(300) })]),
      ['deleteVm web-0'],
    ],
    [
      'is considered again at that time',
      shown(healing, [failing({ printableStatus: 'ErrorUnschedulable', conditions: since(299) })]),
      ['recheck in 1000 ms'],
    ],
    [
      'is replaced after the time that the pool sets',
      shown(pool({ replicas: 1, autohealing: { minFailingToStartDuration: '10s' } }), [
        failing({ printableStatus: 'DataVolumeError', conditions: since(10) }),
      ]),
      ['deleteVm web-0'],
    ],
    ['is not one that starts', shown(healing, [failing({ printableStatus: 'Starting', conditions: since(900) })]), []],
    ['is not one that was stopped', shown(healing, [member(0, halted)]), []],
    [
      'counts as removed when the pool shrinks',
      shown(pool({ replicas: 1, autohealing: {} }), [
        failing({ startFailure: { consecutiveFailCount: 3 } }),
        member(1),
      ]),
      ['deleteVm web-0'],
    ],
    [
      'is deleted once',
      shown(healing, [
        member(
          0,
          all(released, ({ vm }) => void (vm.status = { startFailure: { consecutiveFailCount: 3 } })),
        ),
      ]),
      [],
    ],
  ])('%s', (_, actions, want) => expect(actions).toEqual(want));
});

test.each<[number | string | undefined, number, number]>([
  [undefined, 4, 4],
  [3, 4, 3],
  ['50%', 5, 2],
  ['1%', 5, 1],
  ['100%', 0, 1],
])('maxUnavailable %p of %d replicas allows %d', (limit, replicas, want) =>
  expect(maxUnavailable({ ...pool().spec, maxUnavailable: limit, replicas })).toBe(want),
);
