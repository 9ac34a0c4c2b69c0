import type { VirtualMachineInstance } from '../../../../../src/api';
import * as rules from '../../../../../src/runtime/api-server/subresources/instance-rules';
import type { InstanceRule } from '../../../../../src/runtime/api-server/subresources/instance-rules';

const paused = { type: 'Paused', status: 'True' };
const agent = { type: 'AgentConnected', status: 'True' };

const vmi = (phase: string | undefined, conditions: object[] = [], spec: object = {}): VirtualMachineInstance =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'web', namespace: 'default' },
    spec: { domain: { devices: {} }, ...spec },
    status: { phase, conditions },
  }) as VirtualMachineInstance;

const running = vmi('Running');
const noAcpi = { domain: { devices: {}, features: { acpi: { enabled: false } } } };

test.each<[string, InstanceRule, VirtualMachineInstance, string]>([
  ['a running guest can be paused', rules.mayPause, running, 'yes'],
  ['one that is paused cannot', rules.mayPause, vmi('Running', [paused]), '409 VMI is already paused'],
  ['one that starts cannot', rules.mayPause, vmi('Scheduling'), '409 VM is not running'],
  [
    'one with a liveness probe cannot',
    rules.mayPause,
    vmi('Running', [], { livenessProbe: { tcpSocket: { port: 80 } } }),
    '403 Pausing VMIs with LivenessProbe is currently not supported',
  ],
  [
    'unless the probe pings the agent',
    rules.mayPause,
    vmi('Running', [], { livenessProbe: { guestAgentPing: {} } }),
    'yes',
  ],
  ['a paused guest can be unpaused', rules.mayUnpause, vmi('Running', [paused]), 'yes'],
  ['one that runs cannot', rules.mayUnpause, running, '409 VMI is not paused'],
  ['one that ended cannot', rules.mayUnpause, vmi('Succeeded'), '409 VMI is not running'],
  ['a guest with an agent can be frozen', rules.mayFreeze, vmi('Running', [agent]), 'yes'],
  ['one without cannot', rules.mayFreeze, running, '409 VMI does not have guest agent connected'],
  ['a paused one cannot be frozen', rules.mayFreeze, vmi('Running', [agent, paused]), '409 VMI is paused'],
  ['one whose agent has left can be unfrozen', rules.mayUnfreeze, running, 'yes'],
  ['a running guest can be rebooted softly', rules.maySoftReboot, running, 'yes'],
  ['a paused one cannot', rules.maySoftReboot, vmi('Running', [paused]), '409 VMI is paused'],
  [
    'one that listens to nothing cannot',
    rules.maySoftReboot,
    vmi('Running', [], noAcpi),
    '409 VMI neither have the agent connected nor the ACPI feature enabled',
  ],
  ['one with an agent can', rules.maySoftReboot, vmi('Running', [agent], noAcpi), 'yes'],
  ['a guest that does not run cannot be reset', rules.mayReset, vmi('Failed'), '409 VMI is not running'],
  ['the agent can be used', rules.hasAgent, vmi('Running', [agent]), 'yes'],
  ['if there is one', rules.hasAgent, running, '409 VMI does not have guest agent connected'],
  [
    'a condition that is false does not count',
    rules.hasAgent,
    vmi('Running', [{ ...agent, status: 'False' }]),
    '409 VMI does not have guest agent connected',
  ],
  ['a console opens on a running guest', rules.mayConsole, running, 'yes'],
  ['and on one whose firmware starts', rules.mayConsole, vmi('Scheduled'), 'yes'],
  [
    'not before',
    rules.mayConsole,
    vmi('Scheduling'),
    '400 Unable to connect to VirtualMachineInstance because phase is Scheduling instead of Running or Scheduled',
  ],
  [
    'nor without a serial port',
    rules.mayConsole,
    vmi('Running', [], { domain: { devices: { autoattachSerialConsole: false } } }),
    '400 No serial consoles are present.',
  ],
  [
    'a screen needs a graphics device',
    rules.mayVnc,
    vmi('Running', [], { domain: { devices: { autoattachGraphicsDevice: false } } }),
    '400 No graphics devices are present.',
  ],
  ['a screen opens on a running guest', rules.mayVnc, running, 'yes'],
  [
    'also if the graphics device is requested',
    rules.mayVnc,
    vmi('Running', [], { domain: { devices: { autoattachGraphicsDevice: true } } }),
    'yes',
  ],
  [
    'a guest without a phase has no console',
    rules.mayConsole,
    vmi(undefined),
    '400 Unable to connect to VirtualMachineInstance because phase is unset instead of Running or Scheduled',
  ],
  ['ports of a running guest are forwarded', rules.mayPortForward, running, 'yes'],
  ['those of a paused one are not', rules.mayPortForward, vmi('Running', [paused]), '409 VMI is paused'],
])('%s', (_, rule, instance, expected) => {
  const refusal = rule(instance);
  const said = refusal?.message.replace(/^.*virtualmachineinstance\.kubevirt\.io "web"(?: is forbidden)?: /, '');
  expect(refusal ? `${refusal.code} ${said}` : 'yes').toBe(expected);
});

test('an error is a Status with object, kind and remedy', () => {
  expect(rules.hasAgent(running)?.toStatus()).toEqual({
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    code: 409,
    reason: 'Conflict',
    message:
      'Operation cannot be fulfilled on virtualmachineinstance.kubevirt.io "web": VMI does not have guest agent connected',
    details: {
      group: 'kubevirt.io',
      kind: 'virtualmachineinstance',
      name: 'web',
      causes: [{ reason: 'Remedy', message: 'install and start qemu-guest-agent in the guest' }],
    },
  });
});

test.each([
  ['Pending', 'wait until it has started'],
  ['Succeeded', 'start the VM'],
  ['Failed', 'start the VM'],
])('the remedy for a console of a guest that is %s is to %s', (phase, remedy) => {
  expect(rules.mayConsole(vmi(phase))?.remedy).toBe(remedy);
});
