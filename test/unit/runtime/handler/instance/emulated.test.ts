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
const starting = vmi('Scheduled');
const withCondition = (phase: string) => vmi(phase, { status: { phase, conditions: [known] } });

test.each([
  ['a guest with KVM has no condition', starting, 'granted' as const, undefined],
  ['a guest without KVM reports that emulation was configured', starting, 'absent' as const, 'EmulationConfigured'],
  ['a guest that cannot open its KVM reports why', starting, { problem: '/dev/kvm is a FIFO' }, 'KvmNotUsable'],
  ['before the handler has checked KVM there is no condition', starting, undefined, undefined],
  [
    'before the handler has checked again, the condition is kept',
    withCondition('Scheduled'),
    undefined,
    'EmulationConfigured',
  ],
  [
    'a guest that runs emulated keeps its condition, in any state of its device',
    withCondition('Running'),
    'granted' as const,
    'EmulationConfigured',
  ],
  [
    'a guest that runs with KVM gets no condition, in any state of its device',
    vmi('Running'),
    { problem: 'p' },
    undefined,
  ],
  ['a guest that will start with KVM loses the condition', withCondition('Scheduled'), 'granted' as const, undefined],
])('%s', (_, seen, kvm, reason) => expect(emulated(seen, { kvm })?.reason).toBe(reason));

test('reports cause and remedy', () => {
  expect(emulated(starting, { kvm: { problem: '/dev/kvm is a FIFO' } })?.message).toMatch(
    /^\/dev\/kvm is a FIFO; .*correct the device on the node and restart the VM$/,
  );
  expect(emulated(starting, { kvm: 'absent' })?.message).toMatch(/allows emulation.*set .*useEmulation to false/);
});

test.each(['Scheduled', 'Running'] as const)('the status of a guest that is %s has the condition', (phase) => {
  const { conditions = [] } = statusOf(observed({ vmi: starting, facts: facts({ kvm: 'absent' }) }), phase);
  expect(conditions.find(({ type }) => type === 'SoftwareEmulation')).toMatchObject({ status: 'True' });
});
