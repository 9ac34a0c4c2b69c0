import type { VirtualMachineInstance } from '../../../../../src/api';
import {
  accessCredentials,
  agentConnected,
  failed,
  hasSharedStorage,
  liveMigratable,
  mergeConditions,
  paused,
  ready,
  storageLiveMigratable,
  synchronized,
} from '../../../../../src/runtime/handler/instance/conditions';
import type { DomainState } from '../../../../../src/runtime/protocol';
import { at, pod, runningDomain, vmi } from '../fixtures';

type Credentials = NonNullable<VirtualMachineInstance['spec']['accessCredentials']>;

describe('Ready', () => {
  const probed = vmi('Running', {});
  probed.spec.readinessProbe = { tcpSocket: { port: 80 } };
  const withContainersReady = (status: string) => {
    const made = pod();
    made.status!.conditions = [{ type: 'ContainersReady', status }];
    return made;
  };
  test.each<[string, VirtualMachineInstance, ReturnType<typeof pod>, DomainState | undefined, object]>([
    ['a guest that runs is', vmi(), pod(), runningDomain, { status: 'True' }],
    [
      'one that is being started is not',
      vmi(),
      pod(),
      { status: 'Paused', reason: 'StartingUp' },
      { status: 'False', reason: 'GuestNotRunning', message: 'Guest VM is not reported as running' },
    ],
    [
      'one that ended is not',
      vmi(),
      pod(),
      { status: 'Shutoff', reason: 'Shutdown' },
      { status: 'False', reason: 'GuestNotRunning', message: 'Guest VM is not reported as running' },
    ],
    [
      'a paused one is not',
      vmi(),
      pod(),
      { status: 'Paused', reason: 'User' },
      { status: 'False', reason: 'GuestNotRunning', message: 'the guest is paused' },
    ],
    ['one that is not there is not', vmi(), pod(), undefined, { status: 'False', reason: 'GuestNotRunning' }],
    ['one whose probe succeeds is', probed, withContainersReady('True'), runningDomain, { status: 'True' }],
    [
      'one whose probe fails is not',
      probed,
      withContainersReady('False'),
      runningDomain,
      { status: 'False', reason: 'ContainersNotReady' },
    ],
  ])('%s', (_, v, p, domain, want) => expect(ready(v, p, domain)).toMatchObject(want));
});

test.each<[string, DomainState, string | undefined]>([
  ['a running guest', runningDomain, undefined],
  ['one that is being started', { status: 'Paused', reason: 'StartingUp' }, undefined],
  ['by its user', { status: 'Paused', reason: 'User' }, 'PausedByUser'],
  ['by a disk', { status: 'Paused', reason: 'IOError' }, 'PausedIOError'],
  ['by a migration', { status: 'Paused', reason: 'Migration' }, 'PausedByMigrationMonitor'],
  ['by its watchdog', { status: 'Paused', reason: 'Watchdog' }, 'Paused'],
])('Paused: %s', (_, domain, reason) =>
  expect(paused(domain)).toEqual(reason && { type: 'Paused', status: 'True', reason, message: expect.any(String) }),
);

test.each([
  [[], /error detected; look at its storage, then unpause it$/],
  [[{ name: 'a', isFull: true }], /: the storage of "a" is full; free space there or enlarge the claim: /],
  [
    [
      { name: 'a', isFull: true },
      { name: 'b', isFull: false },
    ],
    /: the storage of "a" is full, and "b" reported an error; look at its storage, then unpause it$/,
  ],
])('Paused by a disk names %j with the remedy', (failedDisks, message) =>
  expect(paused({ status: 'Paused', reason: 'IOError', failedDisks })?.message).toMatch(message),
);

test('AgentConnected is there while the agent answers', () => {
  expect(agentConnected({ ...runningDomain, agent: { connected: true } })).toEqual({
    type: 'AgentConnected',
    status: 'True',
  });
  expect(agentConnected({ ...runningDomain, agent: { connected: false } })).toBeUndefined();
  expect(agentConnected({ status: 'Shutoff', reason: 'Shutdown', agent: { connected: true } })).toBeUndefined();
});

