import type { VirtualMachine, VirtualMachineInstance } from '../../../../../src/api';
import { decide, decideRefused } from '../../../../../src/runtime/controller/virtual-machine/decide';
import type { Action } from '../../../../../src/runtime/controller/virtual-machine/actions';
import type { Observed } from '../../../../../src/runtime/controller/virtual-machine/observed';
import { statusOf } from '../../../../../src/runtime/controller/virtual-machine/status';
import { ago, condition, config, configured, deleting, NOW, running, vm, vmi } from '../fixtures';

const see = (of: VirtualMachine, instance?: VirtualMachineInstance, more: Partial<Observed> = {}): Observed => ({
  vm: of,
  vmi: instance,
  dataVolumes: new Map(),
  collected: new Set(),
  claims: new Map(),
  config,
  now: NOW,
  ...more,
});
const idle = { missing: [], isProvisioning: false };
/** The VM with the status that it has when nothing is new. */
const settled = (of: VirtualMachine, instance?: VirtualMachineInstance): VirtualMachine => ({
  ...of,
  status: statusOf(see(of, instance), { dataVolumes: idle }),
});
const done = (actions: Action[]): string[] =>
  actions.map((action) => {
    if (action.do === 'recheck') return `recheck ${action.afterMs}`;
    if (action.do === 'patchStatus') return `patchStatus ${action.status.printableStatus ?? '-'}`;
    return action.do === 'recordEvent' ? `event ${action.reason}` : action.do;
  });

const asks = (
  of: VirtualMachine,
  ...stateChangeRequests: NonNullable<VirtualMachine['status']>['stateChangeRequests'] & object
): VirtualMachine => {
  of.status = { ...of.status, stateChangeRequests };
  return of;
};
const start = { action: 'Start' as const };
const startPaused = { ...start, data: { paused: 'true' } };
const startPausedOf = (generation: number) => ({ ...start, data: { paused: 'true', generation: String(generation) } });
const stop = { action: 'Stop' as const, uid: 'vmi-uid' };
const ended = (phase: 'Succeeded' | 'Failed'): VirtualMachineInstance =>
  running((v) => Object.assign(v.status as object, { phase, conditions: [] }));
const neverRan = vmi({ phase: 'Failed', conditions: [condition('Synchronized', 'False', 'PodFailed', 'no disk')] });
const crashed = (seconds: number): VirtualMachine => {
  const of = vm();
  of.status = {
    startFailure: { consecutiveFailCount: 1, lastFailedVMIUID: 'old', retryAfterTimestamp: ago(-seconds) },
  };
  return of;
};
const ranUnder = (of: VirtualMachine): VirtualMachine => {
  of.status = { ...of.status, runStrategy: of.spec.runStrategy };
  return of;
};

const edited = (of: VirtualMachine): VirtualMachine => ({
  ...of,
  metadata: { ...of.metadata, generation: of.metadata.generation! + 1 },
});

