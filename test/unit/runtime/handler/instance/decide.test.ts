import type { Pod } from '../../../../../src/runtime/handler/kube-types';
import { decide } from '../../../../../src/runtime/handler/instance/decide';
import type { Action } from '../../../../../src/runtime/handler/instance/decide';
import { NOTHING_DONE, reportedProblem } from '../../../../../src/runtime/handler/instance/observed';
import type { Failure, Observed, PodFacts } from '../../../../../src/runtime/handler/instance/observed';
import { withWrite, WRITE_BURST } from '../../../../../src/runtime/handler/instance/pace';
import { statusOf } from '../../../../../src/runtime/handler/instance/status';
import fc from '../../../../support/fast-check';
import { allDone, at, deleted, facts, NOW, observed, pod, runningDomain, vmi } from '../fixtures';

const off = { status: 'Shutoff', reason: 'Shutdown' } as const;
const none = { status: 'NoState', reason: 'Unknown' } as const;
const failure = (step: Failure['step'], retryAt = NOW + 4_000, since = NOW - 6_000): Failure => ({
  step,
  reason: 'Why',
  message: 'cause; remedy',
  retryAt,
  since,
  attempts: 3,
});

/** The same observations, already reported in the status of the VMI: all actions but its patch remain. */
function reported(seen: Observed): Observed {
  const status = statusOf(seen, 'Running');
  const known = { ...seen.vmi!, status };
  known.metadata = { ...known.metadata, labels: { 'kubevirt.io/nodeName': 'node-a' } };
  return { ...seen, vmi: known };
}

/** A Pod whose container disk is held by a container of its own. */
const podWithHolder = (state: object): Pod => {
  const made = pod();
  made.spec.volumes = [];
  made.spec.containers.push({ name: 'volumeroot' });
  made.status!.containerStatuses!.push({ name: 'volumeroot', containerID: 'crun://fedcba9876543210', state });
  return made;
};

/** A row of a deleted VMI whose guest was asked to power off a moment ago, except for `more`. */
const stopping = (name: string, more: Partial<PodFacts>, want: string[]): [string, Observed, string[]][] => [
  [
    `of a guest that is being stopped, ${name}`,
    observed({
      vmi: deleted(),
      facts: facts({ shutdownRequestedAt: NOW - 6_000, shutdownRepeatedAt: NOW - 1, ...more }),
    }),
    want,
  ],
];

/** The number of writes that are allowed without a pause, this long ago. */
const busy = (agoMs: number): number[] => Array<number>(WRITE_BURST).fill(NOW - agoMs);

/** A start that fails with the given failure, or with `reason` and `message`. */
function failing(reason: string, message: string): Observed {
  const seen = starting({ ...allDone, domain: none, failure: failure('sync') });
  const conditions = [{ type: 'Synchronized', status: 'False', reason, message }];
  return { ...seen, vmi: vmi('Scheduled', { status: { phase: 'Scheduled', conditions } }) };
}

/** A guest whose status has a hotplugged volume with `reason`, in the middle of many writes; providing it failed. */
function unprovided(reason: string): Observed {
  const problem = { name: 'data', reason: 'VolumeNotProvided', message: 'its claim is full' };
  const seen = observed({ facts: facts({ writes: busy(1), plugProblems: [problem], plugRetryAt: NOW + 5_000 }) });
  seen.vmi!.spec.volumes!.push({ name: 'data', persistentVolumeClaim: { claimName: 'data', hotpluggable: true } });
  const volume = { name: 'data', target: '', hotplugVolume: {}, phase: 'AttachedToNode' as const };
  seen.vmi!.status = { ...seen.vmi!.status, volumeStatus: [volume] };
  const after = reported(seen);
  after.vmi!.status!.volumeStatus!.find(({ name }) => name === 'data')!.reason = reason;
  return after;
}

/** A guest in the middle of many writes, whose launcher reports on a backup of which the status has `known`. */
function backedUp(known: object, progress: object): Observed {
  const seen = reported(observed({ facts: facts({ writes: busy(1) }) }));
  const backupStatus = { backupName: 'monday', startTimestamp: '2026-01-02T00:00:00Z', ...known };
  seen.vmi!.status = { ...seen.vmi!.status, changedBlockTracking: { state: 'Enabled', backupStatus } };
  const backup = {
    name: 'monday',
    startedAt: '2026-01-02T00:00:00Z',
    volume: 'backup',
    checkpoint: 'monday-then',
    volumes: ['root'],
    quiesced: 'Succeeded' as const,
    ...progress,
  };
  return { ...seen, facts: { ...seen.facts, domain: { ...seen.facts.domain!, backup } } };
}