describe('AccessCredentialsSynchronized', () => {
  const source = { secret: { secretName: 'keys' } };
  const withCredentials = (...credentials: Credentials): VirtualMachineInstance => {
    const made = vmi();
    return { ...made, spec: { ...made.spec, accessCredentials: credentials } };
  };
  const byAgent = { sshPublicKey: { source, propagationMethod: { qemuGuestAgent: { users: ['ops'] } } } };
  const byDisk = { sshPublicKey: { source, propagationMethod: { noCloud: {} } } };
  const password = { userPassword: { source, propagationMethod: { qemuGuestAgent: {} } } };

  test.each([
    ['keys through the agent', withCredentials(byDisk, byAgent), /^spec.accessCredentials\[1\]: virt8s does not/],
    ['a password', withCredentials(password, byAgent), /^spec.accessCredentials\[0\], spec.accessCredentials\[1\]: /],
  ])('is False for %s', (_, instance, message) =>
    expect(accessCredentials(instance)).toMatchObject({ status: 'False', message: expect.stringMatching(message) }),
  );

  test.each([
    ['keys in the user data', withCredentials(byDisk)],
    ['no credentials', withCredentials()],
  ])('is absent for %s', (_, instance) => expect(accessCredentials(instance)).toBeUndefined());
});

test('Synchronized carries cause and remedy of the present failure', () => {
  const failure = {
    step: 'sync',
    reason: 'DiskMissing',
    message: 'no disk; import it',
    retryAt: 0,
    since: 0,
    attempts: 1,
  } as const;
  expect(synchronized(failure)).toEqual({
    type: 'Synchronized',
    status: 'False',
    reason: 'DiskMissing',
    message: 'no disk; import it',
  });
  expect(synchronized(undefined)).toBeUndefined();
});

describe('the cause of a failed VMI', () => {
  const ended = (exitCode: number, message?: string) => pod({ terminated: { exitCode, message } }, 'Failed');
  const crashed = { status: 'Shutoff', reason: 'Crashed' } as const;
  test.each<[string, ReturnType<typeof pod>, DomainState | undefined, string, string]>([
    [
      'the launcher, in its own words',
      ended(1, 'no space left on device'),
      undefined,
      'LauncherPodFailed',
      'ended with code 1: no space left on device; free space on the disk of the node',
    ],
    [
      'the launcher, in better words than libvirt’s',
      ended(1, 'QEMU ended unexpectedly'),
      crashed,
      'LauncherPodFailed',
      'QEMU ended unexpectedly',
    ],
    ['the guest', ended(1), crashed, 'GuestCrashed', 'ended unexpectedly (Crashed)'],
    ['the launcher, without a word', ended(1), undefined, 'LauncherPodFailed', 'ended with code 1'],
    ['nobody knows', ended(0), undefined, 'GuestLost', 'without a reported cause'],
  ])('%s', (_, p, domain, reason, message) => {
    const verdict = failed(p, domain);
    expect(verdict).toMatchObject({ type: 'Synchronized', status: 'False', reason });
    expect(verdict.message).toContain(message);
  });

  test('another container than the guest’s has its own cause, also when the guest ended with it', () => {
    const made = ended(0);
    made.status!.containerStatuses!.unshift({ name: 'volumeroot', state: { terminated: { exitCode: 2 } } });
    expect(failed(made, crashed).message).toBe('container "volumeroot" of the launcher Pod ended with code 2');
  });

  test('an init container is reported first, because the others depend on it', () => {
    const made = ended(137);
    made.status!.initContainerStatuses = [
      { name: 'volumeroot', state: { terminated: { exitCode: 127, reason: 'Error' } } },
    ];
    expect(failed(made, undefined).message).toBe(
      'container "volumeroot" of the launcher Pod ended with code 127: Error',
    );
  });
});