test.each<[string, Observed, string[]]>([
  // start
  ['Always starts a missing VMI', see(vm()), ['createVmi']],
  ['Once does, too', see(vm('Once')), ['createVmi']],
  ['RerunOnFailure does, the first time', see(vm('RerunOnFailure')), ['createVmi']],
  ['but not after its guest ended well', see(settled(ranUnder(vm('RerunOnFailure')))), []],
  ['unless requested', see(asks(ranUnder(vm('RerunOnFailure')), start)), ['createVmi']],
  [
    'coming from another strategy, it does',
    see({ ...vm('RerunOnFailure'), status: { runStrategy: 'Halted' } }),
    ['createVmi'],
  ],
  ['Manual waits', see(vm('Manual')), ['patchStatus Stopped']],
  ['until requested', see(asks(vm('Manual'), start)), ['createVmi']],
  ['Halted is reported once', see(settled(vm('Halted'))), []],
  [
    'and becomes Always when a paused start is requested',
    see(asks(vm('Halted'), startPausedOf(1))),
    ['switchToAlways'],
  ],
  ['but stays off for any other start, which it drops', see(asks(settled(vm('Halted')), start)), ['patchStatus -']],
  [
    'and for a paused start that refers to an earlier generation',
    see(asks(settled(vm('Halted')), startPausedOf(0))),
    ['patchStatus -'],
  ],
  [
    'and for one of an earlier version, without a generation, of a spec that the status does not know',
    see(asks(edited(settled(vm('Halted'))), startPaused)),
    ['patchStatus -'],
  ],
  ['or that refers to no generation', see(asks(vm('Halted'), startPaused)), ['patchStatus Stopped']],
  [
    'or knows as another strategy',
    see(asks({ ...settled(vm('Manual')), spec: vm('Halted').spec }, startPaused)),
    ['patchStatus -'],
  ],
  [
    'and turns to Always when an earlier version accepted a paused start of the spec that the status knows',
    see(asks(settled(vm('Halted')), startPaused)),
    ['switchToAlways'],
  ],
  [
    'the switch comes before the template is expanded, which makes another generation',
    see(
      asks(
        vm('Halted', (v) => (v.spec.instancetype = { name: 'small' })),
        startPausedOf(1),
      ),
      undefined,
      { config: configured({ instancetype: { referencePolicy: 'expandAll' } }), references: () => undefined },
    ),
    ['switchToAlways'],
  ],
  ['WaitAsReceiver drops a start', see(asks(settled(vm('WaitAsReceiver')), startPaused)), ['patchStatus -']],
  ['WaitAsReceiver starts nothing', see(vm('WaitAsReceiver')), ['patchStatus WaitingForReceiver']],
  ['the finalizer comes first', see(vm('Always', (v) => (v.metadata.finalizers = []))), ['addFinalizer', 'createVmi']],

  // run
  ['a VMI that starts is reported', see(vm(), vmi()), ['patchStatus Starting']],
  ['once', see(settled(vm(), vmi()), vmi()), []],
  ['a running guest is reported', see(settled(vm(), vmi()), running()), ['patchStatus Running']],
  ['once, too', see(settled(vm(), running()), running()), []],
  [
    'and needs nothing',
    see(
      settled(vm(), running()),
      running((v) => (v.status!.guestOSInfo = { name: 'x' })),
    ),
    [],
  ],
  ['a request that is done is dropped', see(asks(settled(vm(), running()), start), running()), ['patchStatus -']],

  [
    'so are all that are done',
    see(asks(settled(vm(), running()), { ...stop, uid: 'old' }, start), running()),
    ['patchStatus -'],
  ],
  ['a restart starts as soon as the stop is done', see(asks(vm('Manual'), stop, start)), ['createVmi']],
  [
    'but first the status forgets the VMI that it knew, or the new one would look as if it had been seen',
    see(asks(settled(vm('Manual'), running()), stop, start)),
    ['patchStatus -', 'createVmi'],
  ],

  // stop
  [
    'Halted ends a running VMI',
    see({ ...settled(vm(), running()), spec: vm('Halted').spec }, running()),
    ['deleteVmi'],
  ],
  [
    'also one that the VM has not seen yet, which is named first',
    see(settled(vm('Halted')), running()),
    ['patchStatus Running', 'deleteVmi'],
  ],
  [
    'a completed Start is removed first: it would be open again, and undo the stop',
    see(asks(settled(vm('Halted'), running()), { ...stop, uid: 'old' }, start), running()),
    ['patchStatus -', 'deleteVmi'],
  ],
  ['a stop request does', see(asks(vm('Manual'), stop), running()), ['deleteVmi']],
  [
    'one for an earlier VMI does not',
    see(asks(settled(vm('Manual'), running()), { ...stop, uid: 'old' }), running()),
    ['patchStatus -'],
  ],
  [
    'RerunOnFailure notes that it had its first start before it stops',
    see(asks(vm('RerunOnFailure'), stop), running()),
    ['patchStatus Running', 'deleteVmi'],
  ],
  [
    'one that has just begun is not reported',
    see(asks(settled(vm(), running()), start), running(deleting(1))),
    ['recheck 4000'],
  ],
  [
    'a stop that lasts is reported',
    see(settled(vm('Halted'), running()), running(deleting(5))),
    ['patchStatus Stopping'],
  ],
  ['one that has just begun is not', see(settled(vm('Halted'), running()), running(deleting(2))), ['recheck 3000']],
  ['a stopped VM is reported', see(settled(vm('Halted'), running())), ['patchStatus Stopped']],

  // ends on its own
  ['Always starts again after a successful end', see(settled(vm(), running()), ended('Succeeded')), ['deleteVmi']],
  ['and after a bad one', see(settled(vm(), running()), ended('Failed')), ['deleteVmi']],
  [
    'RerunOnFailure only clears a good end',
    see(settled(vm('RerunOnFailure'), running()), ended('Succeeded')),
    ['deleteVmi'],
  ],
  [
    'and remembers to start after a bad one',
    see(settled(vm('RerunOnFailure'), running()), ended('Failed')),
    ['patchStatus Stopped', 'deleteVmi'],
  ],
  ['Once leaves an ended guest', see(settled(vm('Once'), ended('Succeeded')), ended('Succeeded')), []],
  ['Manual does, too', see(settled(vm('Manual'), ended('Failed')), ended('Failed')), []],
  [
    'until a start is requested, which requires that the ended VMI is deleted',
    see(asks(settled(vm('Manual'), ended('Failed')), start), ended('Failed')),
    ['deleteVmi'],
  ],

  // start failures
  [
    'a start that failed is counted before it is cleared',
    see(settled(vm(), vmi()), neverRan),
    ['patchStatus CrashLoopBackOff', 'event PodFailed', 'deleteVmi'],
  ],
  ['the next start waits', see(settled(crashed(7))), ['recheck 7000']],
  ['and comes', see(crashed(0)), ['createVmi']],
  [
    'a VMI that could not start is created again after a change of its VM',
    see(
      vm('Always', (v) => (v.spec.template.spec!.domain.memory = { guest: '64Mi' })),
      vmi({ phase: 'Scheduling', conditions: [condition('PodScheduled', 'False', 'Unschedulable')] }),
    ),
    ['patchStatus ErrorUnschedulable', 'event Unschedulable', 'deleteVmi'],
  ],
  [
    'also when it was its node that could not start it',
    see(
      vm('Always', (v) => (v.spec.template.spec!.domain.memory = { guest: '64Mi' })),
      vmi({ phase: 'Scheduled', conditions: [condition('Synchronized', 'False', 'DiskMissing')] }),
    ),
    ['patchStatus Starting', 'event DiskMissing', 'deleteVmi'],
  ],
  [
    'one that was changed while it starts well is not',
    see(
      settled(
        vm('Always', (v) => (v.spec.template.spec!.domain.memory = { guest: '64Mi' })),
        vmi(),
      ),
      vmi(),
    ),
    [],
  ],

  // deletion
  ['a deleted VM ends its VMI', see(vm('Always', deleting(0)), running()), ['deleteVmi', 'recheck 5000']],
  ['is reported if it lasts', see(vm('Always', deleting(5)), running(deleting(5))), ['patchStatus Terminating']],
  ['and its finalizer is removed', see(vm('Always', deleting(9))), ['removeFinalizer']],
  [
    'once',
    see(
      vm('Always', (v) => {
        deleting(9)(v);
        v.metadata.finalizers = [];
      }),
    ),
    [],
  ],
  [
    'a VM deleted without its dependents leaves the guest alone',
    see(
      vm('Always', (v) => {
        deleting(0)(v);
        v.metadata.finalizers?.push('orphan');
      }),
      running(),
    ),
    ['removeFinalizer'],
  ],

  // not ours
  [
    'a VMI of another owner is reported and left unchanged',
    see(
      vm('Halted'),
      running((v) => (v.metadata.ownerReferences = [])),
    ),
    ['patchStatus Running', 'event VirtualMachineInstanceExists'],
  ],
  [
    'even when the VM is deleted',
    see(
      vm('Halted', deleting(0)),
      running((v) => (v.metadata.ownerReferences = [])),
    ),
    ['removeFinalizer'],
  ],
])('%s', (_, observed, want) => expect(done(decide(observed))).toEqual(want));