const names = (seen: Observed): string[] => decide(seen).map((action) => action.do);
const starting = (more: Partial<PodFacts>): Observed =>
  observed({ vmi: vmi('Pending'), facts: { ...NOTHING_DONE, ...more } });

test.each<[string, Observed, string[]]>([
  // before there is a guest
  ['without a Pod here there is nothing to do', observed({ pod: undefined }), []],
  ['a Pod whose container waits is not changed', observed({ pod: pod({ waiting: {} }, 'Pending') }), []],
  ['a Pod without a VMI is left to the garbage collector', observed({ vmi: undefined }), []],
  ['first of all the launcher must be heard', starting({}), ['listen']],
  ['the network is made while the launcher starts', starting({ listening: true }), ['setUpNetwork']],
  ['then the disks', starting({ listening: true, network: [] }), ['mountDisks']],
  [
    'then the handler waits for the launcher, and reports a slow start in time',
    starting({ listening: true, network: [], disksMounted: true }),
    ['findLauncher', 'recheck', 'recheck'],
  ],
  [
    'requests the domain of a launcher that listens',
    starting({ ...allDone, domain: undefined, domainStale: true }),
    ['readDomain'],
  ],
  [
    'a guest is started when all is prepared',
    starting({ ...allDone, domain: none, syncedSpec: undefined }),
    ['sync', 'recheck'],
  ],
  ['a guest that is being started is awaited', starting({ ...allDone, domain: none }), ['recheck', 'recheck']],
  [
    'a guest that QEMU has but does not run yet is not Running',
    starting({ ...allDone, domain: { ...runningDomain, status: 'Paused', reason: 'StartingUp' } }),
    ['recheck', 'recheck'],
  ],
  ['a running guest is reported with one patch', starting(allDone), ['patch', 'event']],
  [
    'a guest that starts paused counts as Running',
    starting({ ...allDone, domain: { ...runningDomain, status: 'Paused', reason: 'User' } }),
    ['patch', 'event'],
  ],
  // while it runs
  ['a guest in the desired state needs no action', reported(observed()), []],
  [
    'a change is written at its pace',
    { ...reported(observed()), facts: facts({ domain: { ...runningDomain, machineType: 'x' }, writes: busy(1) }) },
    ['recheck'],
  ],
  [
    'when its time has come it is written',
    { ...reported(observed()), facts: facts({ domain: { ...runningDomain, machineType: 'x' }, writes: busy(30_000) }) },
    ['patch'],
  ],
  [
    'a phase does not wait',
    { ...reported(observed()), facts: facts({ domain: off, writes: busy(1) }) },
    ['patch', 'event', 'end'],
  ],
  ['a problem of a volume does not wait', unprovided('SuccessfulCreate'), ['recheck', 'patch']],
  ['a problem of a volume is written once', unprovided('VolumeNotProvided'), ['recheck']],
  ['without changes, nothing is waited for', { ...reported(observed()), facts: facts({ writes: busy(1) }) }, []],
  ['a changed spec is synced', reported(observed({ specHash: 'h2' })), ['sync']],
  ['a restarted handler opens its socket first', observed({ facts: NOTHING_DONE }), ['listen']],
  [
    'a restarted handler looks at a running guest before it looks at its devices and network',
    observed({ facts: { ...NOTHING_DONE, listening: true, launcherUp: true } }),
    ['readDomain'],
  ],
  [
    'devices that cannot be used do not hide a running guest',
    observed({ facts: { ...NOTHING_DONE, listening: true, launcherUp: true, failure: failure('devices') } }),
    ['readDomain'],
  ],
  [
    'a lost launcher is looked for, the VMI stays as it is',
    reported(observed({ facts: facts({ launcherUp: false, domainStale: true }) })),
    ['findLauncher', 'recheck'],
  ],
  [
    'a launcher is looked for even when its guest is known',
    reported(observed({ facts: facts({ launcherUp: false }) })),
    ['findLauncher', 'recheck'],
  ],
  ['opens its socket first if it is closed', reported(observed({ facts: facts({ listening: false }) })), ['listen']],
  [
    'the state of an unknown guest is requested',
    reported(observed({ facts: facts({ domain: undefined }) })),
    ['readDomain'],
  ],
  ['so is a state that may have changed', reported(observed({ facts: facts({ domainStale: true }) })), ['readDomain']],
  [
    'a Pod that runs beside its launcher’s end is over',
    observed({ vmi: vmi('Failed'), pod: pod({ running: {} }, 'Failed') }),
    ['release'],
  ],
  [
    'for a guest that shall end nothing is prepared',
    observed({ vmi: deleted(), facts: { ...NOTHING_DONE, listening: true } }),
    ['findLauncher', 'recheck'],
  ],
  [
    'nor for one that has ended',
    observed({ vmi: vmi('Succeeded'), facts: { ...NOTHING_DONE, listening: true } }),
    ['findLauncher', 'recheck'],
  ],
  [
    'disks wait for the container that holds them, and the launcher is looked for meanwhile',
    { ...starting({ listening: true, network: [] }), pod: podWithHolder({ waiting: {} }) },
    ['findLauncher', 'recheck', 'recheck'],
  ],
  [
    'the guest waits for its disks',
    { ...starting({ ...allDone, disksMounted: false, domain: none }), pod: podWithHolder({ waiting: {} }) },
    ['recheck', 'recheck'],
  ],
  [
    'disks are mounted as soon as their holder runs',
    { ...starting({ listening: true, network: [] }), pod: podWithHolder({ running: {} }) },
    ['mountDisks'],
  ],
  [
    'a guest whose launcher is heard gets its network before it is started',
    starting({ ...allDone, network: undefined, domain: none }),
    ['setUpNetwork', 'recheck'],
  ],
  [
    'a guest that is known but not prepared for gets its disks',
    starting({ ...allDone, disksMounted: false }),
    ['mountDisks', 'patch', 'event'],
  ],
  ...(['network', 'disks', 'sync'] as const).map((step): [string, Observed, string[]] => [
    `a failure at "${step}" does not keep a deleted VMI from its launcher`,
    observed({ vmi: deleted(), facts: { ...NOTHING_DONE, listening: true, failure: failure(step) } }),
    ['findLauncher', 'recheck'],
  ]),
  ...(['devices', 'network', 'disks', 'sync'] as const).map((step): [string, Observed, string[]] => [
    `a failure at "${step}" does not keep a VMI from its launcher that was deleted while it started`,
    observed({
      vmi: { ...deleted(), status: { phase: 'Scheduled' } },
      facts: { ...NOTHING_DONE, listening: true, failure: failure(step) },
    }),
    ['findLauncher', 'recheck'],
  ]),
  ...(['listen', 'connect'] as const).map((step): [string, Observed, string[]] => [
    `after a failure at "${step}" a deleted VMI waits like any other`,
    observed({ vmi: deleted(), facts: { ...NOTHING_DONE, listening: true, failure: failure(step) } }),
    ['recheck'],
  ]),
  [
    'a guest that was missing and is found is noted',
    reported(observed({ facts: facts({ missingSince: NOW - 5_000 }) })),
    ['noteMissing'],
  ],
  [
    'a guest that is missing is waited for',
    observed({ vmi: reported(observed()).vmi, facts: facts({ domain: none, missingSince: NOW - 29_999 }) }),
    ['recheck'],
  ],
  [
    'a guest that vanished is recorded, and not reported yet',
    observed({ vmi: reported(observed()).vmi, facts: facts({ domain: none }) }),
    ['noteMissing'],
  ],
  // failures
  [
    'a failure is reported, and nothing is retried before its time',
    observed({ vmi: vmi('Pending'), facts: facts({ domain: none, failure: failure('sync'), syncedSpec: undefined }) }),
    ['recheck', 'patch', 'event'],
  ],
  [
    'after that time it is tried',
    starting({ ...allDone, domain: none, syncedSpec: undefined, failure: failure('sync', NOW) }),
    ['sync', 'patch', 'event'],
  ],
  [
    'a launcher that does not answer for some seconds is not reported',
    reported(observed({ facts: facts({ domainStale: true, failure: failure('connect', NOW + 1_000, NOW - 4_000) }) })),
    ['recheck'],
  ],
  // the end
  ['a deleted VMI powers off its guest', observed({ vmi: deleted() }), ['event', 'shutdown']],
  ['without grace it is killed at once', observed({ vmi: deleted(0) }), ['event', 'kill']],
  [
    'within its grace period it is awaited',
    observed({ vmi: deleted(), facts: facts({ shutdownRequestedAt: NOW - 1_000, shutdownRepeatedAt: NOW - 1_000 }) }),
    ['recheck'],
  ],
  [
    'and the power off is repeated, since the guest may have been booting',
    observed({ vmi: deleted(), facts: facts({ shutdownRequestedAt: NOW - 6_000, shutdownRepeatedAt: NOW - 6_000 }) }),
    ['shutdown'],
  ],
  [
    'after it, it is killed',
    observed({ vmi: deleted(), facts: facts({ shutdownRequestedAt: NOW - 30_000, shutdownRepeatedAt: NOW }) }),
    ['event', 'kill'],
  ],
  [
    'a kill is not repeated at once',
    observed({ vmi: deleted(), facts: facts({ shutdownRequestedAt: NOW - 30_000, killedAt: NOW - 1_000 }) }),
    ['recheck'],
  ],
  ...stopping('the button is not pressed again before its time', { shutdownRepeatedAt: NOW - 4_999 }, ['recheck']),
  ...stopping('it is at its time', { shutdownRepeatedAt: NOW - 5_000 }, ['shutdown']),
  ...stopping('a moment is left of its grace', { shutdownRequestedAt: NOW - 29_999 }, ['recheck']),
  ...stopping('its grace is over', { shutdownRequestedAt: NOW - 30_000 }, ['event', 'kill']),
  ...stopping('a kill is given time', { shutdownRequestedAt: NOW - 40_000, killedAt: NOW - 9_999 }, ['recheck']),
  ...stopping('a kill is repeated', { shutdownRequestedAt: NOW - 40_000, killedAt: NOW - 10_000 }, ['event', 'kill']),
  ...stopping('its launcher is given time to end', { domain: off, endedAt: NOW - 9_999 }, ['recheck']),
  ...stopping('the end of its launcher is requested again', { domain: off, endedAt: NOW - 10_000 }, ['end']),
  ['a guest that is off lets its launcher end', observed({ vmi: deleted(), facts: facts({ domain: off }) }), ['end']],
  ['also one that was never started', observed({ vmi: deleted(), facts: facts({ domain: none }) }), ['end']],
  [
    'a deleted VMI whose launcher is not heard is heard first',
    observed({ vmi: deleted(), facts: NOTHING_DONE }),
    ['listen'],
  ],
  [
    'a deleted VMI is not kept waiting by a failed start',
    observed({ vmi: deleted(), facts: facts({ failure: failure('sync') }) }),
    ['event', 'shutdown'],
  ],
  [
    'a guest that powered off on its own',
    reported(observed({ facts: facts({ domain: off }) })),
    ['patch', 'event', 'end'],
  ],
  [
    'a Pod that ended',
    observed({ pod: pod({ terminated: { exitCode: 1 } }, 'Failed') }),
    ['patch', 'event', 'release'],
  ],
  [
    'a Pod that ended after its VMI was deleted is not written about',
    observed({ vmi: deleted(), pod: pod({ terminated: { exitCode: 0 } }, 'Succeeded') }),
    ['release'],
  ],
  [
    'what was released is not released again',
    observed({
      vmi: vmi('Failed'),
      pod: pod({ terminated: {} }, 'Failed'),
      facts: { ...NOTHING_DONE, released: true },
    }),
    [],
  ],
  [
    'a VMI that is over is not written about',
    observed({ vmi: vmi('Failed'), pod: pod({ terminated: {} }, 'Failed') }),
    ['release'],
  ],
  ['a backup that begins is reported at once', backedUp({}, {}), ['patch']],
  ['more of its volumes later', backedUp({ checkpointName: 'monday-then' }, {}), ['recheck']],
  ['its end at once', backedUp({ checkpointName: 'monday-then' }, { endedAt: '2026-01-02T00:01:00Z' }), ['patch']],
])('%s', (_, seen, want) => expect(names(seen)).toEqual(want));

