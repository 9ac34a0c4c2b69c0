import type { VirtualMachine, VirtualMachineInstance } from '../../../../../src/api';
import {
  decideRestart,
  decideStart,
  decideStop,
  isReplaced,
} from '../../../../../src/runtime/api-server/subresources/decide';
import type { Decision } from '../../../../../src/runtime/api-server/subresources/decide';

const vm = (spec: object, status?: object): VirtualMachine =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'web', namespace: 'default', uid: 'vm-uid', resourceVersion: '7', generation: 3 },
    spec: { template: { spec: { domain: { devices: {} } } }, ...spec },
    ...(status ? { status } : {}),
  }) as VirtualMachine;

const vmi = (phase?: string, spec: object = {}): VirtualMachineInstance =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'web', namespace: 'default', uid: 'vmi-uid', resourceVersion: '9' },
    spec: { domain: { devices: {} }, ...spec },
    status: { phase },
  }) as VirtualMachineInstance;

const going = (instance: VirtualMachineInstance): VirtualMachineInstance => {
  instance.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  return instance;
};
const other = (instance: VirtualMachineInstance): VirtualMachineInstance => {
  instance.metadata.uid = 'another-uid';
  return instance;
};
const pausedStart = { action: 'Start', data: { paused: 'true', generation: '3' } };
const halted = vm({ runStrategy: 'Halted' });
const manual = vm({ runStrategy: 'Manual' });
const always = vm({ runStrategy: 'Always' });
const rerun = vm({ runStrategy: 'RerunOnFailure' });

const rerunNoted = vm({ runStrategy: 'RerunOnFailure' }, { runStrategy: 'RerunOnFailure' });

/** A decision in one line: what is written, or code and words of the refusal. */
function tell(decision: Decision): string {
  if ('refusal' in decision) return `${decision.refusal.code} ${decision.refusal.message}`;
  return decision.actions
    .map((action) => {
      if (action.do === 'deleteLauncher')
        return `delete launcher of ${action.vmiUid} in ${action.gracePeriodSeconds} s`;
      const { metadata, ...rest } = action.patch as { metadata: { resourceVersion: string } };
      const where = action.do === 'patchVm' ? `vm${action.subresource ? `/${action.subresource}` : ''}` : 'vmi';
      return `${where}@${metadata.resourceVersion} ${JSON.stringify(rest)}`;
    })
    .join(', ');
}

const refused = (why: string): string =>
  `409 Operation cannot be fulfilled on virtualmachine.kubevirt.io "web": ${why}`;
const start = (...requests: object[]): string =>
  `vm/status@7 ${JSON.stringify({ status: { stateChangeRequests: requests } })}`;

