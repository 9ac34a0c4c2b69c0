import { patchFor, phaseOf, statusOf } from '../../../../../src/runtime/handler/instance/status';
import type { DomainState } from '../../../../../src/runtime/protocol';
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
