import type { KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../../../src/api';
import { revisionOf } from '../../../../../src/api/instancetype';
import { decide } from '../../../../../src/runtime/controller/virtual-machine/decide';
import type { Action } from '../../../../../src/runtime/controller/virtual-machine/actions';
import type { Observed } from '../../../../../src/runtime/controller/virtual-machine/observed';
import { needsReferences } from '../../../../../src/runtime/controller/virtual-machine/sizing';
import { ago, configured, NOW, running, vm } from '../fixtures';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- objects of kinds that the test makes up
type Loose = any;

const small: Loose = {
  apiVersion: 'instancetype.kubevirt.io/v1beta1',
  kind: 'VirtualMachineClusterInstancetype',
  metadata: { name: 'small', uid: 'u', generation: 2 },
  spec: { cpu: { guest: 2 }, memory: { guest: '2Gi' } },
};
const linux: Loose = {
  apiVersion: 'instancetype.kubevirt.io/v1beta1',
  kind: 'VirtualMachinePreference',
  metadata: { name: 'linux', namespace: 'web', uid: 'p', generation: 1 },
  spec: { devices: { preferredDiskBus: 'scsi' } },
};
const kept = { name: 'small', controllerRevisionRef: { name: 'fedora-small-v1beta1-u-2' } };

const sized = (change: (vm: Loose) => void = () => {}): VirtualMachine =>
  vm('Always', (made) => {
    delete made.spec.template.spec!.domain.memory;
    made.spec.instancetype = { name: 'small' };
    change(made);
  });
function see(of: VirtualMachine, objects: KubeObject[], more: Partial<Observed> = {}): Observed {
  return {
    vm: of,
    dataVolumes: new Map(),
    collected: new Set(),
    claims: new Map(),
    config: configured({}),
    now: NOW,
    references: (kind, namespace, name) =>
      objects.find((o) => o.kind === kind && o.metadata.namespace === namespace && o.metadata.name === name),
    ...more,
  };
}
const done = (actions: Action[]): string[] =>
  actions.map((action) => (action.do === 'recordEvent' ? `event ${action.reason}` : action.do));
const made = (actions: Action[]): VirtualMachineInstance =>
  (actions.find((action) => action.do === 'createVmi') as { vmi: VirtualMachineInstance }).vmi;
const policy = (referencePolicy: 'expand' | 'expandAll') => configured({ instancetype: { referencePolicy } });

test('a VM keeps a copy of its instance type and preference, and starts with their fields', () => {
  const of = sized((v) => (v.spec.preference = { name: 'linux', kind: 'VirtualMachinePreference' }));
  of.spec.template.spec!.domain.devices!.disks = [{ name: 'root' }];
  const actions = decide(see(of, [small, linux]));
  expect(done(actions)).toEqual(['createRevision', 'createRevision', 'patchStatus', 'createVmi']);
  expect(actions[2]).toEqual({
    do: 'patchStatus',
    status: {
      instancetypeRef: kept,
      preferenceRef: {
        name: 'linux',
        kind: 'VirtualMachinePreference',
        controllerRevisionRef: { name: 'fedora-linux-v1beta1-p-1' },
      },
    },
  });
  const { metadata, spec } = made(actions);
  expect(metadata.annotations).toMatchObject({
    'kubevirt.io/cluster-instancetype-name': 'small',
    'kubevirt.io/preference-name': 'linux',
  });
  expect(spec.domain).toMatchObject({
    cpu: { sockets: 2, cores: 1, threads: 1 },
    memory: { guest: '2Gi' },
    devices: { disks: [{ name: 'root', disk: { bus: 'scsi' } }] },
  });
});

test('also a VM that is off keeps its copy', () => {
  const of = sized((v) => (v.spec.runStrategy = 'Halted'));
  expect(done(decide(see(of, [small])))).toEqual(['createRevision', 'patchStatus', 'patchStatus']);
});

test('a later change of the instance type does not reach the VM', () => {
  const of = sized((v) => (v.status = { instancetypeRef: kept }));
  const later = { ...small, spec: { cpu: { guest: 8 }, memory: { guest: '8Gi' } } };
  const actions = decide(see(of, [later, revisionOf(of, small)]));
  expect(done(actions)).toEqual(['createVmi']);
  expect(made(actions).spec.domain.cpu).toMatchObject({ sockets: 2 });
});

test('a copy of an older version is written again', () => {
  const of = sized((v) => (v.status = { instancetypeRef: { name: 'small', controllerRevisionRef: { name: 'old' } } }));
  const old: Loose = {
    kind: 'ControllerRevision',
    metadata: { name: 'old', namespace: 'web', labels: { 'instancetype.kubevirt.io/object-name': 'small' } },
    data: { ...small, apiVersion: 'instancetype.kubevirt.io/v1alpha2' },
  };
  const actions = decide(see(of, [old]));
  expect(done(actions)).toEqual(['createRevision', 'patchStatus', 'deleteRevision', 'createVmi']);
  expect(actions[1]).toEqual({ do: 'patchStatus', status: { instancetypeRef: kept } });
  expect(actions[2]).toEqual({ do: 'deleteRevision', name: 'old' });
});

describe('a VM cannot start', () => {
  const failure = (actions: Action[]): string | undefined =>
    (
      actions.find((action) => action.do === 'patchStatus')?.status.conditions as { type: string; message: string }[]
    )?.find(({ type }) => type === 'Failure')?.message;

  test('without its instance type; it is looked for again', () => {
    const actions = decide(see(sized(), []));
    expect(done(actions)).toEqual(['patchStatus', 'event FailedFindInstancetype', 'recheck']);
    expect(failure(actions)).toBe(
      'virtualmachineclusterinstancetypes.instancetype.kubevirt.io "small" not found; create it, or correct spec.instancetype',
    );
    expect(actions.at(-1)).toEqual({ do: 'recheck', afterMs: 2000 });
  });

  test('and less often the longer it is missing', () => {
    const of = sized((v) => {
      v.status = {
        conditions: [
          { type: 'Failure', status: 'True', reason: 'FailedFindInstancetype', lastTransitionTime: ago(100) },
        ],
      };
    });
    expect(decide(see(of, [])).at(-1)).toEqual({ do: 'recheck', afterMs: 25_000 });
  });

  test('without its preference', () => {
    const of = sized((v) => (v.spec.preference = { name: 'linux' }));
    expect(done(decide(see(of, [small])))).toEqual(['patchStatus', 'event FailedFindPreference', 'recheck']);
  });

  test('when it sets a field that its instance type sets', () => {
    const of = sized((v) => (v.spec.template.spec!.domain.memory = { guest: '1Gi' }));
    const actions = decide(see(of, [small]));
    expect(done(actions)).toEqual(['patchStatus', 'event FailedCreate', 'recheck']);
    expect(failure(actions)).toMatch(/^VM field\(s\) spec\.template\.spec\.domain\.memory\.guest conflicts with/);
  });
});

describe('by the policy of the cluster', () => {
  test('a VM is expanded instead, before it starts', () => {
    const actions = decide(see(sized(), [small], { config: policy('expand') }));
    expect(done(actions)).toEqual(['expand']);
    expect(actions[0]).toMatchObject({
      template: { spec: { domain: { cpu: { sockets: 2 }, memory: { guest: '2Gi' } } } },
    });
  });

  test.each<['expand' | 'expandAll', string[]]>([
    ['expand', ['createVmi']],
    ['expandAll', ['expand', 'deleteRevision']],
  ])('%s: one that keeps a copy', (referencePolicy, want) => {
    const of = sized((v) => (v.status = { instancetypeRef: kept }));
    expect(done(decide(see(of, [small, revisionOf(of, small)], { config: policy(referencePolicy) })))).toEqual(want);
  });

  test('one whose guest runs is not changed until it is off', () => {
    const of = sized((v) => (v.status = { instancetypeRef: kept }));
    const actions = decide(see(of, [small, revisionOf(of, small)], { vmi: running(), config: policy('expandAll') }));
    expect(done(actions)).not.toContain('expand');
  });
});

test('a VM without references removes them from its status', () => {
  const of = vm('Halted', (v) => (v.status = { instancetypeRef: kept }));
  expect(decide(see(of, []))[0]).toEqual({ do: 'patchStatus', status: { instancetypeRef: null } });
});

test.each<[string, VirtualMachine, boolean, boolean]>([
  ['not for a VM without references', vm(), true, false],
  ['for one that is to start', sized((v) => (v.status = { instancetypeRef: kept })), true, true],
  ['for one that keeps no copy yet', sized(), false, true],
  ['not for one that runs and keeps its copy', sized((v) => (v.status = { instancetypeRef: kept })), false, false],
  [
    'for one that was changed to another type',
    sized((v) => {
      v.spec.instancetype = { name: 'big' };
      v.status = { instancetypeRef: kept };
    }),
    false,
    true,
  ],
])('whether references are read: %s', (_, of, willStart, want) => {
  expect(needsReferences(of, willStart)).toBe(want);
});