test.each<[string, Observed, number]>([
  [
    'a missing guest',
    observed({ vmi: reported(observed()).vmi, facts: facts({ domain: none, missingSince: NOW - 29_999 }) }),
    1,
  ],
  [
    'a guest whose grace ends before the button is pressed again',
    stopping('', { shutdownRequestedAt: NOW - 29_999 }, [])[0]![1],
    1,
  ],
  [
    'a guest whose button is pressed again before its grace ends',
    stopping('', { shutdownRepeatedAt: NOW - 4_998 }, [])[0]![1],
    2,
  ],
  ['a killed guest', stopping('', { shutdownRequestedAt: NOW - 40_000, killedAt: NOW - 9_999 }, [])[0]![1], 1],
  ['a launcher that ends', stopping('', { domain: off, endedAt: NOW - 9_997 }, [])[0]![1], 3],
  [
    'a guest whose disks wait for the container that holds them',
    { ...starting({ ...allDone, disksMounted: false, domain: none }), pod: podWithHolder({ waiting: {} }) },
    1_000,
  ],
  ['a failed step', starting({ ...allDone, domain: none, failure: failure('sync', NOW + 7) }), 7],
  [
    'a status that is written at its pace',
    { ...reported(observed()), facts: facts({ domain: { ...runningDomain, machineType: 'x' }, writes: busy(29_991) }) },
    9,
  ],
])('%s is looked at again just in time', (_, seen, afterMs) => {
  expect(decide(seen)).toContainEqual({ do: 'recheck', afterMs });
});

