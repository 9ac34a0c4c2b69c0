import type { VirtualMachinePoolStatus } from '../../../../../src/api/generated/pool-v1beta1';
import { pauseEvents, statusOf } from '../../../../../src/runtime/controller/pool/status';
import { NOW } from '../fixtures';
import { halted, leaving, member, pool } from './fixtures';

const vms = [member(0), member(1, leaving), member(2, halted)].map(({ vm }) => vm);
const FAILURE = { reason: 'FailedScaleOut', message: 'Error creating VM web-3: quota' } as const;
const paused = pool({ paused: true });

test('the status counts all VMs and those that are ready, and has the selector as text', () => {
  expect(statusOf(pool(), vms, undefined, NOW)).toEqual({
    replicas: 3,
    readyReplicas: 2,
    labelSelector: 'app=web',
    conditions: [],
  });
});

test('a failure and a pause are conditions, whose time is that of their begin', () => {
  const first = statusOf(paused, vms, FAILURE, NOW)!;
  expect(first.conditions).toEqual([
    expect.objectContaining({
      type: 'ReplicaFailure',
      status: 'True',
      ...FAILURE,
      lastTransitionTime: '2026-01-01T12:00:00Z',
    }),
    expect.objectContaining({ type: 'ReplicaPaused', status: 'True', reason: 'SuccessfulPaused' }),
  ]);
  const later = statusOf({ ...paused, status: first }, vms, { ...FAILURE, message: 'another' }, NOW + 5000)!;
  expect(later.conditions![0]).toMatchObject({ message: 'another', lastTransitionTime: '2026-01-01T12:00:00Z' });
  expect(statusOf({ ...pool(), status: later }, vms, undefined, NOW)!.conditions).toEqual([]);
});

test('an equal status is not written again', () => {
  const status = statusOf(paused, vms, FAILURE, NOW);
  expect(statusOf({ ...paused, status }, vms, FAILURE, NOW + 5000)).toBeUndefined();
});

test('the begin and the end of a pause are events', () => {
  const events = (before: VirtualMachinePoolStatus | undefined, of = pool()): string[] =>
    pauseEvents({ ...of, status: before }, statusOf({ ...of, status: before }, [], undefined, NOW)).map(
      ({ reason }) => reason,
    );
  const status = statusOf(paused, [], undefined, NOW);
  expect(events(undefined, paused)).toEqual(['SuccessfulPaused']);
  expect(events(status, paused)).toEqual([]);
  expect(events(status)).toEqual(['SuccessfulResume']);
  expect(events(undefined)).toEqual([]);
});
