import type { VirtualMachineInstance } from '../../../../../src/api';
import { decide, decideRefused } from '../../../../../src/runtime/controller/instance/decide';
import type { Action } from '../../../../../src/runtime/controller/instance/decide';
import type { Observed } from '../../../../../src/runtime/controller/instance/observed';
import { UNPAUSED_GATE } from '../../../../../src/runtime/controller/pod';
import type { Pod } from '../../../../../src/runtime/controller/pod';
import { ago, condition, configured, dataVolumes, deleting, node, onNode, pod, running, seen, vmi } from '../fixtures';

const done = (actions: Action[]): string[] =>
  actions.map((action) => {
    switch (action.do) {
      case 'patchStatus':
        return `patchStatus ${action.status.phase ?? '-'}`;
      case 'setGate':
        return `setGate ${action.status}`;
      case 'recordEvent':
        return `event ${action.type} ${action.reason}`;
      case 'recheck':
        return `recheck ${action.afterMs}`;
      default:
        return action.do;
    }
  });

const scheduling = (...conditions: ReturnType<typeof condition>[]) =>
  vmi({ phase: 'Scheduling', ...(conditions.length && { conditions }) });
const unplaced = condition('PodScheduled', 'False', 'Unschedulable', '0/1 nodes');
const runs = { phase: 'Running' as const, conditions: [condition('ContainersReady', 'True')] };
const gated = { ...runs, conditions: [...runs.conditions, condition(UNPAUSED_GATE, 'True')] };
const justStarted = { ...runs, containerStatuses: [{ name: 'compute', state: { running: { startedAt: ago(5) } } }] };
const longStarted = { ...runs, containerStatuses: [{ name: 'compute', state: { running: { startedAt: ago(31) } } }] };
const startedFor = (seconds: number) => ({
  ...runs,
  containerStatuses: [{ name: 'compute', state: { running: { startedAt: ago(seconds) } } }],
});
const ended = (seconds: number, phase: 'Failed' | 'Succeeded' = 'Failed') => ({
  phase,
  containerStatuses: [{ name: 'compute', state: { terminated: { exitCode: 1, finishedAt: ago(seconds) } } }],
});
const evicted = (seconds: number) => ({
  phase: 'Failed' as const,
  reason: 'Evicted',
  conditions: [{ ...condition('Ready', 'False'), lastTransitionTime: ago(seconds) }],
});
/** The guest is over; the holder of its disk's image does not know. */
const held = (exitCode: number, seconds: number) => ({
  phase: 'Running' as const,
  containerStatuses: [
    { name: 'compute', state: { terminated: { exitCode, finishedAt: ago(seconds) } } },
    { name: 'volumeroot', state: { running: { startedAt: ago(60) } } },
  ],
});
const overdue = (seconds: number) => (p: Pod) => {
  onNode(p);
  deleting(seconds)(p);
};
const recent = (type: string) => ({ ...condition(type, 'False'), lastTransitionTime: ago(5) });
const withClaim = vmi({}, (v) => (v.spec.volumes = [{ name: 'root', persistentVolumeClaim: { claimName: 'data' } }]));
const withDataVolume = vmi({}, (v) => (v.spec.volumes = [{ name: 'root', dataVolume: { name: 'dv' } }]));
const withTpm = vmi({}, (v) => (v.spec.domain.devices.tpm = { persistent: true }));
const withNetwork = vmi({}, (v) => v.spec.networks!.push({ name: 'second', multus: { networkName: 'net' } }));
const ownDevices = configured({
  developerConfiguration: { disabledFeatureGates: ['ExternalNetResourceInjection'] },
});
/** The VMI after what is in the way was written into its status. */
function stating(of: VirtualMachineInstance): VirtualMachineInstance {
  const patch = decide(seen(of)).find((action) => action.do === 'patchStatus');
  return { ...of, status: { ...of.status, ...patch?.status } };
}
const claims = new Map([
  ['data', {}],
  ['dv', {}],
]);