test.each([
  ['a halted VM is set to run', halted, undefined, {}, 'vm@7 {"spec":{"runStrategy":"Always"}}'],
  ['so is one with the older field', vm({ running: false }), undefined, {}, 'vm@7 {"spec":{"running":true}}'],
  [
    'a paused start of a halted VM is requested from the controller',
    halted,
    undefined,
    { paused: true },
    start(pausedStart),
  ],
  [
    'a template that starts paused needs no request',
    vm({ runStrategy: 'Halted', template: { spec: { domain: {}, startStrategy: 'Paused' } } }),
    undefined,
    { paused: true },
    'vm@7 {"spec":{"runStrategy":"Always"}}',
  ],
  ['the start of a manual VM is requested from the controller', manual, undefined, {}, start({ action: 'Start' })],
  [
    'an ended VMI of a manual VM is cleared away first',
    manual,
    vmi('Failed'),
    {},
    start({ action: 'Stop', uid: 'vmi-uid' }, { action: 'Start' }),
  ],
  [
    'so is that of a RerunOnFailure VM that succeeded',
    rerun,
    vmi('Succeeded'),
    {},
    start({ action: 'Stop', uid: 'vmi-uid' }, { action: 'Start' }),
  ],
  [
    'a RerunOnFailure VM that failed is restarted automatically',
    rerun,
    vmi('Failed'),
    {},
    refused('RerunOnFailure does not support starting VM from failed state'),
  ],
  [
    'a start forgets failed starts',
    vm({ runStrategy: 'Manual' }, { startFailure: { consecutiveFailCount: 3 } }),
    undefined,
    {},
    'vm/status@7 {"status":{"stateChangeRequests":[{"action":"Start"}],"startFailure":null}}',
  ],
  ['a running VM is refused', manual, vmi('Running'), {}, refused('VM is already running')],
  ['so is one that is being scheduled', halted, vmi('Pending'), {}, refused('VM is already running')],
  ['a VMI in an unknown phase does not count', halted, vmi('Unknown'), {}, 'vm@7 {"spec":{"runStrategy":"Always"}}'],
  ['Always is never started by hand', always, undefined, {}, refused('Always does not support manual start requests')],
  ['nor is Once', vm({ runStrategy: 'Once' }), undefined, {}, refused('Once does not support manual start requests')],
  [
    'a start while another request is pending is refused',
    vm({ runStrategy: 'Manual' }, { stateChangeRequests: [{ action: 'Start' }] }),
    undefined,
    {},
    '500 Internal error occurred: unable to complete request: stop/start already underway',
  ],
  [
    'one that is done is not in the way',
    vm({ runStrategy: 'Manual' }, { stateChangeRequests: [{ action: 'Stop', uid: 'earlier' }] }),
    undefined,
    {},
    start({ action: 'Start' }),
  ],
  [
    'the last of two start requests of a halted VM wins',
    vm({ runStrategy: 'Halted' }, { stateChangeRequests: [pausedStart] }),
    undefined,
    {},
    `vm/status@7 ${JSON.stringify({ status: { stateChangeRequests: null } })}, vm@7 {"spec":{"runStrategy":"Always"}}`,
  ],
  ['a VMI that has just been made runs already', manual, vmi(), {}, refused('VM is already running')],
  ['also one that starts automatically', rerun, vmi(), {}, refused('VM is already running')],
  ['one that is being deleted does not', manual, going(vmi()), {}, start({ action: 'Start' })],
  ['one of a halted VM will go', halted, vmi(), {}, 'vm@7 {"spec":{"runStrategy":"Always"}}'],
  ['and cannot start paused any more', halted, vmi(), { paused: true }, refused('VM is already running')],
  ['nor can one in an unknown phase', manual, vmi('Unknown'), { paused: true }, refused('VM is already running')],
  [
    'unless it is being deleted',
    manual,
    going(vmi('Unknown')),
    { paused: true },
    start({ action: 'Start', data: { paused: 'true' } }),
  ],
  [
    'a VM without a strategy is refused',
    vm({}),
    undefined,
    {},
    '500 Internal error occurred: one of RunStrategy or Running must be specified',
  ],
] as const)('start: %s', (_, machine, instance, options, expected) => {
  expect(tell(decideStart(machine, instance, options))).toBe(expected);
});