const event = (reason: string, message: string, type = 'Normal') => ({ do: 'event', type, reason, message });
test.each<[string, Observed, object]>([
  [
    'a guest that must end is powered off',
    observed({ vmi: deleted(45) }),
    event('ShuttingDown', 'asked the guest to power off; it has 45 s'),
  ],
  [
    'a guest without a grace period of its own has half a minute',
    observed({ vmi: deleted() }),
    event('ShuttingDown', 'asked the guest to power off; it has 30 s'),
  ],
  [
    'a guest that does not end is killed',
    stopping('', { shutdownRequestedAt: NOW - 30_000 }, [])[0]![1],
    event('Killing', 'the guest did not power off within 30 s; it is killed'),
  ],
  ['a guest is started', starting(allDone), event('Started', 'VirtualMachineInstance started.')],
  [
    'a guest powers off',
    reported(observed({ facts: facts({ domain: off }) })),
    event('Stopped', 'The VirtualMachineInstance was shut down.'),
  ],
  [
    'a start fails',
    starting({ ...allDone, domain: none, failure: failure('sync') }),
    event('Why', 'cause; remedy', 'Warning'),
  ],
  ['it fails for another reason', failing('Other', 'cause; remedy'), event('Why', 'cause; remedy', 'Warning')],
  ['it fails by another cause', failing('Why', 'other'), event('Why', 'cause; remedy', 'Warning')],
])('%s, with an event', (_, seen, want) => expect(decide(seen)).toContainEqual(want));