test.each<[string, Observed, string[]]>([
  // before there is a Pod
  ['a new VMI gets its Pod', seen(vmi()), ['createPod', 'event Normal SuccessfulCreate']],
  [
    'a VMI without a phase gets its Pod',
    seen(vmi({ phase: undefined })),
    ['createPod', 'event Normal SuccessfulCreate'],
  ],
  [
    'state that outlives the guest gets its claim first',
    seen(withTpm),
    ['createClaim', 'createPod', 'event Normal SuccessfulCreate'],
  ],
  [
    'and stays in the claim that it has',
    seen(withTpm, { stateClaim: 'persistent-state-for-fedora' }),
    ['createPod', 'event Normal SuccessfulCreate'],
  ],
  ['a missing claim is reported', seen(withClaim), ['patchStatus -', 'event Warning FailedPvcNotFound']],
  [
    'a claim that exists is used, and noted in the status',
    seen(withClaim, { claims }),
    ['patchStatus -', 'createPod', 'event Normal SuccessfulCreate'],
  ],
  ['a problem that the VMI states already is not news, and still blocks', seen(stating(withClaim)), []],
  [
    'a problem that is over gives way to the Pod',
    seen(stating(withClaim), { claims }),
    ['patchStatus -', 'createPod', 'event Normal SuccessfulCreate'],
  ],
  [
    'a claim for the state that belongs to another object is reported',
    seen(withTpm, { stateClaimTaken: 'PersistentVolumeClaim "x" belongs to VirtualMachine "y"' }),
    ['patchStatus -', 'event Warning FailedCreate'],
  ],
  [
    'a network without its definition is reported',
    seen(withNetwork, { config: ownDevices, attachmentDefinitions: new Map() }),
    ['patchStatus -', 'event Warning FailedCreate'],
  ],
  [
    'a network with its definition is used',
    seen(withNetwork, { config: ownDevices, attachmentDefinitions: new Map([['web/net', {}]]) }),
    ['createPod', 'event Normal SuccessfulCreate'],
  ],
  [
    'a DataVolume without a claim is waited for',
    seen(withDataVolume, { dataVolumes: dataVolumes('ImportScheduled') }),
    ['patchStatus -', 'event Warning DataVolumePending'],
  ],
  [
    'a claim without its DataVolume is used',
    seen(withDataVolume, { claims, dataVolumes: new Map() }),
    ['patchStatus -', 'createPod', 'event Normal SuccessfulCreate'],
  ],
  [
    'neither claim nor DataVolume is a missing claim',
    seen(withDataVolume, { dataVolumes: new Map() }),
    ['patchStatus -', 'event Warning FailedPvcNotFound'],
  ],
  [
    'a claim that the status has is not noted again',
    seen({ ...withClaim, status: { ...withClaim.status, volumeStatus: [{ name: 'root', target: '' }] } }, { claims }),
    ['createPod', 'event Normal SuccessfulCreate'],
  ],
  [
    'a claim is noted beside those of other volumes',
    seen({ ...withClaim, status: { ...withClaim.status, volumeStatus: [{ name: 'x', target: '' }] } }, { claims }),
    ['patchStatus -', 'createPod', 'event Normal SuccessfulCreate'],
  ],
  [
    'a DataVolume that is being filled is waited for',
    seen(withDataVolume, { claims, dataVolumes: dataVolumes('ImportInProgress') }),
    ['patchStatus -', 'event Warning DataVolumePending'],
  ],
  [
    'a DataVolume that is filled is used',
    seen(withDataVolume, { claims, dataVolumes: dataVolumes('Succeeded') }),
    ['patchStatus -', 'createPod', 'event Normal SuccessfulCreate'],
  ],
  [
    'sidecars that are not JSON are reported',
    seen(
      vmi({}, (v) => (v.metadata.annotations = { 'hooks.kubevirt.io/hookSidecars': '{' })),
      {
        config: configured({ developerConfiguration: { featureGates: ['Sidecar'] } }),
      },
    ),
    ['patchStatus -', 'event Warning FailedCreate'],
  ],
  [
    'a Pod that was deleted before it was placed is made again',
    seen(scheduling(unplaced)),
    ['createPod', 'event Normal SuccessfulCreate'],
  ],
  ['a missing Pod that was placed fails the VMI', seen(scheduling()), ['patchStatus Failed', 'event Warning PodGone']],
  ['a missing Pod of a running guest fails the VMI', seen(running()), ['patchStatus Failed', 'event Warning PodGone']],

  // the Pod is on its way
  [
    'a young Pod is not worth a write',
    seen(vmi(), { pod: pod({}, (p) => (p.metadata.creationTimestamp = ago(1))) }),
    ['recheck 9000'],
  ],
  ['a Pod that takes longer is reported', seen(vmi(), { pod: pod() }), ['patchStatus Scheduling']],
  ['a Pod that takes longer is reported once', seen(scheduling(), { pod: pod() }), []],
  ['a Pod that runs is left to its handler', seen(vmi(), { pod: pod(justStarted, onNode) }), ['recheck 30000']],
  ['and to a handler that has 30 seconds for it', seen(vmi(), { pod: pod(startedFor(29), onNode) }), ['recheck 30000']],
  [
    'but no more',
    seen(vmi(), { pod: pod(startedFor(30), onNode) }),
    ['patchStatus Scheduling', 'event Warning HandlerNotResponding'],
  ],
  [
    'the handler of a node with a phase reports',
    seen(vmi({ phase: 'Scheduling', nodeName: 'n1' }), { pod: pod(longStarted, onNode) }),
    ['recheck 30000'],
  ],
  [
    'a running Pod whose containers have no times is as old as the Pod',
    seen(vmi(), { pod: pod(runs, (p) => (onNode(p), (p.metadata.creationTimestamp = ago(30)))) }),
    ['patchStatus Scheduling', 'event Warning HandlerNotResponding'],
  ],
  [
    'a Pod that is pending for long does not wait for a handler',
    seen(vmi(), { pod: pod({}, (p) => (onNode(p), (p.metadata.creationTimestamp = ago(60)))) }),
    ['patchStatus Scheduling'],
  ],
  [
    'a Pod that runs under a VMI in phase Scheduling is looked at again',
    seen(scheduling(), { pod: pod(justStarted, onNode) }),
    ['recheck 30000'],
  ],
  [
    'a handler that stays silent is reported',
    seen(vmi(), { pod: pod(longStarted, onNode) }),
    ['patchStatus Scheduling', 'event Warning HandlerNotResponding'],
  ],
  [
    'a Pod that cannot be placed is reported',
    seen(vmi(), { pod: pod({ conditions: [unplaced] }) }),
    ['patchStatus Scheduling', 'event Warning Unschedulable'],
  ],
  [
    'a Pod that could be placed after all takes that back',
    seen(scheduling(unplaced), { pod: pod({}, onNode) }),
    ['patchStatus -'],
  ],
  [
    'an unplaced Pod that is outdated is replaced',
    seen(scheduling(unplaced), {
      pod: pod({ conditions: [unplaced] }),
      config: configured({ developerConfiguration: { useEmulation: true } }),
    }),
    ['deletePod'],
  ],
  [
    'an image that cannot be pulled is reported',
    seen(vmi(), {
      pod: pod(
        {
          initContainerStatuses: [
            { name: 'volumeroot', state: { waiting: { reason: 'ErrImagePull', message: 'no' } } },
          ],
        },
        onNode,
      ),
    }),
    ['patchStatus Scheduling', 'event Warning ErrImagePull'],
  ],
  [
    'a Pod that fails before its guest runs fails the VMI',
    seen(vmi(), { pod: pod(ended(1)) }),
    ['patchStatus Failed', 'event Warning PodFailed'],
  ],

  // the guest runs
  ['a running guest opens the gate', seen(running(), { pod: pod(runs, onNode) }), ['setGate True']],
  ['which is opened once', seen(running(), { pod: pod(gated, onNode) }), []],
  [
    'a paused guest closes it',
    seen(
      running((v) => v.status?.conditions?.push(condition('Paused', 'True'))),
      { pod: pod(gated, onNode) },
    ),
    ['setGate False'],
  ],
  [
    'a resolved problem of the start is removed',
    seen(
      running((v) => v.status?.conditions?.push(unplaced)),
      { pod: pod(gated, onNode) },
    ),
    ['patchStatus -'],
  ],
  ['a launcher that just ended is left to its handler', seen(running(), { pod: pod(ended(10)) }), ['recheck 20000']],
  [
    'the Pod’s end counts if the handler does not report',
    seen(running(), { pod: pod(ended(31, 'Succeeded')) }),
    ['patchStatus Succeeded'],
  ],
  [
    'and its failure is reported',
    seen(running(), { pod: pod(ended(31)) }),
    ['patchStatus Failed', 'event Warning PodFailed'],
  ],
  ['a launcher has 30 seconds after its end', seen(running(), { pod: pod(ended(29)) }), ['recheck 1000']],
  ['and not later', seen(running(), { pod: pod(ended(30)) }), ['patchStatus Failed', 'event Warning PodFailed']],
  [
    'the end of its containers counts before the conditions of the Pod',
    seen(running(), { pod: pod({ ...ended(31), conditions: [condition('Initialized', 'True'), recent('Ready')] }) }),
    ['patchStatus Failed', 'event Warning PodFailed'],
  ],
  [
    'conditions other than readiness do not count',
    seen(running(), { pod: pod({ phase: 'Failed', conditions: [condition('Initialized', 'True'), recent('Ready')] }) }),
    ['recheck 25000'],
  ],
  [
    'a launcher that was evicted is over since it became unready',
    seen(running(), { pod: pod(evicted(10)) }),
    ['recheck 20000'],
  ],
  [
    'without any time of its end it is over since its Pod was made',
    seen(running(), { pod: pod({ phase: 'Failed' }, (p) => (p.metadata.creationTimestamp = ago(30))) }),
    ['patchStatus Failed', 'event Warning PodFailed'],
  ],

  // the end
  ['a VMI that has ended and has no Pod needs nothing', seen(vmi({ phase: 'Failed' })), []],
  [
    'a launcher that failed before its holders fails the VMI when its handler stays silent',
    seen(running(), { pod: pod(held(1, 31), onNode) }),
    ['patchStatus Failed', 'event Warning PodFailed'],
  ],
  [
    'a VMI that ended at an unknown time leaves its Pod the time since that was made',
    seen(vmi({ phase: 'Failed' }), { pod: pod(runs, (p) => (p.metadata.creationTimestamp = ago(30))) }),
    ['deletePod'],
  ],
  [
    'a VMI that has ended leaves its Pod time to end',
    seen(
      vmi({ phase: 'Failed', phaseTransitionTimestamps: [{ phase: 'Failed', phaseTransitionTimestamp: ago(10) }] }),
      { pod: pod(runs, onNode) },
    ),
    ['recheck 20000'],
  ],
  [
    'and then deletes it',
    seen(
      vmi({ phase: 'Failed', phaseTransitionTimestamps: [{ phase: 'Failed', phaseTransitionTimestamp: ago(31) }] }),
      { pod: pod(runs, onNode) },
    ),
    ['deletePod'],
  ],
  [
    'a pull that is tried again is not news',
    seen(scheduling(condition('Synchronized', 'False', 'ImagePullBackOff', 'waiting')), {
      pod: pod(
        { initContainerStatuses: [{ name: 'volumeroot', state: { waiting: { reason: 'ErrImagePull' } } }] },
        onNode,
      ),
    }),
    [],
  ],
  [
    'a VMI that failed without a cause gets that of its Pod',
    seen(vmi({ phase: 'Failed' }), { pod: pod(ended(1)) }),
    ['patchStatus -', 'event Warning PodFailed'],
  ],
  ['a VMI that has ended needs nothing', seen(vmi({ phase: 'Succeeded' }), { pod: pod(ended(99)) }), []],
  [
    'a deleted VMI whose guest runs waits for its handler',
    seen(running(deleting(10)), { pod: pod(gated, onNode) }),
    ['recheck 50000'],
  ],
  ['but not for ever', seen(running(deleting(61)), { pod: pod(gated, onNode) }), ['deletePod']],
  ['a deleted VMI whose guest never ran loses its Pod', seen(vmi({}, deleting(0)), { pod: pod() }), ['deletePod']],
  [
    'a Pod that is being deleted is not deleted again',
    seen(vmi({}, deleting(0)), { pod: pod({}, deleting(0)) }),
    ['recheck 60000'],
  ],
  [
    'the finalizer of a deleted VMI is removed when its launcher has ended',
    seen(running(deleting(1)), { pod: pod(ended(0)) }),
    ['removeFinalizer'],
  ],
  ['or was never there', seen(vmi({}, deleting(0))), ['removeFinalizer']],
  [
    'holders of disk images are ended with the guest of a deleted VMI',
    seen(running(deleting(1)), { pod: pod(held(0, 0), onNode) }),
    ['deletePod'],
  ],
  [
    'holders that are being deleted are not deleted again',
    seen(running(deleting(1)), { pod: pod(held(0, 0), deleting(0)) }),
    ['recheck 60000'],
  ],
  [
    'a Pod that is still there 59 seconds after its grace may yet end',
    seen(running(deleting(99)), { pod: pod(gated, overdue(59)) }),
    ['recheck 1000'],
  ],
  [
    'a Pod that is still there a minute after its grace is reported',
    seen(running(deleting(99)), { pod: pod(gated, overdue(60)) }),
    ['patchStatus -', 'event Warning PodOverdue'],
  ],
  [
    'and of one that has ended on its own',
    seen(vmi({ phase: 'Succeeded' }), { pod: pod(held(0, 0), onNode) }),
    ['deletePod'],
  ],
  [
    'a launcher that ended before its holders is left to its handler',
    seen(running(), { pod: pod(held(0, 10), onNode) }),
    ['recheck 20000'],
  ],
  ['but not for ever', seen(running(), { pod: pod(held(0, 31), onNode) }), ['patchStatus Succeeded']],
  [
    'one that failed before its guest ran fails the VMI, in any state of its holders',
    seen(vmi(), { pod: pod(held(1, 1), onNode) }),
    ['patchStatus Failed', 'event Warning PodFailed'],
  ],
  [
    'a deleted VMI without the finalizer needs nothing',
    seen(
      vmi({}, (v) => {
        deleting(0)(v);
        v.metadata.finalizers = [];
      }),
    ),
    [],
  ],
])('%s', (_, observed, want) => expect(done(decide(observed))).toEqual(want));