test.each([
  ['Always becomes Halted', always, vmi('Running'), {}, 'vm@7 {"spec":{"runStrategy":"Halted"}}'],
  [
    'Once too, also without a VMI',
    vm({ runStrategy: 'Once' }),
    undefined,
    {},
    'vm@7 {"spec":{"runStrategy":"Halted"}}',
  ],
  ['the older field is set', vm({ running: true }), vmi('Running'), {}, 'vm@7 {"spec":{"running":false}}'],
  ['Manual keeps its strategy', manual, vmi('Running'), {}, start({ action: 'Stop', uid: 'vmi-uid' })],
  [
    'a stop overrides a pending start',
    vm({ runStrategy: 'Manual' }, { stateChangeRequests: [{ action: 'Start' }] }),
    vmi('Running'),
    {},
    start({ action: 'Stop', uid: 'vmi-uid' }),
  ],
  [
    'a grace period is set on the VMI first',
    always,
    vmi('Running'),
    { gracePeriod: 0 },
    'vmi@9 {"spec":{"terminationGracePeriodSeconds":0}}, vm@7 {"spec":{"runStrategy":"Halted"}}',
  ],
  [
    'a halted VM that is still stopping takes a shorter grace period',
    halted,
    vmi('Running', { terminationGracePeriodSeconds: 30 }),
    { gracePeriod: 0 },
    `vmi@9 {"spec":{"terminationGracePeriodSeconds":0}}, ${start({ action: 'Stop', uid: 'vmi-uid' })}`,
  ],
  [
    'but no longer one',
    halted,
    vmi('Running', { terminationGracePeriodSeconds: 30 }),
    { gracePeriod: 60 },
    refused('Halted only supports manual stop requests with a shorter graceperiod'),
  ],
  [
    'and not none',
    halted,
    vmi('Running'),
    {},
    refused('Halted only supports manual stop requests with a shorter graceperiod'),
  ],
  [
    'but a grace period of its own length is not shorter',
    halted,
    vmi('Running', { terminationGracePeriodSeconds: 30 }),
    { gracePeriod: 30 },
    refused('Halted only supports manual stop requests with a shorter graceperiod'),
  ],
  [
    'one second less is',
    halted,
    vmi('Running', { terminationGracePeriodSeconds: 30 }),
    { gracePeriod: 29 },
    `vmi@9 {"spec":{"terminationGracePeriodSeconds":29}}, ${start({ action: 'Stop', uid: 'vmi-uid' })}`,
  ],
  [
    'a VMI without a grace period takes any',
    halted,
    vmi('Running'),
    { gracePeriod: 60 },
    `vmi@9 {"spec":{"terminationGracePeriodSeconds":60}}, ${start({ action: 'Stop', uid: 'vmi-uid' })}`,
  ],
  [
    'earlier requests for an Always VM are dropped',
    vm(
      { runStrategy: 'Always' },
      { stateChangeRequests: [{ action: 'Stop', uid: 'vmi-uid' }, { action: 'Start' }], startFailure: {} },
    ),
    vmi('Running'),
    {},
    'vm/status@7 {"status":{"stateChangeRequests":null,"startFailure":null}}, vm@7 {"spec":{"runStrategy":"Halted"}}',
  ],
  [
    'so is a start that still waits',
    vm({ runStrategy: 'Manual' }, { stateChangeRequests: [{ action: 'Start' }] }),
    undefined,
    {},
    'vm/status@7 {"status":{"stateChangeRequests":null}}',
  ],
  [
    'also one that waits for what ended to be cleared away',
    vm({ runStrategy: 'Manual' }, { stateChangeRequests: [{ action: 'Stop', uid: 'vmi-uid' }, { action: 'Start' }] }),
    vmi('Succeeded'),
    {},
    'vm/status@7 {"status":{"stateChangeRequests":null}}',
  ],
  [
    'and a paused start of a halted VM',
    vm({ runStrategy: 'Halted' }, { stateChangeRequests: [pausedStart] }),
    undefined,
    {},
    'vm/status@7 {"status":{"stateChangeRequests":null}}',
  ],
  [
    'which is overruled once the VM has been edited',
    vm(
      { runStrategy: 'Halted' },
      { stateChangeRequests: [{ ...pausedStart, data: { ...pausedStart.data, generation: '2' } }] },
    ),
    undefined,
    {},
    refused('VM is not running'),
  ],
  [
    'also while its last VMI is being deleted',
    vm({ runStrategy: 'Halted' }, { stateChangeRequests: [pausedStart] }),
    going(vmi('Running')),
    {},
    start({ action: 'Stop', uid: 'vmi-uid' }),
  ],
  [
    'the first start of RerunOnFailure counts as done',
    rerun,
    undefined,
    {},
    'vm/status@7 {"status":{"runStrategy":"RerunOnFailure"}}',
  ],
  [
    'which is noted with the stop of its VMI, too',
    rerun,
    vmi('Running'),
    {},
    'vm/status@7 {"status":{"stateChangeRequests":[{"action":"Stop","uid":"vmi-uid"}],"runStrategy":"RerunOnFailure"}}',
  ],
  [
    'RerunOnFailure does not start a failed VMI again that was stopped',
    rerunNoted,
    vmi('Failed'),
    {},
    start({ action: 'Stop', uid: 'vmi-uid' }),
  ],
  ['one that ended well stays off anyway', rerunNoted, vmi('Succeeded'), {}, refused('VM is not running')],
  ['so does one without a VMI', rerunNoted, undefined, {}, refused('VM is not running')],
  ['a halted VM without a VMI is refused', halted, undefined, {}, refused('VM is not running')],
  ['so is a manual one whose guest ended', manual, vmi('Succeeded'), {}, refused('VM is not running')],
  [
    'a negative grace period is refused',
    always,
    vmi('Running'),
    { gracePeriod: -1 },
    '400 gracePeriod has to be greater or equal to 0',
  ],
] as const)('stop: %s', (_, machine, instance, options, expected) => {
  expect(tell(decideStop(machine, instance, options))).toBe(expected);
});

