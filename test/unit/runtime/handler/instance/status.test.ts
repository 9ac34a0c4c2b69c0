import { patchFor, phaseOf, statusOf } from '../../../../../src/runtime/handler/instance/status';
import type { DomainState } from '../../../../../src/runtime/protocol';
import type { Observed } from '../../../../../src/runtime/handler/instance/observed';
import { allDone, at, facts, NOW, observed, pod, runningDomain, vmi } from '../fixtures';

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
    expect(start(4_999)).toBeUndefined();
    expect(start(5_000)).toBe('Scheduled');
  });

  const failure = { step: 'sync', reason: 'Why', message: 'cause', retryAt: NOW, since: NOW, attempts: 1 } as const;
  const ran = (agoMs: number) =>
    vmi('Running', {
      status: {
        phase: 'Running',
        phaseTransitionTimestamps: [
          { phase: 'Scheduled', phaseTransitionTimestamp: at(-90_000) },
          { phase: 'Running', phaseTransitionTimestamp: at(-agoMs) },
        ],
      },
    });
  const restarted = pod({ running: { startedAt: at(-1_000) } });
  test.each<[string, Partial<Observed>, string | undefined]>([
    ['a failed VMI stays Failed, even if a guest runs', { vmi: vmi('Failed') }, 'Failed'],
    ['a VMI that succeeded stays so', { vmi: vmi('Succeeded'), facts: facts({ domain: none }) }, 'Succeeded'],
    [
      'a guest that left for another node has not failed',
      { facts: facts({ domain: { status: 'Shutoff', reason: 'Migrated' } }) },
      'Succeeded',
    ],
    ['a slow start is reported once', { vmi: vmi('Scheduled'), facts: facts({ domain: none }) }, 'Scheduled'],
    [
      'a failed start is reported immediately',
      { vmi: vmi('Pending'), facts: facts({ domain: none, failure }) },
      'Scheduled',
    ],
    [
      'a start whose container waits is not reported',
      { vmi: vmi('Scheduled'), pod: pod({ waiting: {} }), facts: facts({ domain: none }) },
      undefined,
    ],
    [
      'a terminated container ends the VMI before its Pod reports it',
      { pod: pod({ terminated: { exitCode: 0 } }, 'Running'), facts: facts({ domain: none }) },
      'Failed',
    ],
    [
      'a Pod that succeeded ends the VMI also without the state of its container',
      { pod: pod({}, 'Succeeded'), facts: facts({ domain: none }) },
      'Succeeded',
    ],
    ['a guest that is missing is awaited', { facts: facts({ domain: none, missingSince: NOW - 29_999 }) }, 'Running'],
    ['a guest that stays away is lost', { facts: facts({ domain: none, missingSince: NOW - 30_000 }) }, 'Failed'],
    [
      'a guest is lost whose container was started after it ran',
      { vmi: ran(1_001), pod: restarted, facts: facts({ domain: none }) },
      'Failed',
    ],
    [
      'a container of the same second is the one that it ran in',
      { vmi: ran(1_000), pod: restarted, facts: facts({ domain: none }) },
      'Running',
    ],
    ['a guest is not lost in a new container that has it', { vmi: ran(1_001), pod: restarted }, 'Running'],
    [
      'a guest is not lost before its new launcher has reported',
      { vmi: ran(1_001), pod: restarted, facts: facts({ domain: undefined }) },
      'Running',
    ],
    [
      'when it ran is not known of every guest',
      { vmi: vmi('Running'), pod: restarted, facts: facts({ domain: none }) },
      'Running',
    ],
  ])('%s', (_, more, want) => expect(phaseOf(observed(more))).toBe(want));
});

