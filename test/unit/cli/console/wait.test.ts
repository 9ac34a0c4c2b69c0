import type { VirtualMachine } from '../../../../src/api';
import { willRun } from '../../../../src/cli/console/wait';

const vm = (spec: object, status?: object): VirtualMachine => ({ spec, status }) as VirtualMachine;

test.each([
  ['a halted VM', vm({ runStrategy: 'Halted' }), undefined, false],
  ['an Always VM whose guest crashed', vm({ runStrategy: 'Always' }), 'Failed', true],
  ['the older field', vm({ running: true }), undefined, true],
  ['a manual VM whose guest ended', vm({ runStrategy: 'Manual' }), 'Succeeded', false],
  ['a manual VM that is stopped', vm({ runStrategy: 'Manual' }, { printableStatus: 'Stopped' }), undefined, false],
  [
    'a manual VM that was asked to start',
    vm({ runStrategy: 'Manual' }, { printableStatus: 'Stopped', stateChangeRequests: [{ action: 'Start' }] }),
    undefined,
    true,
  ],
  ['a manual VM that is starting', vm({ runStrategy: 'Manual' }, { printableStatus: 'Starting' }), undefined, true],
  ['RerunOnFailure after a failure', vm({ runStrategy: 'RerunOnFailure' }), 'Failed', true],
  ['RerunOnFailure after success', vm({ runStrategy: 'RerunOnFailure' }), 'Succeeded', false],
])('%s: whether a guest may start', (_, machine, ended, expected) => {
  expect(willRun(machine, ended)).toBe(expected);
});
