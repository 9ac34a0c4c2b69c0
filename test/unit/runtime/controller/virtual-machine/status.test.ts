import { mergePatch } from '../../../../../src/local/api-server/patch';
import type { Problem } from '../../../../../src/runtime/controller/virtual-machine/problem';
import type { VirtualMachine, VirtualMachineInstance } from '../../../../../src/api';
import type { RunStrategy } from '../../../../../src/api/run-state';
import { statusOf, statusPatch } from '../../../../../src/runtime/controller/virtual-machine/status';
import {
  backoffLeftMs,
  backoffSeconds,
  nextStartFailure,
} from '../../../../../src/runtime/controller/virtual-machine/start-failure';
import fc from '../../../../support/fast-check';
import { ago, condition, config, deleting, NOW, running, vm, vmi } from '../fixtures';

const idle = { missing: [], isProvisioning: false };
const of = (virtualMachine: VirtualMachine, instance?: VirtualMachineInstance, problem?: Problem) =>
  statusOf(
    {
      vm: virtualMachine,
      vmi: instance,
      dataVolumes: new Map(),
      collected: new Set(),
      claims: new Map(),
      config,
      now: NOW,
    },
    { dataVolumes: idle, problem },
  );
const failing = (type: string, reason: string): VirtualMachineInstance =>
  vmi({ phase: 'Scheduling', conditions: [condition(type, 'False', reason)] });
const waitsUnder = (strategy: RunStrategy, seconds = 5): VirtualMachine =>
  vm(strategy, (v) => {
    const lastFailedVMIUID = 'vmi-uid';
    v.status = { startFailure: { consecutiveFailCount: 1, lastFailedVMIUID, retryAfterTimestamp: ago(-seconds) } };
  });
const waiting = waitsUnder('Always');

test.each<[string, VirtualMachine, VirtualMachineInstance | undefined]>([
  ['Stopped', vm('Halted'), undefined],
  ['Stopped', vm('Once'), vmi({ phase: 'Succeeded' })],
  ['Starting', vm(), vmi()],
  ['Starting', vm(), vmi({ phase: 'Scheduled' })],
  ['Running', vm(), running()],
  ['Paused', vm(), running((v) => v.status?.conditions?.push(condition('Paused', 'True')))],
  ['Migrating', vm(), running((v) => (v.status!.migrationState = { startTimestamp: ago(3) }))],
  ['Running', vm(), running((v) => (v.status!.migrationState = { startTimestamp: ago(3), endTimestamp: ago(1) }))],
  ['Stopping', vm(), running(deleting(9))],
  ['Terminating', vm('Always', deleting(9)), running(deleting(9))],
  ['ErrorPvcNotFound', vm(), failing('Synchronized', 'FailedPvcNotFound')],
  ['ErrorUnschedulable', vm(), failing('PodScheduled', 'Unschedulable')],
  ['ErrImagePull', vm(), failing('Synchronized', 'ErrImagePull')],
  ['ImagePullBackOff', vm(), failing('Synchronized', 'ImagePullBackOff')],
  ['CrashLoopBackOff', waiting, undefined],
  ['Starting', waiting, vmi()],
  ['CrashLoopBackOff', waitsUnder('Once'), undefined],
  ['Stopped', waitsUnder('Halted'), undefined],
  ['Stopped', waitsUnder('Manual'), undefined],
  ['CrashLoopBackOff', waitsUnder('Always'), vmi({ phase: 'Failed' })],
  ['CrashLoopBackOff', waitsUnder('RerunOnFailure'), vmi({ phase: 'Failed' })],
  ['Stopped', waitsUnder('Manual'), vmi({ phase: 'Failed' })],
  ['Stopped', waitsUnder('Once'), vmi({ phase: 'Failed' })],
  ['Stopped', waitsUnder('Always', 0), undefined],
  ['WaitingForReceiver', vm('WaitAsReceiver'), undefined],
  ['Unknown', vm(), vmi({ phase: 'Unknown' })],
])('kubectl shows %s', (want, virtualMachine, instance) =>
  expect(of(virtualMachine, instance).printableStatus).toBe(want),
);

test('conditions of the VMI are copied to the VM and removed with it', () => {
  const first = of(
    vm(),
    running((v) => v.status?.conditions?.push(condition('AgentConnected', 'True'))),
  );
  expect(first.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
    'Ready=True',
    'AgentConnected=True',
  ]);
  const next = of({ ...vm(), status: first });
  expect(next.conditions).toEqual([
    {
      type: 'Ready',
      status: 'False',
      reason: 'VMINotExists',
      message: 'VMI does not exist',
      lastProbeTime: null,
      lastTransitionTime: ago(0),
    },
  ]);
});

test('a problem is a Failure until it is resolved', () => {
  const first = of(vm(), undefined, { reason: 'FailedCreate', message: 'no' });
  expect(first.conditions).toContainEqual(
    expect.objectContaining({ type: 'Failure', status: 'True', reason: 'FailedCreate', message: 'no' }),
  );
  expect(of({ ...vm(), status: first }, vmi()).conditions?.map(({ type }) => type)).toEqual(['Ready']);
});