describe('LiveMigratable', () => {
  const NOBODY = 'MigrationNotSupported';
  const DISKS = 'DisksNotLiveMigratable';
  const change = (apply: (v: VirtualMachineInstance) => void) => {
    const made = vmi();
    apply(made);
    return made;
  };
  const claim = (accessModes?: string[], source: object = { persistentVolumeClaim: { claimName: 'c' } }) =>
    change((v) => {
      v.spec.volumes = [{ name: 'data', ...source }];
      if (!accessModes) return;
      v.status!.volumeStatus = [
        { name: 'data', target: '', persistentVolumeClaimInfo: { accessModes } },
      ] as NonNullable<VirtualMachineInstance['status']>['volumeStatus'];
    });
  const hostDisk = (shared?: boolean) =>
    change((v) => (v.spec.volumes = [{ name: 'h', hostDisk: { path: '/x', type: 'Disk', shared } }]));
  const nics = (v: VirtualMachineInstance, ...given: object[]) =>
    (v.spec.domain.devices.interfaces = given.map((nic) => ({ name: 'default', ...nic })));
  const allowed = { 'kubevirt.io/allow-pod-bridge-network-live-migration': '' };

  // the reasons of LiveMigratable and of StorageLiveMigratable
  test.each<[string, VirtualMachineInstance, string, string]>([
    ['container disks and masquerade', vmi(), NOBODY, NOBODY],
    ['a shared claim', claim(['ReadWriteMany']), NOBODY, NOBODY],
    ['a claim of which nothing is known yet', claim(), NOBODY, NOBODY],
    ['a claim of one node', claim(['ReadWriteOnce']), DISKS, DISKS],
    ['a DataVolume of one node', claim(['ReadWriteOnce'], { dataVolume: { name: 'c' } }), DISKS, DISKS],
    ['a claim that may also be shared', claim(['ReadWriteOnce', 'ReadWriteMany']), NOBODY, NOBODY],
    ['a host disk', hostDisk(), DISKS, DISKS],
    ['a shared host disk', hostDisk(true), NOBODY, NOBODY],
    ['a bridge on the pod network', change((v) => nics(v, { bridge: {} })), 'InterfaceNotLiveMigratable', NOBODY],
    [
      'such a bridge beside masquerade',
      change((v) => nics(v, { masquerade: {} }, { bridge: {} })),
      'InterfaceNotLiveMigratable',
      NOBODY,
    ],
    [
      'a bridge on another network',
      change((v) => {
        v.spec.networks = [{ name: 'default', multus: { networkName: 'lan' } }];
        nics(v, { bridge: {} });
      }),
      NOBODY,
      NOBODY,
    ],
    [
      'a bridge that is allowed to',
      change((v) => {
        nics(v, { bridge: {} });
        v.metadata.annotations = allowed;
      }),
      NOBODY,
      NOBODY,
    ],
    [
      'a GPU',
      change((v) => (v.spec.domain.devices.gpus = [{ name: 'g', deviceName: 'd' }])),
      'HostDeviceNotLiveMigratable',
      NOBODY,
    ],
    [
      'a host device',
      change((v) => (v.spec.domain.devices.hostDevices = [{ name: 'g', deviceName: 'd' }])),
      'HostDeviceNotLiveMigratable',
      NOBODY,
    ],
    ['encrypted memory', change((v) => (v.spec.domain.launchSecurity = { sev: {} })), 'SEVNotLiveMigratable', NOBODY],
    [
      'the CPU of the host',
      change((v) => (v.spec.domain.cpu = { model: 'host-passthrough' })),
      'CPUModeNotLiveMigratable',
      NOBODY,
    ],
    ['a named CPU', change((v) => (v.spec.domain.cpu = { model: 'Haswell' })), NOBODY, NOBODY],
  ])('a VMI with %s does not migrate, and the reason has the cause', (_, v, reason, storageReason) => {
    expect(liveMigratable(v)).toMatchObject({ type: 'LiveMigratable', status: 'False', reason });
    expect(storageLiveMigratable(v)).toMatchObject({
      type: 'StorageLiveMigratable',
      status: 'False',
      reason: storageReason,
    });
    expect(hasSharedStorage(v)).toBe(storageReason === NOBODY);
  });

  test('the message about a missing feature of virt8s has a remedy', () => {
    expect(liveMigratable(vmi()).message).toBe(
      'this version of virt8s cannot migrate a running guest; to move it to another node, restart its VM',
    );
  });
});

describe('the condition list', () => {
  const old = [
    { type: 'Ready', status: 'False' as const, reason: 'GuestNotRunning', lastTransitionTime: at(-60_000) },
    { type: 'Provisioning', status: 'True' as const, lastTransitionTime: at(-90_000) },
    { type: 'Synchronized', status: 'False' as const, lastTransitionTime: at(-90_000) },
  ];

  test('keeps conditions of others, drops those of ours that no longer apply, stamps changed ones', () => {
    const merged = mergeConditions(
      old,
      [
        { type: 'Ready', status: 'True' },
        { type: 'Paused', status: 'True' },
      ],
      at(0),
    );
    expect(merged).toEqual([
      { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: at(0) },
      old[1],
      { type: 'Paused', status: 'True', lastProbeTime: null, lastTransitionTime: at(0) },
    ]);
  });

  test('keeps an unchanged condition byte for byte, and the time of one whose message changed', () => {
    const same = mergeConditions(old, [{ type: 'Ready', status: 'False', reason: 'GuestNotRunning' }], at(0));
    expect(same[0]).toBe(old[0]);
    const reworded = mergeConditions(old, [{ type: 'Ready', status: 'False', reason: 'Other' }], at(0));
    expect(reworded[0]).toMatchObject({ reason: 'Other', lastTransitionTime: at(-60_000) });
  });
});