describe('a claim that is not bound', () => {
  const since = (seconds: number) => (v: VirtualMachineInstance) => void (v.metadata.creationTimestamp = ago(seconds));
  const claims = new Map([['data', { isBound: false }]]);
  const failed = vmi({ phase: 'Failed' }, since(2));
  test.each<[string, VirtualMachine, VirtualMachineInstance, string[]]>([
    [
      'is looked at again while the instance is young',
      settled(vm(), vmi({}, since(2))),
      vmi({}, since(2)),
      ['recheck 3000'],
    ],
    ['does not affect a running guest', settled(vm(), running(since(2))), running(since(2)), []],
    ['nor of one that ended', settled(vm('Once'), failed), failed, []],
  ])('%s', (_, of, instance, want) => expect(done(decide(see(of, instance, { claims })))).toEqual(want));
});

test('an instance that does not record its template is left unchanged', () => {
  const stuck = vmi({ conditions: [condition('Synchronized', 'False', 'DiskMissing')] }, (v) => {
    v.metadata.annotations = {};
  });
  expect(done(decide(see(settled(vm(), stuck), stuck)))).toEqual([]);
});

test('reports a problem again when its message changes', () => {
  const failing = (message: string) =>
    vmi({ conditions: [condition('Synchronized', 'False', 'DiskMissing', message)] });
  const actions = decide(see(settled(vm(), failing('disk a')), failing('disk b')));
  expect(actions).toContainEqual({ do: 'recordEvent', type: 'Warning', reason: 'DiskMissing', message: 'disk b' });
});

