import type { VirtualMachineInstance } from '../../../../src/api';
import {
  agentConnected,
  failed,
  liveMigratable,
  mergeConditions,
  paused,
  ready,
  storageLiveMigratable,
  synchronized,
} from '../../../../src/runtime/handler/instance/conditions';
import { patchFor, phaseOf, statusOf } from '../../../../src/runtime/handler/instance/status';
import type { DomainState } from '../../../../src/runtime/protocol';
import { allDone, at, facts, NOW, observed, pod, runningDomain, vmi } from './fixtures';

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
      'a paused one is not',
      vmi(),
      pod(),
      { status: 'Paused', reason: 'User' },
      { status: 'False', reason: 'GuestNotRunning' },
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
])('Paused: %s', (_, domain, reason) => expect(paused(domain)?.reason).toBe(reason));

test('AgentConnected is there while the agent answers', () => {
  expect(agentConnected({ ...runningDomain, agent: { connected: true } })).toEqual({
    type: 'AgentConnected',
    status: 'True',
  });
  expect(agentConnected({ ...runningDomain, agent: { connected: false } })).toBeUndefined();
  expect(agentConnected({ status: 'Shutoff', reason: 'Shutdown', agent: { connected: true } })).toBeUndefined();
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

describe('what ended a VMI that failed', () => {
  const ended = (exitCode: number, message?: string) => pod({ terminated: { exitCode, message } }, 'Failed');
  const crashed = { status: 'Shutoff', reason: 'Crashed' } as const;
  test.each<[string, ReturnType<typeof pod>, DomainState | undefined, string, string]>([
    [
      'the launcher, in its own words',
      ended(1, 'no space left on device'),
      undefined,
      'LauncherPodFailed',
      'container "compute" of the launcher Pod ended with code 1: no space left on device',
    ],
    [
      'the launcher, in better words than libvirt’s',
      ended(1, 'QEMU ended unexpectedly'),
      crashed,
      'LauncherPodFailed',
      'QEMU ended unexpectedly',
    ],
    ['the guest', ended(1), crashed, 'GuestCrashed', 'ended unexpectedly (Crashed)'],
    ['nobody knows', ended(0), undefined, 'GuestLost', 'nobody said why'],
  ])('%s', (_, p, domain, reason, message) => {
    const verdict = failed(p, domain);
    expect(verdict).toMatchObject({ type: 'Synchronized', status: 'False', reason });
    expect(verdict.message).toContain(message);
  });

  test('an init container comes first, for the others followed it', () => {
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
  const claim = (accessModes?: string[]) => {
    const made = vmi();
    made.spec.volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'c' } }];
    if (accessModes) {
      made.status!.volumeStatus = [
        { name: 'data', target: '', persistentVolumeClaimInfo: { accessModes } },
      ] as NonNullable<VirtualMachineInstance['status']>['volumeStatus'];
    }
    return made;
  };
  const change = (apply: (v: VirtualMachineInstance) => void) => {
    const made = vmi();
    apply(made);
    return made;
  };
  test.each<[string, VirtualMachineInstance, string | undefined]>([
    ['container disks and masquerade', vmi(), undefined],
    ['a shared claim', claim(['ReadWriteMany']), undefined],
    ['a claim of which nothing is known yet', claim(), undefined],
    ['a claim of one node', claim(['ReadWriteOnce']), 'DisksNotLiveMigratable'],
    [
      'a host disk',
      change((v) => (v.spec.volumes = [{ name: 'h', hostDisk: { path: '/x', type: 'Disk' } }])),
      'DisksNotLiveMigratable',
    ],
    [
      'a bridge on the pod network',
      change((v) => (v.spec.domain.devices.interfaces = [{ name: 'default', bridge: {} }])),
      'InterfaceNotLiveMigratable',
    ],
    [
      'one that is allowed to',
      change((v) => {
        v.spec.domain.devices.interfaces = [{ name: 'default', bridge: {} }];
        v.metadata.annotations = { 'kubevirt.io/allow-pod-bridge-network-live-migration': '' };
      }),
      undefined,
    ],
    [
      'a host device',
      change((v) => (v.spec.domain.devices.gpus = [{ name: 'g', deviceName: 'd' }])),
      'HostDeviceNotLiveMigratable',
    ],
    ['the host’s CPU', change((v) => (v.spec.domain.cpu = { model: 'host-passthrough' })), 'CPUModeNotLiveMigratable'],
  ])('%s', (_, v, reason) => expect(liveMigratable(v).reason).toBe(reason));

  test('storage alone decides of StorageLiveMigratable', () => {
    expect(storageLiveMigratable(claim(['ReadWriteOnce']))).toMatchObject({ status: 'False' });
    expect(storageLiveMigratable(change((v) => (v.spec.domain.cpu = { model: 'host-passthrough' })))).toMatchObject({
      status: 'True',
    });
  });
});

describe('the condition list', () => {
  const old = [
    { type: 'Ready', status: 'False' as const, reason: 'GuestNotRunning', lastTransitionTime: at(-60_000) },
    { type: 'Provisioning', status: 'True' as const, lastTransitionTime: at(-90_000) },
    { type: 'Synchronized', status: 'False' as const, lastTransitionTime: at(-90_000) },
  ];

  test('keeps what others wrote, drops ours without a verdict, stamps what changed', () => {
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

  test('keeps an unchanged one byte for byte, and the time of one whose words changed', () => {
    const same = mergeConditions(old, [{ type: 'Ready', status: 'False', reason: 'GuestNotRunning' }], at(0));
    expect(same[0]).toBe(old[0]);
    const reworded = mergeConditions(old, [{ type: 'Ready', status: 'False', reason: 'Other' }], at(0));
    expect(reworded[0]).toMatchObject({ reason: 'Other', lastTransitionTime: at(-60_000) });
  });
});

describe('the phase', () => {
  const none = { status: 'NoState', reason: 'Unknown' } as const;
  const over = (reason: DomainState['reason'], status: DomainState['status'] = 'Shutoff') =>
    phaseOf(observed({ facts: facts({ domain: { status, reason } }) }));
  test('of a guest that ended', () => {
    expect(over('Shutdown')).toBe('Succeeded');
    expect(over('Destroyed')).toBe('Succeeded');
    expect(over('Crashed')).toBe('Failed');
    expect(over('Failed')).toBe('Failed');
    expect(over('Crashed', 'Crashed')).toBe('Failed');
  });
  test('of a Pod that ended', () => {
    const ended = (phase: string) =>
      phaseOf(observed({ pod: pod({ terminated: {} }, phase), facts: facts({ domain: none }) }));
    expect(ended('Succeeded')).toBe('Succeeded');
    expect(ended('Failed')).toBe('Failed');
  });
  test('of a start: nothing at first, Scheduled when it takes long', () => {
    const start = (ms: number) =>
      phaseOf(
        observed({
          vmi: vmi('Pending'),
          pod: pod({ running: { startedAt: at(-ms) } }),
          facts: facts({ domain: none }),
        }),
      );
    expect(start(1_000)).toBeUndefined();
    expect(start(6_000)).toBe('Scheduled');
  });
});

describe('the status', () => {
  test('shows the Pod’s addresses on the pod network, whatever the guest reports', () => {
    const interfaces = [
      {
        name: 'default',
        mac: '02:00:00:00:00:01',
        interfaceName: 'enp1s0',
        ips: ['127.0.0.1', '169.254.169.254', '10.99.99.99'],
        infoSource: 'domain, guest-agent' as const,
      },
      { mac: '52:54:00:00:00:99', interfaceName: 'docker0', ips: ['172.17.0.1'], infoSource: 'guest-agent' as const },
    ];
    const status = statusOf(observed({ facts: facts({ domain: { ...runningDomain, interfaces } }) }), 'Running');
    expect(status.interfaces).toEqual([
      {
        name: 'default',
        mac: '02:00:00:00:00:01',
        interfaceName: 'enp1s0',
        podInterfaceName: 'eth0',
        ipAddress: '10.1.2.3',
        ipAddresses: ['10.1.2.3', 'fd00::3'],
        infoSource: 'domain, guest-agent',
        queueCount: 1,
        linkState: 'up',
      },
      {
        mac: '52:54:00:00:00:99',
        interfaceName: 'docker0',
        ipAddress: '172.17.0.1',
        ipAddresses: ['172.17.0.1'],
        infoSource: 'guest-agent',
      },
    ]);
  });

  test('keeps fields of other writers', () => {
    const seen = observed();
    seen.vmi!.status = {
      phase: 'Running',
      virtualMachineRevisionName: 'rev',
      runtimeUser: 107,
      selinuxContext: 'none',
    };
    expect(statusOf(seen, 'Running')).toMatchObject({
      virtualMachineRevisionName: 'rev',
      runtimeUser: 107,
      selinuxContext: 'none',
    });
  });

  test('tells volume targets beside what the controller knows of claims', () => {
    const seen = observed();
    seen.vmi!.status!.volumeStatus = [{ name: 'root', target: '', phase: 'Ready' }];
    expect(statusOf(seen, 'Running').volumeStatus).toEqual([{ name: 'root', target: 'vda', phase: 'Ready' }]);
  });

  test('fills in the phases that nobody wrote, once each', () => {
    const status = statusOf(observed({ vmi: vmi('Pending') }), 'Running');
    expect(status.phaseTransitionTimestamps).toEqual([
      { phase: 'Scheduling', phaseTransitionTimestamp: at(-3_000) },
      { phase: 'Scheduled', phaseTransitionTimestamp: at(-1_000) },
      { phase: 'Running', phaseTransitionTimestamp: at(0) },
    ]);
    const again = observed({ vmi: vmi('Running', { status }), now: NOW + 9_000 });
    expect(statusOf(again, 'Running').phaseTransitionTimestamps).toEqual(status.phaseTransitionTimestamps);
  });
});

describe('the patch', () => {
  const seen = observed({ vmi: vmi('Pending') });
  const status = statusOf(seen, 'Running');

  test('names the version it was made from, the node’s label and the fields that change', () => {
    const body = patchFor(seen.vmi!, status) as { metadata: object; status: Record<string, unknown> };
    expect(body.metadata).toEqual({ resourceVersion: '7', labels: { 'kubevirt.io/nodeName': 'node-a' } });
    expect(Object.keys(body.status)).not.toContain('virtualMachineRevisionName');
    expect(body.status.phase).toBe('Running');
  });

  test('is nothing when nothing changes, at any later time', () => {
    const after = vmi('Running', { status });
    after.metadata.labels = { 'kubevirt.io/nodeName': 'node-a' };
    expect(patchFor(after, statusOf(observed({ vmi: after, now: NOW + 3_600_000 }), 'Running'))).toBeUndefined();
  });

  test('removes keys that are gone from an object', () => {
    const before = vmi('Running', { status: { ...status, guestOSInfo: { name: 'A', id: 'a' } } });
    const body = patchFor(before, { ...status, guestOSInfo: { name: 'B' } }) as { status: object };
    expect(body.status).toEqual({ guestOSInfo: { name: 'B', id: null } });
  });

  test('keeps to a bound, whatever a guest reports', () => {
    const huge = { ...allDone, domain: { ...runningDomain, os: { name: 'x'.repeat(256) } } };
    expect(JSON.stringify(patchFor(seen.vmi!, statusOf({ ...seen, facts: huge }, 'Running'))).length).toBeLessThan(
      8_000,
    );
  });
});