test('does not report the same failure again', () => {
  expect(names(failing('Why', 'cause; remedy'))).not.toContain('event');
});

test('a handler that restarts writes nothing until it has read the state of its guest, in any order of facts', () => {
  const { vmi: known } = reported(observed());
  const orders: Partial<PodFacts>[][] = [
    [
      { listening: true },
      { domain: runningDomain, domainStale: false },
      { network: allDone.network },
      { disksMounted: true },
      { launcherUp: true },
    ],
    [
      { listening: true },
      { network: allDone.network },
      { disksMounted: true },
      { launcherUp: true },
      { domain: runningDomain, domainStale: false },
    ],
  ];
  for (const order of orders) {
    let learned = NOTHING_DONE;
    for (const news of [{}, ...order]) {
      learned = { ...learned, ...news };
      expect(names(observed({ vmi: known, facts: learned }))).not.toContain('patch');
    }
  }
});

test('a restarted handler that cannot continue reports it without changing other fields', () => {
  const { vmi: known } = reported(observed());
  const seen = observed({ vmi: known, facts: { ...NOTHING_DONE, failure: failure('listen') } });
  const patch = decide(seen).find((action) => action.do === 'patch') as Extract<Action, { do: 'patch' }>;
  const { status } = patch.body as { status: { conditions: { type: string; status: string }[] } };
  expect(Object.keys(status)).toEqual(['conditions']);
  expect(status.conditions.map(({ type, status: s }) => `${type}=${s}`)).toEqual([
    'Ready=True',
    'LiveMigratable=False',
    'StorageLiveMigratable=False',
    'Synchronized=False',
  ]);
});

