import type { VirtualMachine, VirtualMachineInstance } from '../../../../../src/api';
import { instanceOf } from '../../../../../src/runtime/controller/virtual-machine/instance-of';
import { desiredTransition } from '../../../../../src/runtime/controller/virtual-machine/run-strategy';
import { config, vm } from '../fixtures';

const start = { action: 'Start' as const };
const startPaused = { ...start, data: { paused: 'true' } };
const asks = (of: VirtualMachine, ...stateChangeRequests: object[]): VirtualMachine =>
  ({ ...of, status: { runStrategy: of.spec.runStrategy, stateChangeRequests } }) as VirtualMachine;
const knows = (of: VirtualMachine): VirtualMachine => ({ ...of, status: { ...of.status, created: true } });
const manual = vm('Manual');
const rerun = vm('RerunOnFailure');
const vmiOf = (of: VirtualMachine, paused = false) => {
  const made = instanceOf(of, paused, { claims: new Map(), config });
  made.metadata.uid = 'vmi-uid';
  return made;
};
const made = vmiOf(manual);
const stop = { action: 'Stop', uid: 'vmi-uid' };
const calledOff = (...requests: object[]) => ({
  kind: 'stop',
  why: 'a stop was requested while it was being created',
  requests: [stop, ...requests],
});
const stays = { kind: 'none' };

test.each<[string, VirtualMachine, object]>([
  ['is kept when nothing has changed', asks(manual, start), stays],
  ['is deleted when a stop of an earlier VMI came', asks(manual, { ...stop, uid: 'earlier' }), calledOff()],
  ['is deleted when the request was cancelled', asks(manual), calledOff()],
  ['is replaced when a paused start was requested instead', asks(manual, startPaused), calledOff(startPaused)],
  [
    'is stopped like any other when the stop refers to it',
    asks(manual, stop),
    { kind: 'stop', why: 'a stop was requested' },
  ],
  ['is deleted when the VM became Halted', vm('Halted'), calledOff()],
  ['is deleted when the VM became WaitAsReceiver', asks(vm('WaitAsReceiver'), start), calledOff()],
  ['is kept when the VM became Always', asks(vm('Always'), start), stays],
  ['is kept as the first run of RerunOnFailure', rerun, stays],
  ['is deleted when the first run of RerunOnFailure was stopped', asks(rerun), calledOff()],
  ['is kept once the status of the VM knows it', knows(asks(manual)), stays],
])('a new VMI %s', (_, now, want) => {
  expect(desiredTransition(now, made)).toEqual(want);
});

const always = vmiOf(vm('Always'));
const firstRun = vmiOf(rerun);
const withStop = (of: VirtualMachine): VirtualMachine => ({ ...of, status: { runStrategy: 'RerunOnFailure' } });

/** The controller died before the VM's status could know the VMI, and the user changed the strategy meanwhile. */
test.each<[string, VirtualMachineInstance, VirtualMachine, object]>([
  ['of Always is kept when the VM became Manual', always, manual, stays],
  ['of Always is kept when the VM became RerunOnFailure', always, rerun, stays],
  ['of Always is deleted when the VM became RerunOnFailure and was stopped', always, withStop(rerun), calledOff()],
  ['of Always is kept when the VM became WaitAsReceiver', always, vm('WaitAsReceiver'), stays],
  ['of Once is kept when the VM became Manual', vmiOf(vm('Once')), manual, stays],
  ['of Always is deleted when the VM became Halted', always, vm('Halted'), calledOff()],
  ['of Always is replaced when a paused start is requested', always, asks(manual, startPaused), calledOff(startPaused)],
  ['that is the first run of RerunOnFailure is kept when the VM became Manual', firstRun, manual, stays],
  ['that is the first run is deleted when it was stopped earlier', firstRun, withStop(manual), calledOff()],
])('a new VMI %s', (_, instance, now, want) => {
  expect(desiredTransition(now, instance)).toEqual(want);
});

test('a new VMI that was started paused is kept while that is requested', () => {
  expect(desiredTransition(asks(manual, startPaused), vmiOf(manual, true))).toEqual(stays);
  expect(desiredTransition(asks(manual, start), vmiOf(manual, true))).toEqual(calledOff(start));
});

test('a new VMI with an unknown strategy is deleted', () => {
  const edited = structuredClone(made);
  edited.metadata.annotations!['virt8s.io/started-under'] = 'Never';
  expect(desiredTransition(asks(manual), edited)).toEqual(calledOff());
});

test('a VMI that does not record how it was started is left unchanged', () => {
  const older = structuredClone(made);
  delete older.metadata.annotations?.['virt8s.io/started-paused'];
  expect(desiredTransition(asks(manual), older)).toEqual(stays);
});
