import { isMet } from '../../../src/client/wait';

const object = (status: object) => ({ apiVersion: 'v1', kind: 'K', metadata: {}, status });

test.each([
  ['a condition that is true', { conditions: [{ type: 'Ready', status: 'True' }] }, 'Ready', true],
  ['a condition that is not', { conditions: [{ type: 'Ready', status: 'False' }] }, 'Ready', false],
  ['a condition that is not there', {}, 'Ready', false],
  ['the status of a VM', { printableStatus: 'Stopped' }, 'Stopped', true],
  ['the phase of an instance', { phase: 'Running' }, 'Running', true],
  ['another phase', { phase: 'Failed' }, 'Running', false],
] as const)('%s', (_, status, wanted, met) => expect(isMet(object(status), wanted)).toBe(met));