test('does not report the same problem again', () => {
  const first = decide(seen(vmi(), { pod: pod({ conditions: [unplaced] }) }));
  const patch = first.find((action) => action.do === 'patchStatus');
  const again = vmi({ ...patch?.status });
  expect(decide(seen(again, { pod: pod({ conditions: [unplaced] }) }))).toEqual([]);
});

test('never removes a condition of the handler', () => {
  const ofHandler = condition('Synchronized', 'False', 'DiskMissing', 'no disk');
  const observed = seen(
    running((v) => v.status?.conditions?.push(ofHandler)),
    { pod: pod(gated, onNode) },
  );
  expect(decide(observed)).toEqual([]);
});

test('a failed VMI keeps its earlier phases and reports the cause', () => {
  const [patch] = decide(seen(running(), { pod: pod(ended(31)) }));
  expect(patch).toMatchObject({
    status: {
      phase: 'Failed',
      reason: 'PodFailed',
      phaseTransitionTimestamps: [{ phase: 'Running' }, { phase: 'Failed', phaseTransitionTimestamp: ago(0) }],
      conditions: [
        { type: 'Synchronized', status: 'False', message: expect.stringContaining('ended with exit code 1') },
        { type: 'Ready', status: 'False' },
      ],
    },
  });
});

test.each([
  ['Forbidden', 'raise the quota or loosen the policy'],
  ['Invalid', 'correct the VM'],
  ['AlreadyExists', 'delete it'],
])('a Pod that the API server rejects as %s is reported with its message', (reason, remedy) => {
  const actions = decideRefused(seen(vmi()), { what: 'the launcher Pod', reason, message: 'its words' });
  expect(actions).toContainEqual({
    do: 'recordEvent',
    type: 'Warning',
    reason: 'FailedCreate',
    message: `the API server rejected the launcher Pod: its words; ${remedy} (virt-controller retries automatically)`,
  });
});