test('reports a different network under a running guest once, with its remedy, and continues', () => {
  const before = reported(observed());
  const seen = { ...before, facts: facts({ networkDifferences: ['the MTU of tap0 is 1400, wanted 1500', 'x'] }) };
  const message =
    'the network of the running guest differs from its VMI: the MTU of tap0 is 1400, wanted 1500, x; ' +
    'it stays unchanged while the guest runs; restart the VM';
  const [patch, ...events] = decide(seen);
  expect(patch).toMatchObject({
    do: 'patch',
    body: {
      status: { conditions: expect.arrayContaining([expect.objectContaining({ reason: 'NetworkDiffers', message })]) },
    },
  });
  expect(events).toEqual([{ do: 'event', type: 'Warning', reason: 'NetworkDiffers', message }]);
  expect(names(reported(seen))).toEqual([]);
});

test('reports devices that differ under a running guest with the remedy', () => {
  const deviceDifferences = ['block volume at /dev/data is missing', 'block volume at /dev/logs is a FIFO'];
  const message =
    'the devices of the running guest differ from its VMI: block volume at /dev/data is missing; ' +
    'block volume at /dev/logs is a FIFO; they stay unchanged while the guest runs; restart the VM';
  expect(reportedProblem({ facts: facts({ deviceDifferences }), now: NOW })).toEqual({
    reason: 'DevicesDiffer',
    message,
  });
});

describe('problems of a running guest', () => {
  const trouble = { reason: 'LibvirtUnresponsive', message: 'libvirtd does not answer' };
  const synchronizedOf = (more: Partial<PodFacts>, known = reported(observed()).vmi!) =>
    statusOf(observed({ vmi: known, facts: facts(more) }), 'Running').conditions?.find(
      ({ type }) => type === 'Synchronized',
    );
  test.each<[string, Partial<PodFacts>, string | undefined]>([
    ['nothing when all is well', {}, undefined],
    ['a launcher that cannot see its guest', { domain: { ...runningDomain, trouble } }, 'LibvirtUnresponsive'],
    ['a spec that was not applied', { notApplied: ['spec.volumes[data]'] }, 'SpecNotApplied'],
    ['a network that differs, before that', { notApplied: ['x'], networkDifferences: ['y'] }, 'NetworkDiffers'],
    ['devices that differ, before both', { networkDifferences: ['y'], deviceDifferences: ['z'] }, 'DevicesDiffer'],
    [
      'a blind launcher, before all of them',
      { domain: { ...runningDomain, trouble }, notApplied: ['x'], deviceDifferences: ['z'] },
      'LibvirtUnresponsive',
    ],
    ['a failure, before all', { domain: { ...runningDomain, trouble }, failure: failure('sync') }, 'Why'],
    [
      'a silence of moments is not reported',
      { notApplied: ['x'], failure: failure('connect', NOW + 1_000, NOW - 4_999) },
      'SpecNotApplied',
    ],
    ['a longer one is', { notApplied: ['x'], failure: failure('connect', NOW + 1_000, NOW - 5_000) }, 'Why'],
  ])('%s', (_, more, reason) => expect(synchronizedOf(more)?.reason).toBe(reason));

  test('the fields that were not applied, with the remedy', () => {
    expect(synchronizedOf({ notApplied: ['spec.domain.cpu.sockets', 'spec.volumes[data]'] })).toMatchObject({
      status: 'False',
      message:
        'the running guest keeps what it was started with, changed since: spec.domain.cpu.sockets, spec.volumes[data]; ' +
        'restart the VM',
    });
  });

  test('a restarted handler keeps a problem until the launcher has reported again', () => {
    const known = reported(observed({ facts: facts({ notApplied: ['spec.x'] }) })).vmi!;
    const asked = (more: Partial<PodFacts>): Observed => observed({ vmi: known, facts: more as PodFacts });
    expect(names(asked(NOTHING_DONE))).toEqual(['listen']);
    expect(names(asked({ ...allDone, syncedSpec: undefined }))).toEqual(['sync']);
    expect(names(asked({ ...allDone, notApplied: ['spec.x'] }))).toEqual([]);
    expect(names(asked(allDone))).toEqual(['patch']);
  });

  test('drops the message of an earlier failed step', () => {
    const known = reported(observed({ facts: facts({ failure: failure('sync') }) })).vmi!;
    expect(synchronizedOf({ syncedSpec: undefined }, known)).toBeUndefined();
  });
});

