import { emulated } from '../../../../../src/runtime/handler/instance/emulated';
import { statusOf } from '../../../../../src/runtime/handler/instance/status';
import { facts, observed, vmi } from '../fixtures';

const known = {
  type: 'SoftwareEmulation',
  status: 'True',
  reason: 'EmulationConfigured',
  message: 'm',
  lastProbeTime: null,
};
const emulatedBefore = vmi('Running', { status: { phase: 'Running', conditions: [known] } });

test.each([
  ['a guest with KVM says nothing', vmi(), 'granted' as const, undefined],
  ['a guest without KVM says that this was configured', vmi(), 'absent' as const, 'EmulationConfigured'],
  ['a guest that cannot open its KVM says why', vmi(), { problem: '/dev/kvm is a FIFO' }, 'KvmNotUsable'],
  ['before the handler looked nothing is said', vmi(), undefined, undefined],
  ['before the handler looked again, what was said stays', emulatedBefore, undefined, 'EmulationConfigured'],
  ['a guest that has KVM since says nothing any more', emulatedBefore, 'granted' as const, undefined],
])('%s', (_, seen, kvm, reason) => expect(emulated(seen, { kvm })?.reason).toBe(reason));

test('cause and remedy are told', () => {
  expect(emulated(vmi(), { kvm: { problem: '/dev/kvm is a FIFO' } })?.message).toMatch(
    /^\/dev\/kvm is a FIFO; .*correct the device on the node and restart the VM$/,
  );
  expect(emulated(vmi(), { kvm: 'absent' })?.message).toMatch(/allows emulation.*set .*useEmulation to false/);
});

test.each(['Scheduled', 'Running'] as const)('the status of a guest that is %s has the condition', (phase) => {
  const { conditions = [] } = statusOf(observed({ facts: facts({ kvm: 'absent' }) }), phase);
  expect(conditions.find(({ type }) => type === 'SoftwareEmulation')).toMatchObject({ status: 'True' });
});