test('a missing claim is named with the volume that needs it', () => {
  const misleading = vmi({}, (v) => {
    v.spec.volumes = [
      { name: 'data', containerDisk: { image: 'disk:1' } },
      { name: 'root', persistentVolumeClaim: { claimName: 'data' } },
    ];
  });
  expect(decide(seen(misleading))[1]).toMatchObject({
    message: expect.stringMatching(/^volume "root": PersistentVolumeClaim "data" does not exist in namespace "web"/),
  });
});

test.each<[string, number | undefined, string]>([
  ['reports', 20, 'reports, but has'],
  ['has never reported', undefined, 'has never reported, and has'],
  ['reported just within the limit', 299, 'reports, but has'],
  ['reported at the limit', 300, 'has not reported for more than 5 minutes, and has'],
  ['reported long ago', 9000, 'has not reported for more than 5 minutes, and has'],
])(
  'a handler that %s and does not take the guest over is named, in words that no heartbeat changes',
  (_, seconds, want) => {
    const handlerSilence = seconds === undefined ? undefined : seconds * 1000;
    const [, report] = decide(seen(vmi(), { pod: pod(longStarted, onNode), handlerSilence }));
    expect(report).toMatchObject({
      message: `virt-handler of node "n1" ${want} not taken over the guest; check that it runs there, and read its log`,
    });
  },
);