test('a guest that stays away for half a minute has failed', () => {
  const seen = observed({ vmi: reported(observed()).vmi, facts: facts({ domain: none, missingSince: NOW - 30_000 }) });
  const patch = decide(seen).find((action) => action.do === 'patch') as Extract<Action, { do: 'patch' }>;
  expect(patch.body).toMatchObject({ status: { phase: 'Failed' } });
});

test.each([
  ['after the guest ran: it is lost with the old one, and reported immediately', 5_000, ['patch', 'event']],
  ['before the guest ran: it may only not be found yet', -5_000, ['noteMissing']],
])('a container that was started %s', (_, startedMs, expected) => {
  const ran = reported(observed()).vmi!;
  ran.status!.phaseTransitionTimestamps = [{ phase: 'Running', phaseTransitionTimestamp: at(0) }];
  const restarted = pod({ running: { startedAt: at(startedMs) } });
  expect(names(observed({ vmi: ran, pod: restarted, facts: facts({ domain: none }), now: NOW + 9_000 }))).toEqual(
    expected,
  );
});

test('a guest that changes every second for an hour is shown often enough and not more, and rightly in the end', () => {
  let { vmi: known } = reported(observed());
  let writes: readonly number[] = [];
  let count = 0;
  const pass = (second: number, interfaceName: string): void => {
    const now = NOW + second * 1_000;
    const interfaces = [{ ...runningDomain.interfaces![0]!, interfaceName }];
    const seen = observed({ vmi: known, now, facts: facts({ domain: { ...runningDomain, interfaces }, writes }) });
    if (!decide(seen).some((action) => action.do === 'patch')) return;
    count++;
    writes = withWrite(writes, now);
    known = reported(seen).vmi;
  };
  for (let second = 0; second < 3_600; second++) pass(second, `eth${second}`);
  expect(count).toBe((3_600 / 30) * WRITE_BURST);
  for (let second = 3_600; second < 3_630; second++) pass(second, 'last');
  expect(known?.status?.interfaces?.[0]?.interfaceName).toBe('last');
});

test('credentials that the guest agent would set are one event', () => {
  const given = vmi('Scheduled');
  const source = { secret: { secretName: 'keys' } };
  given.spec.accessCredentials = [{ userPassword: { source, propagationMethod: { qemuGuestAgent: {} } } }];
  const seen = observed({ vmi: given, facts: facts({ domain: runningDomain }) });
  const reasons = (vmiSeen: typeof given): string[] =>
    decide({ ...seen, vmi: vmiSeen }).flatMap((action) => (action.do === 'event' ? [action.reason] : []));
  expect(reasons(given)).toContain('AgentCredentialsNotSupported');
  expect(reasons({ ...given, status: statusOf(seen, 'Running') })).not.toContain('AgentCredentialsNotSupported');
});

test('a repeated failure is one event', () => {
  const seen = observed({ vmi: vmi('Pending'), facts: facts({ domain: none, failure: failure('network') }) });
  const status = statusOf(seen, 'Scheduled');
  const after = {
    ...seen.vmi!,
    status,
    metadata: { ...seen.vmi!.metadata, labels: { 'kubevirt.io/nodeName': 'node-a' } },
  };
  expect(decide(seen).filter((action) => action.do === 'event')).toEqual([
    { do: 'event', type: 'Warning', reason: 'Why', message: 'cause; remedy' },
  ]);
  expect(names({ ...seen, vmi: after })).toEqual(['recheck']);
});