test('the cause of a failed start outlives its VMI and is removed when the guest runs', () => {
  const failed = vmi({ phase: 'Failed', conditions: [condition('Synchronized', 'False', 'PodFailed', 'no disk')] });
  const first = of(vm(), failed);
  const later = of({ ...vm(), status: first });
  expect(later.conditions).toContainEqual(
    expect.objectContaining({ type: 'Failure', reason: 'StartFailed', message: 'start failed once: no disk' }),
  );
  expect(later.startFailure).toEqual({
    consecutiveFailCount: 1,
    lastFailedVMIUID: 'vmi-uid',
    retryAfterTimestamp: ago(-10),
  });
  const after = of({ ...vm(), status: later }, running());
  expect(after.startFailure).toBeUndefined();
  expect(after.conditions?.some(({ type }) => type === 'Failure')).toBe(false);
});

test.each<[string, (v: VirtualMachine) => void, boolean]>([
  ['more memory', (v) => (v.spec.template.spec!.domain.memory = { guest: '2Gi' }), true],
  ['another disk', (v) => v.spec.template.spec?.volumes?.push({ name: 'x', emptyDisk: { capacity: '1Gi' } }), true],
  ['another node', (v) => (v.spec.template.spec!.nodeSelector = { rack: '7' }), false],
  ['a toleration', (v) => (v.spec.template.spec!.tolerations = [{ key: 'x' }]), false],
  ['a label of the template', (v) => (v.spec.template.metadata = { labels: { app: 'other' } }), false],
  ['the run strategy', (v) => (v.spec.runStrategy = 'Manual'), false],
  [
    'the order of fields',
    (v) =>
      (v.spec.template = JSON.parse(
        JSON.stringify(v.spec.template, Object.keys(flat(v.spec.template)).sort()),
      ) as never),
    false,
  ],
])('a running guest needs a restart for it: %s', (_, change, want) => {
  const has = of(vm('Always', change), running()).conditions?.some(({ type }) => type === 'RestartRequired');
  expect(has).toBe(want);
});
test.each<[string, VirtualMachineInstance]>([
  ['ended well', vmi({ phase: 'Succeeded' })],
  ['failed', vmi({ phase: 'Failed' })],
  ['is being stopped', running(deleting(1))],
])('no restart is required for a guest that %s', (_, instance) => {
  const changed = vm('Always', (v) => (v.spec.template.spec!.domain.memory = { guest: '2Gi' }));
  expect(of(changed, instance).conditions?.map(({ type }) => type)).not.toContain('RestartRequired');
});

/** Every key that occurs anywhere. */
function flat(value: unknown, keys: Record<string, true> = {}): Record<string, true> {
  for (const [key, inner] of Object.entries(value ?? {})) {
    keys[key] = true;
    if (typeof inner === 'object') flat(inner, keys);
  }
  return keys;
}

test('the wait after failed starts grows to five minutes', () => {
  expect([1, 2, 3, 5, 6, 100].map(backoffSeconds)).toEqual([10, 40, 90, 250, 300, 300]);
});

test('each VMI that fails early is counted once, and one that ran is not', () => {
  const failed = vmi({ phase: 'Failed' });
  const once = nextStartFailure(undefined, failed, NOW);
  expect(nextStartFailure(once, failed, NOW + 5000)).toBe(once);
  const twice = nextStartFailure(
    once,
    vmi({ phase: 'Failed' }, (v) => (v.metadata.uid = 'next')),
    NOW,
  );
  expect(twice).toMatchObject({ consecutiveFailCount: 2, lastFailedVMIUID: 'next', retryAfterTimestamp: ago(-40) });
  expect(backoffLeftMs(twice, NOW)).toBe(40_000);
  expect(
    nextStartFailure(
      twice,
      running((v) => (v.status!.phase = 'Failed')),
      NOW,
    ),
  ).toBeUndefined();
  expect(nextStartFailure(twice, undefined, NOW)).toBe(twice);
});

test('for any two statuses the patch turns one into the other, and it is empty if they are equal', () => {
  const status = fc.dictionary(
    fc.constantFrom('created', 'ready', 'conditions', 'startFailure', 'printableStatus'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(status, status, (before, to) => {
      const from = mergePatch({}, before);
      const patch = statusPatch(from as never, to as never) ?? {};
      expect(mergePatch(from, patch)).toEqual(mergePatch({}, to));
      expect(statusPatch(from as never, from as never)).toBeUndefined();
    }),
  );
});

test('a claim that stays unbound is shown, one that is bound in time is not', () => {
  const instance = vmi({}, (v) => (v.metadata.creationTimestamp = ago(5)));
  const shown = (isBound: boolean, of = instance) =>
    statusOf(
      {
        vm: vm(),
        vmi: of,
        dataVolumes: new Map(),
        collected: new Set(),
        claims: new Map([['data', { isBound }]]),
        config,
        now: NOW,
      },
      { dataVolumes: idle },
    ).printableStatus;
  expect(shown(false)).toBe('WaitingForVolumeBinding');
  expect(
    shown(
      false,
      vmi({}, (v) => (v.metadata.creationTimestamp = ago(4))),
    ),
  ).toBe('Starting');
  expect(shown(true)).toBe('Starting');
});
