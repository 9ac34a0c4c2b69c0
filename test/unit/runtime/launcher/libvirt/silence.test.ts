import { assessSilence, stuckOf } from '../../../../../src/runtime/launcher/libvirt/silence';

test.each([
  ['one that just answered is waited for', 0, 0, 3_600_000, false, 'wait'],
  ['a busy one is waited for', 19_999, 2, 3_600_000, false, 'wait'],
  ['one that is silent for 20 s is restarted', 20_000, 2, 3_600_000, false, 'restart'],
  ['not after one ping: the launcher itself may have been frozen', 60_000, 1, 3_600_000, false, 'report'],
  ['not while it starts the guest: QEMU is still its own', 20_000, 2, 3_600_000, true, 'report'],
  ['not when it was started a moment ago', 20_000, 2, 59_999, false, 'report'],
  ['but when it does not come up within a minute', 60_000, 2, 60_000, false, 'restart'],
  ['a start of the guest comes before that, too', 60_000, 2, 60_000, true, 'report'],
] as const)('of libvirtds, %s', (_, silentMs, unanswered, sinceStartMs, isStarting, want) => {
  expect(assessSilence({ silentMs, unanswered, stuckMs: 0, isStuckAgain: false, sinceStartMs, isStarting })).toBe(want);
});

test.each([
  ['that does not answer a call for 59.999 s is waited for', 59_999, 0, false, 3_600_000, false, 'wait'],
  ['that does not answer a call for 60 s is reported', 60_000, 0, false, 3_600_000, false, 'report'],
  ['that does not answer it by the next check either is restarted', 60_000, 0, true, 3_600_000, false, 'restart'],
  ['whose last ping was not answered either is looked at again', 60_000, 1, false, 3_600_000, false, 'report'],
  ['that starts the guest is only reported', 60_000, 0, true, 3_600_000, true, 'report'],
  ['that was started a moment ago is only reported', 60_000, 0, true, 59_999, false, 'report'],
] as const)(
  'a libvirtd that answers pings, but %s',
  (_, stuckMs, unanswered, isStuckAgain, sinceStartMs, isStarting, want) => {
    expect(assessSilence({ silentMs: 0, unanswered, stuckMs, isStuckAgain, sinceStartMs, isStarting })).toBe(want);
  },
);

describe('of the calls that libvirtd has not answered,', () => {
  const pause = { name: 'domainSuspend', sentAt: 0 } as const;
  const state = { name: 'domainGetState', sentAt: 1 } as const;
  const kill = { name: 'domainDestroyFlags', sentAt: 2 } as const;

  test.each([
    ['none is stuck before a minute', [state], 60_000, false, undefined],
    ['the oldest is stuck after a minute', [kill, state], 60_001, false, state],
    ['one that waits for QEMU is not stuck', [pause], 3_600_000, false, undefined],
    ['nor does it hide one that is', [pause, kill], 60_002, false, kill],
    ['one that waits for QEMU is stuck when the guest is to be stopped', [pause, kill], 60_000, true, pause],
  ])('%s', (_, calls, now, isStopping, want) => {
    expect(stuckOf(calls, now, isStopping)).toBe(want);
  });
});