const restart = start({ action: 'Stop', uid: 'vmi-uid' }, { action: 'Start' });
test.each([
  ['Always is stopped and started', always, vmi('Running'), {}, restart],
  ['Manual too', manual, vmi('Running'), {}, restart],
  [
    'a forced restart ends the launcher',
    always,
    vmi('Running'),
    { gracePeriodSeconds: 0 },
    `${restart}, delete launcher of vmi-uid in 1 s`,
  ],
  [
    'Halted is refused',
    halted,
    vmi('Running'),
    {},
    refused('RunStategy Halted does not support manual restart requests'),
  ],
  [
    'Once is refused',
    vm({ runStrategy: 'Once' }),
    vmi('Running'),
    {},
    refused('RunStategy Once does not support manual restart requests'),
  ],
  [
    'WaitAsReceiver is refused: nothing would start it',
    vm({ runStrategy: 'WaitAsReceiver' }),
    vmi('Running'),
    {},
    refused('RunStategy WaitAsReceiver does not support manual restart requests'),
  ],
  [
    'a restart of an earlier VMI is not in the way',
    vm({ runStrategy: 'Always' }, { stateChangeRequests: [{ action: 'Stop', uid: 'earlier' }, { action: 'Start' }] }),
    vmi('Running'),
    {},
    restart,
  ],
  [
    'one of this VMI is',
    vm({ runStrategy: 'Always' }, { stateChangeRequests: [{ action: 'Stop', uid: 'vmi-uid' }, { action: 'Start' }] }),
    vmi('Running'),
    {},
    '500 Internal error occurred: unable to complete request: stop/start already underway',
  ],
  ['a VM without a VMI is refused', always, undefined, {}, refused('VM is not running: Halted')],
  [
    'a grace period is refused',
    always,
    vmi('Running'),
    { gracePeriodSeconds: 5 },
    '400 For force restart, only gracePeriod=0 is supported for now',
  ],
  [
    'a negative one too',
    always,
    vmi('Running'),
    { gracePeriodSeconds: -5 },
    '400 gracePeriod has to be greater or equal to 0',
  ],
] as const)('restart: %s', (_, machine, instance, options, expected) => {
  expect(tell(decideRestart(machine, instance, options))).toBe(expected);
});

test.each<[string, VirtualMachineInstance | undefined, VirtualMachineInstance | undefined, boolean]>([
  ['the same VMI is still there', vmi('Running'), vmi('Running'), false],
  ['none is there any more', vmi('Running'), undefined, false],
  ['another one runs', vmi('Running'), other(vmi('Running')), true],
  ['another one has just been made', vmi('Failed'), other(vmi()), true],
  ['one runs where none was', undefined, vmi('Running'), true],
  ['another one has ended', vmi('Running'), other(vmi('Succeeded')), false],
  ['another one is being deleted', vmi('Running'), other(going(vmi('Running'))), false],
])('a request may miss its VMI: %s', (_, before, now, want) => {
  expect(isReplaced(before, now)).toBe(want);
});