test('the start that RerunOnFailure adds does not replace a requested start', () => {
  const of = asks(settled(vm('RerunOnFailure'), vmi()), startPaused);
  const [remember] = decide(see({ ...of, spec: { ...of.spec, runStrategy: 'RerunOnFailure' } }, neverRan));
  expect(remember).toMatchObject({ do: 'patchStatus' });
  expect((remember as { status: object }).status).not.toHaveProperty('stateChangeRequests');
});

describe('disks from DataVolumes', () => {
  const withTemplate = (): VirtualMachine =>
    vm('Always', (v) => (v.spec.dataVolumeTemplates = [{ metadata: { name: 'dv' }, spec: { source: { blank: {} } } }]));
  const volume = (phase: string) => ({
    apiVersion: '',
    kind: 'DataVolume',
    metadata: { name: 'dv' },
    spec: {},
    status: { phase },
  });
  test.each<[string, Observed['dataVolumes'], string[]]>([
    ['are made', new Map([['dv', undefined]]), ['createDataVolume', 'patchStatus Provisioning']],
    ['are waited for', new Map([['dv', volume('ImportInProgress')]]), ['patchStatus Provisioning']],
    ['also when nobody has looked at them yet', new Map([['dv', volume('')]]), ['patchStatus Provisioning']],
    ['are used', new Map([['dv', volume('Succeeded')]]), ['createVmi']],
    [
      'are not booted from while they wait for a consumer',
      new Map([['dv', volume('WaitForFirstConsumer')]]),
      ['patchStatus WaitingForVolumeBinding', 'event DataVolumeWaitForFirstConsumer'],
    ],
    [
      'are given a Pod while they wait for one to be populated',
      new Map([['dv', volume('PendingPopulation')]]),
      ['createVmi'],
    ],
    [
      'report a failed one first',
      new Map([
        ['other', volume('WaitForFirstConsumer')],
        ['dv', volume('Failed')],
      ]),
      ['patchStatus DataVolumeError', 'event DataVolumeError'],
    ],
    [
      'report that they failed',
      new Map([['dv', volume('Failed')]]),
      ['patchStatus DataVolumeError', 'event DataVolumeError'],
    ],
    [
      'report a missing kind',
      'not installed',
      ['patchStatus DataVolumeError', 'event DataVolumesNotInstalled', 'recheck 30000'],
    ],
    [
      'report that they cannot be listed; the first list wakes the VM',
      { unknown: 'why' },
      ['patchStatus DataVolumeError', 'event DataVolumesUnknown'],
    ],
    [
      'report claims that cannot be read, which are retried',
      { unknown: 'why', retryMs: 30_000 },
      ['patchStatus DataVolumeError', 'event DataVolumesUnknown', 'recheck 30000'],
    ],
  ])('%s', (_, dataVolumes, want) =>
    expect(done(decide(see(withTemplate(), undefined, { dataVolumes })))).toEqual(want),
  );

  test('do not affect a VM without templates, in a cluster without the kind', () => {
    expect(done(decide(see(vm(), undefined, { dataVolumes: 'not installed' })))).toEqual(['createVmi']);
  });

  test('report a remedy if they wait for a consumer', () => {
    const dataVolumes = new Map([['dv', volume('WaitForFirstConsumer')]]);
    const tell = decide(see(withTemplate(), undefined, { dataVolumes })).find(({ do: what }) => what === 'recordEvent');
    expect(tell).toMatchObject({
      message:
        'DataVolume "dv" is filled only when a Pod uses its claim (phase WaitForFirstConsumer), and a guest cannot ' +
        'start from an empty disk; run a Pod that mounts PersistentVolumeClaim "dv", or create the DataVolume again with ' +
        'the annotation cdi.kubevirt.io/storage.bind.immediate.requested: "true" (in spec.dataVolumeTemplates)',
    });
  });

  test('belong to the VM', () => {
    const [create] = decide(see(withTemplate(), undefined, { dataVolumes: new Map([['dv', undefined]]) }));
    expect(create).toMatchObject({
      dataVolume: {
        metadata: {
          name: 'dv',
          namespace: 'web',
          ownerReferences: [{ kind: 'VirtualMachine', uid: 'vm-uid', controller: true }],
        },
      },
    });
  });
});