describe('for any observation', () => {
  const domain = fc.option(
    fc.record({
      status: fc.constantFrom('NoState', 'Running', 'Paused', 'Shutoff', 'Crashed', 'ShuttingDown' as const),
      reason: fc.constantFrom('Unknown', 'Shutdown', 'Destroyed', 'Crashed', 'User', 'StartingUp' as const),
    }),
    { nil: undefined },
  );
  const time = fc.option(fc.integer({ min: NOW - 60_000, max: NOW }), { nil: undefined });
  const anyFacts = fc.record({
    listening: fc.boolean(),
    network: fc.constantFrom(undefined, []),
    disksMounted: fc.boolean(),
    launcherUp: fc.boolean(),
    domain,
    domainStale: fc.boolean(),
    syncedSpec: fc.constantFrom(undefined, 'h1', 'h0'),
    failure: fc.constantFrom(undefined, failure('sync'), failure('connect'), failure('network', NOW - 1)),
    shutdownRequestedAt: time,
    shutdownRepeatedAt: time,
    killedAt: time,
    endedAt: time,
    missingSince: time,
    writes: fc.array(fc.integer({ min: NOW - 60_000, max: NOW + 60_000 }), { maxLength: 5 }),
  });
  const anyObserved = fc.record({
    facts: anyFacts,
    phase: fc.constantFrom('Pending', 'Scheduling', 'Scheduled', 'Running', 'Succeeded', 'Failed'),
    isDeleted: fc.boolean(),
    pod: fc.constantFrom(pod(), pod({ terminated: { exitCode: 0 } }, 'Succeeded'), pod({ waiting: {} }, 'Pending')),
  });
  const build = (seen: { facts: object; phase: string; isDeleted: boolean; pod: ReturnType<typeof pod> }): Observed => {
    const made = vmi(seen.phase);
    if (seen.isDeleted) made.metadata.deletionTimestamp = deleted().metadata.deletionTimestamp;
    return observed({ vmi: made, pod: seen.pod, facts: seen.facts as PodFacts });
  };
  const always = (property: (seen: Observed, actions: Action[]) => void): void =>
    fc.assert(
      fc.property(anyObserved, (seen) => {
        const built = build(seen);
        property(built, decide(built));
      }),
      { numRuns: 2_000 },
    );

  test('a VMI that is deleted or over is never written, and its guest never started', () =>
    always((seen, actions) => {
      if (!seen.vmi?.metadata.deletionTimestamp && !['Succeeded', 'Failed'].includes(seen.vmi?.status?.phase ?? ''))
        return;
      expect(actions.map((action) => action.do)).not.toContain('patch');
      expect(actions.map((action) => action.do)).not.toContain('sync');
    }));

  test('a guest that ran or runs is never started a second time', () =>
    always((seen, actions) => {
      const gone = seen.facts.domain && ['NoState', 'Shutoff', 'Crashed'].includes(seen.facts.domain.status);
      if (seen.vmi?.status?.phase === 'Running' && gone) expect(actions.map((a) => a.do)).not.toContain('sync');
    }));

  test('a guest is killed only when its VMI is deleted or over', () =>
    always((seen, actions) => {
      if (!actions.some((action) => action.do === 'kill')) return;
      const over = ['Succeeded', 'Failed'].includes(seen.vmi?.status?.phase ?? '');
      expect(over || seen.vmi?.metadata.deletionTimestamp !== undefined).toBe(true);
    }));

  test('no time to wait is negative or endless', () =>
    always((_, actions) => {
      for (const action of actions) {
        if (action.do === 'recheck') expect(action.afterMs > 0 && action.afterMs <= 60_000).toBe(true);
      }
    }));

  test('a phase never returns to an earlier one', () => {
    const order = ['Pending', 'Scheduling', 'Scheduled', 'Running', 'Succeeded', 'Failed'];
    always((seen, actions) => {
      for (const action of actions) {
        if (action.do !== 'patch') continue;
        const { status } = action.body as { status?: { phase?: string } };
        if (!status?.phase) continue;
        expect(order.indexOf(status.phase)).toBeGreaterThan(order.indexOf(seen.vmi?.status?.phase ?? ''));
      }
    });
  });
});