test.each<[string, Observed, RegExp]>([
  [
    'is being filled',
    seen(withDataVolume, { claims, dataVolumes: dataVolumes('ImportInProgress') }),
    /^DataVolume "dv" is not filled yet \(phase ImportInProgress\)/,
  ],
  [
    'has no phase yet',
    seen(withDataVolume, { claims, dataVolumes: dataVolumes() }),
    /^DataVolume "dv" is not filled yet \(phase unset\)/,
  ],
  [
    'has no claim yet',
    seen(withDataVolume, { dataVolumes: dataVolumes('ImportScheduled') }),
    /^DataVolume "dv" has no claim yet \(phase ImportScheduled\)/,
  ],
  [
    'has neither claim nor phase',
    seen(withDataVolume, { dataVolumes: dataVolumes() }),
    /^DataVolume "dv" has no claim yet \(phase unset\)/,
  ],
])('a DataVolume that %s is reported with its phase', (_, observed, want) =>
  expect(decide(observed)[1]).toMatchObject({ message: expect.stringMatching(want) }),
);

test('a failed VMI keeps the conditions that do not describe how it runs', () => {
  const observed = seen(
    running((v) => v.status?.conditions?.push(condition('AgentConnected', 'True'), condition('Synchronized', 'True'))),
    { pod: pod(ended(31)) },
  );
  const [patch] = decide(observed);
  const conditions = patch.do === 'patchStatus' ? patch.status.conditions : undefined;
  expect(conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
    'AgentConnected True',
    'Synchronized False',
    'Ready False',
  ]);
});

test('only a guest that never ran is reported as not running', () => {
  const failure = (of: VirtualMachineInstance) => decide(seen(of, { pod: pod(ended(31)) }))[1];
  expect(failure(vmi())).toMatchObject({ message: expect.stringMatching(/; the VM was not running by then$/) });
  expect(failure(running())).not.toMatchObject({ message: expect.stringContaining('not running by then') });
});

test('nodes without a handler are named as the cause', () => {
  const bare = node('n1', (n) => delete n.metadata.labels?.['kubevirt.io/schedulable']);
  const actions = decide(seen(vmi(), { pod: pod({ conditions: [unplaced] }), nodes: [bare] }));
  expect(actions[1]).toMatchObject({ message: expect.stringContaining('virt-handler does not run on any of them') });
});
