import type { VirtualMachine } from '../../../../../src/api';
import { isCalledOff } from '../../../../../src/runtime/controller/virtual-machine/run-strategy';
import { vm } from '../fixtures';

const start = { action: 'Start' as const };
const asks = (of: VirtualMachine, ...stateChangeRequests: object[]): VirtualMachine =>
  ({ ...of, status: { runStrategy: of.spec.runStrategy, stateChangeRequests } }) as VirtualMachine;
const manual = vm('Manual');
const other = (of: VirtualMachine): VirtualMachine => ({ ...of, metadata: { ...of.metadata, uid: 'another' } });

test.each<[string, VirtualMachine, VirtualMachine, boolean]>([
  ['nothing came in between', asks(manual, start), asks(manual, start), false],
  ['a stop came', asks(manual, start), asks(manual, { action: 'Stop', uid: 'earlier' }), true],
  ['what was asked was called off', asks(manual, start), asks(manual), true],
  ['a paused start came', asks(manual, start), asks(manual, { ...start, data: { paused: 'true' } }), true],
  ['the VM became Halted', asks(manual, start), vm('Halted'), true],
  ['the VM became Always', asks(manual, start), vm('Always'), false],
  ['a first run of RerunOnFailure was stopped', vm('RerunOnFailure'), asks(vm('RerunOnFailure')), true],
  ['Always is seen by its spec', vm('Always'), vm('Halted'), false],
  ['the VM was made anew', asks(manual, start), other(asks(manual)), false],
])('a new VMI is taken back: %s', (_, before, now, want) => {
  expect(isCalledOff(before, now)).toBe(want);
});