describe('the status', () => {
  test('shows the Pod’s addresses on the pod network, even if the guest reports others', () => {
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

  test('finds the NICs of the spec among those of the guest by name or address, and shows the others as the guest’s own', () => {
    const seen = observed({
      facts: facts({
        network: [],
        domain: {
          ...runningDomain,
          interfaces: [
            { name: 'lan', mac: '02:00:00:00:00:02', infoSource: 'domain', queueCount: 4, linkState: 'down' },
            { mac: '02:00:00:00:00:03', interfaceName: 'eth2', ips: ['192.0.2.3'], infoSource: 'guest-agent' },
            { mac: '02:00:00:00:00:09', interfaceName: 'br0', infoSource: 'guest-agent' },
          ],
        },
      }),
    });
    seen.vmi!.spec.domain.devices.interfaces = [
      { name: 'lan', bridge: {} },
      { name: 'dmz', bridge: {}, macAddress: '02:00:00:00:00:03' },
      { name: 'off', bridge: {}, state: 'down' },
    ];
    expect(statusOf(seen, 'Running').interfaces).toEqual([
      { name: 'lan', mac: '02:00:00:00:00:02', infoSource: 'domain', queueCount: 4, linkState: 'down' },
      {
        name: 'dmz',
        mac: '02:00:00:00:00:03',
        interfaceName: 'eth2',
        ipAddress: '192.0.2.3',
        ipAddresses: ['192.0.2.3'],
        infoSource: 'domain, guest-agent',
        queueCount: 1,
        linkState: 'up',
      },
      { name: 'off', infoSource: 'domain', queueCount: 1, linkState: 'down' },
      { mac: '02:00:00:00:00:09', interfaceName: 'br0', infoSource: 'guest-agent' },
    ]);
  });

  test('describes a guest only after it runs', () => {
    expect(Object.keys(statusOf(observed({ vmi: vmi('Pending') }), 'Scheduled')).sort()).toEqual([
      'activePods',
      'conditions',
      'launcherContainerImageVersion',
      'nodeName',
      'phase',
      'phaseTransitionTimestamps',
      'qosClass',
    ]);
  });

  test('describes machine, memory and CPUs of the guest', () => {
    expect(statusOf(observed({ vmi: vmi('Pending') }), 'Running')).toMatchObject({
      nodeName: 'node-a',
      activePods: { 'pod-uid': 'node-a' },
      qosClass: 'Burstable',
      launcherContainerImageVersion: 'launcher:1',
      guestOSInfo: {},
      machine: { type: 'pc-q35-10.0' },
      currentCPUTopology: { sockets: 1, cores: 2, threads: 1 },
      memory: { guestAtBoot: '512Mi', guestCurrent: '512Mi', guestRequested: '512Mi' },
    });
  });

  test('keeps known fields after its Pod was deleted and the launcher stopped reporting them', () => {
    const known = statusOf(observed({ vmi: vmi('Pending') }), 'Running');
    const domain = { status: 'Running', reason: 'Unknown' } as const;
    const gone = observed({ vmi: vmi('Running', { status: known }), pod: undefined, facts: facts({ domain }) });
    const { interfaces: _i, ...rest } = known;
    expect(statusOf(gone, 'Running')).toMatchObject(rest);
  });

  test('shows the end of a guest whose network a restarted handler has not looked at', () => {
    const ended = facts({ network: undefined, domain: { status: 'Shutoff', reason: 'Crashed' } });
    expect(statusOf(observed({ facts: ended }), 'Failed').phase).toBe('Failed');
  });

  test('keeps the Pods of the guest’s other nodes', () => {
    const moved = vmi('Running', { status: { phase: 'Running', activePods: { before: 'node-b' } } });
    expect(statusOf(observed({ vmi: moved }), 'Running').activePods).toEqual({ before: 'node-b', 'pod-uid': 'node-a' });
  });

  test.each([
    [{ connected: true }, { name: 'Fedora' }, { name: 'Fedora' }],
    [{ connected: true }, undefined, {}],
    [{ connected: false }, { name: 'Fedora' }, { name: 'before' }],
  ])('an agent that is %j and reports %j makes %j of the guest’s system', (agent, os, want) => {
    const seen = observed({
      vmi: vmi('Running', { status: { phase: 'Running', guestOSInfo: { name: 'before' } } }),
      facts: facts({ domain: { ...runningDomain, agent, os } }),
    });
    expect(statusOf(seen, 'Running').guestOSInfo).toEqual(want);
  });

  test.each([
    ['512Mi', 512 << 20, '512Mi'],
    [undefined, 513 << 20, '513Mi'],
    [undefined, (512 << 20) + 1, '536870913'],
  ])('a guest that asked for %s and has %d bytes shows %s', (guest, bytes, want) => {
    const seen = observed({
      facts: facts({ domain: { ...runningDomain, memory: { guestAtBoot: bytes, guestCurrent: bytes } } }),
    });
    seen.vmi!.spec.domain.memory = { guest };
    expect(statusOf(seen, 'Running').memory).toEqual({ guestAtBoot: want, guestCurrent: want, guestRequested: want });
  });

  test.each([
    [['ReadWriteMany'], undefined, 'LiveMigration'],
    [['ReadWriteOnce'], undefined, 'BlockMigration'],
    [['ReadWriteOnce'], 'LiveMigration', 'LiveMigration'],
  ])('a claim with %j and a method of %s would move by %s', (accessModes, before, want) => {
    const seen = observed({
      vmi: vmi('Running', {
        status: {
          phase: 'Running',
          migrationMethod: before,
          volumeStatus: [{ name: 'root', target: '', persistentVolumeClaimInfo: { accessModes } }],
        },
      }),
    });
    seen.vmi!.spec.volumes = [{ name: 'root', persistentVolumeClaim: { claimName: 'root' } }];
    expect(statusOf(seen, 'Running').migrationMethod).toBe(want);
  });

  test('remembers fields that were not applied until the launcher reports again, and no other problem', () => {
    const trouble = (reason: string, syncedSpec?: string) => {
      const conditions = [{ type: 'Synchronized', status: 'False', reason, message: 'what' }];
      const before = vmi('Running', { status: { phase: 'Running', conditions } });
      const { conditions: after } = statusOf(observed({ vmi: before, facts: facts({ syncedSpec }) }), 'Running');
      return after?.find(({ type }) => type === 'Synchronized')?.message;
    };
    expect(trouble('SpecNotApplied')).toBe('what');
    expect(trouble('SpecNotApplied', 'h1')).toBeUndefined();
    expect(trouble('SyncFailed')).toBeUndefined();
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

  test('merges volume targets with the controller’s status of claims', () => {
    const seen = observed();
    seen.vmi!.status!.volumeStatus = [{ name: 'root', target: '', phase: 'Ready' }];
    expect(statusOf(seen, 'Running').volumeStatus).toEqual([{ name: 'root', target: 'vda', phase: 'Ready' }]);
  });

  test('keeps the target of a volume that the launcher does not name, and has an empty one before any is known', () => {
    const seen = observed({
      facts: facts({ domain: { ...runningDomain, volumes: [{ name: 'new', target: 'sda', size: 4 }] } }),
    });
    seen.vmi!.spec.volumes = [{ name: 'root' }, { name: 'new' }];
    seen.vmi!.status!.volumeStatus = [
      { name: 'root', target: 'vda', size: 7 },
      { name: 'leaving', target: '' },
    ];
    expect(statusOf(seen, 'Running').volumeStatus).toEqual([
      { name: 'root', target: 'vda', size: 7 },
      { name: 'new', target: 'sda', size: 4 },
      { name: 'leaving', target: '' },
    ]);
  });

  test('keeps the volumes while the launcher reports none', () => {
    const seen = observed({ facts: facts({ domain: { ...runningDomain, volumes: undefined } }) });
    seen.vmi!.status!.volumeStatus = [{ name: 'root', target: 'vda' }];
    expect(statusOf(seen, 'Running').volumeStatus).toEqual([{ name: 'root', target: 'vda' }]);
  });

  test('adds each missing phase once', () => {
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

  test('contains the version that it is based on, the node’s label and the changed fields', () => {
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

  test('contains only the label if the status is current', () => {
    const unlabelled = vmi('Running', { status });
    expect(patchFor(unlabelled, status)).toEqual({
      metadata: { resourceVersion: '7', labels: { 'kubevirt.io/nodeName': 'node-a' } },
    });
  });

  test('leaves a label that is right alone', () => {
    const labelled = vmi('Running', { status });
    labelled.metadata.labels = { 'kubevirt.io/nodeName': 'node-a' };
    expect(patchFor(labelled, { ...status, phase: 'Failed' })).toEqual({
      metadata: { resourceVersion: '7' },
      status: { phase: 'Failed' },
    });
  });

  test('removes missing fields, and replaces lists as a whole', () => {
    const before = vmi('Running', { status: { ...status, reason: 'Old', activePods: { a: 'b' } } });
    const body = patchFor(before, { ...status, activePods: undefined, conditions: [] }) as { status: object };
    expect(body.status).toEqual({ reason: null, activePods: null, conditions: [] });
  });

  test('removes missing keys from an object', () => {
    const before = vmi('Running', { status: { ...status, guestOSInfo: { name: 'A', id: 'a' } } });
    const body = patchFor(before, { ...status, guestOSInfo: { name: 'B' } }) as { status: object };
    expect(body.status).toEqual({ guestOSInfo: { name: 'B', id: null } });
  });

  test('stays within its bounds for any report of a guest', () => {
    const huge = { ...allDone, domain: { ...runningDomain, os: { name: 'x'.repeat(256) } } };
    expect(JSON.stringify(patchFor(seen.vmi!, statusOf({ ...seen, facts: huge }, 'Running'))).length).toBeLessThan(
      8_000,
    );
  });
});
