import { mayChange, nextProbe, verdictOf } from '../../../../../src/runtime/handler/node/kvm-decide';
import type { KnownProbe, ProbeOutcome } from '../../../../../src/runtime/handler/node/kvm-decide';

const device = '/dev/kvm';
const slow: ProbeOutcome = { kind: 'timedOut', device, afterMs: 3_000 };
const ended = (stderr: string, code: number | null = 1, signal: string | null = null): ProbeOutcome => ({
  kind: 'exited',
  code,
  signal,
  stderr,
});

describe('another probe of the same device may have a different outcome', () => {
  test.each<[string, ProbeOutcome, boolean]>([
    ['one that succeeded', { kind: 'ran' }, false],
    ['a device that does not exist', { kind: 'absent', device }, false],
    ['a device that may not be opened', { kind: 'forbidden', device, message: 'EACCES' }, false],
    ['one that took too long', slow, true],
    ['a QEMU that could not be started', { kind: 'notTried', message: 'ENOMEM' }, true],
    ['a kernel without KVM', ended('qemu: Could not access KVM kernel module: No such device'), false],
    [
      'a kernel that refuses',
      ended('ioctl(KVM_CREATE_VM) failed\nqemu: failed to initialize kvm: Function not implemented'),
      false,
    ],
    ['a QEMU without KVM', ended('qemu: -machine pc,accel=kvm: invalid accelerator kvm'), false],
    ['another hypervisor', ended('qemu: failed to initialize kvm: Device or resource busy'), true],
    ['no memory', ended('qemu: failed to initialize kvm: Cannot allocate memory'), true],
    ['too little of something', ended('qemu: failed to initialize kvm: Resource temporarily unavailable'), true],
    ['an interruption', ended('qemu: failed to initialize kvm: Interrupted system call'), true],
    ['a QEMU that was killed', ended('', null, 'SIGKILL'), true],
    ['a QEMU that was killed after a refusal', ended('failed to initialize kvm: x', null, 'SIGKILL'), true],
    ['an end without a known cause', ended('qemu: internal error'), true],
    ['an end without words', ended(''), true],
  ])('%s', (_, outcome, want) => {
    expect(mayChange(outcome)).toBe(want);
    const verdict = verdictOf(outcome);
    if (!verdict.usable) expect(verdict.cause.endsWith('(virt-handler probes again)')).toBe(want);
  });
});

test.each<[ProbeOutcome, string]>([
  [{ kind: 'absent', device }, '/dev/kvm does not exist: enable virtualization in the firmware'],
  [{ kind: 'forbidden', device, message: 'EACCES' }, '/dev/kvm cannot be opened: EACCES'],
  [slow, '/dev/kvm can be opened, but the timer of a virtual CPU did not wake it within 3 s'],
  [{ kind: 'notTried', message: 'no QEMU' }, 'KVM was not tried: no QEMU'],
  [ended('first\nlast\n'), 'QEMU exited during the KVM probe with code 1: last'],
  [ended('', 2), 'QEMU exited during the KVM probe with code 2'],
  [ended('', null, 'SIGSEGV'), 'QEMU exited during the KVM probe with SIGSEGV'],
])('reports the cause of %j', (outcome, cause) => {
  expect(verdictOf(outcome)).toMatchObject({ usable: false, cause: expect.stringContaining(cause) });
});

test('KVM that runs is usable', () => expect(verdictOf({ kind: 'ran' })).toEqual({ usable: true }));

describe('the next probe', () => {
  const known = (attempts: number, outcome: ProbeOutcome = slow): KnownProbe => ({
    identity: 'a',
    outcome,
    attempts,
    at: 1_000,
  });
  const after = (ms: number): number => 1_000 + ms;
  const hour = 3_600_000;
  test.each<[string, KnownProbe | undefined, number, unknown]>([
    ['is made at once when nothing is known', undefined, 0, { attempt: 1, timeoutMs: 3_000 }],
    ['waits 30 s after the first', known(1), after(29_999), undefined],
    ['takes longer then', known(1), after(30_000), { attempt: 2, timeoutMs: 6_000 }],
    ['waits a minute after the second', known(2), after(59_999), undefined],
    ['is made a minute after the second', known(2), after(60_000), { attempt: 3, timeoutMs: 12_000 }],
    ['takes no more than 24 s', known(7), after(hour), { attempt: 8, timeoutMs: 24_000 }],
    ['waits less than an hour after the seventh', known(7), after(32 * 60_000), { attempt: 8, timeoutMs: 24_000 }],
    ['waits an hour at most', known(50), after(hour - 1), undefined],
    ['is made each hour', known(50), after(hour), { attempt: 51, timeoutMs: 24_000 }],
    ['is never made after one that succeeded', known(1, { kind: 'ran' }), after(100 * hour), undefined],
    ['is never made after a refusal', known(1, { kind: 'absent', device }), after(100 * hour), undefined],
  ])('%s', (_, seen, now, want) => expect(nextProbe(seen, 'a', now)).toEqual(want));

  test.each<[ProbeOutcome]>([[{ kind: 'ran' }], [{ kind: 'absent', device }], [slow]])(
    'of another device is done immediately, after any outcome: %j',
    (outcome) => expect(nextProbe(known(5, outcome), 'b', 1_000)).toEqual({ attempt: 1, timeoutMs: 3_000 }),
  );
});