test('reports a rejection by the API server with its message', () => {
  const [patch, tell] = decideRefused(see(vm()), 'VirtualMachineInstance', 'spec.domain: no');
  expect(patch).toMatchObject({ do: 'patchStatus' });
  expect(tell).toMatchObject({
    reason: 'FailedCreate',
    message: expect.stringMatching(/rejected the VirtualMachineInstance: spec.domain: no; correct/),
  });
});

test('the VMI records the generation of its VM, and starts paused on request', () => {
  const [plain] = decide(see(vm('Always', (v) => (v.metadata.generation = 7))));
  const [paused] = decide(see(asks(vm('Manual'), { ...start, data: { paused: 'true' } })));
  expect(plain).toMatchObject({
    vmi: {
      metadata: {
        annotations: { 'kubevirt.io/vm-generation': '7' },
        name: 'fedora',
        ownerReferences: [{ uid: 'vm-uid' }],
      },
    },
  });
  expect(paused).toMatchObject({ vmi: { spec: { startStrategy: 'Paused' } } });
});

describe('a VM whose disks are being copied or replaced', () => {
  const during = (status: VirtualMachine['status']): VirtualMachine => ({ ...vm(), status });

  test.each<[string, VirtualMachine['status'], RegExp]>([
    ['a snapshot', { snapshotInProgress: 's' }, /VirtualMachineSnapshot "s" is in progress; the VM will start/],
    [
      'a restore',
      { restoreInProgress: 'r' },
      /VirtualMachineRestore "r" is in progress; the VM will start .*\(kubectl describe virtualmachinerestore r\)/,
    ],
  ])('starts after %s, and reports it', (_, status, message) => {
    const actions = decide(see(during(status)));
    expect(done(actions).filter((line) => line === 'createVmi')).toEqual([]);
    expect(done(actions).at(-1)).toBe('recheck 5000');
    const patch = actions.find((action) => action.do === 'patchStatus');
    expect(patch?.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Failure', message: expect.stringMatching(message) }),
    );
  });

  test('keeps its running guest', () => {
    expect(done(decide(see(during({ snapshotInProgress: 's', created: true }), running())))).not.toContain('deleteVmi');
  });

  test('gets no DataVolumes during a restore, which replaces them', () => {
    const template = { metadata: { name: 'root' }, spec: { source: { blank: {} }, storage: {} } };
    const of = vm();
    of.spec.dataVolumeTemplates = [template];
    const dataVolumes = new Map([['root', undefined]]);
    expect(done(decide(see(of, undefined, { dataVolumes })))).toContain('createDataVolume');
    of.status = { restoreInProgress: 'r' };
    expect(done(decide(see(of, undefined, { dataVolumes })))).not.toContain('createDataVolume');
  });
});
