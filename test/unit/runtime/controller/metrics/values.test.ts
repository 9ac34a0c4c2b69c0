import type { VirtualMachine, VirtualMachineInstance } from '../../../../../src/api';
import { keys } from '../../../../../src/api/keys';
import { launcherPodName } from '../../../../../src/api/launcher-name';
import { metricTable } from '../../../../../src/api/metrics';
import type { MetricName } from '../../../../../src/api/metrics';
import { snapshotTimes } from '../../../../../src/runtime/controller/metrics/snapshot-values';
import { transitionsOf } from '../../../../../src/runtime/controller/metrics/transitions';
import { vmMetrics } from '../../../../../src/runtime/controller/metrics/vm-values';
import type { VmFacts } from '../../../../../src/runtime/controller/metrics/vm-values';
import { vmiMetrics } from '../../../../../src/runtime/controller/metrics/vmi-values';
import type { VmiFacts } from '../../../../../src/runtime/controller/metrics/vmi-values';
import { slimClaim } from '../../../../../src/runtime/controller/trim';
import type { Value } from '../../../../../src/runtime/kube/metrics';
import { ago, condition, config, configured, NOW, running, vm, vmi } from '../fixtures';

const noFacts: VmFacts = { claim: () => undefined, vmi: () => undefined };
const ID = { name: 'fedora', namespace: 'web' };
const NODE_ID = { node: 'n1', namespace: 'web', name: 'fedora' };
type VmStatus = NonNullable<NonNullable<VirtualMachine['status']>['printableStatus']>;

const ofVm = (name: keyof typeof vmMetrics, of: VirtualMachine, facts: VmFacts = noFacts): Value[] =>
  vmMetrics[name](of, facts);
const ofVmi = (
  name: keyof typeof vmiMetrics,
  of: VirtualMachineInstance,
  facts: VmiFacts = { config, hasPod: () => true },
): Value[] => vmiMetrics[name](of, facts);

describe('a VM', () => {
  test.each<[VmStatus | undefined, string]>([
    ['Provisioning', 'starting'],
    ['WaitingForVolumeBinding', 'starting'],
    ['Running', 'running'],
    ['Migrating', 'migrating'],
    ['Stopped', 'non_running'],
    ['CrashLoopBackOff', 'error'],
    ['ErrorUnschedulable', 'error'],
    [undefined, '<unknown>'],
  ])('with status %s is in the group %s', (printableStatus, group) => {
    const [info] = ofVm(
      'kubevirt_vm_info',
      vm('Always', (each) => (each.status = { printableStatus })),
    );
    expect(info).toMatchObject({
      labels: { ...ID, status: printableStatus?.toLowerCase(), status_group: group },
      value: 1,
    });
  });

  test('shows what its user declares', () => {
    const declared = vm('Always', ({ spec }) => {
      spec.template!.metadata!.annotations = { [keys.guestOs]: 'fedora', [keys.guestFlavor]: 'x'.repeat(500) };
      spec.template!.spec!.domain!.machine = { type: 'q35' };
      spec.instancetype = { name: 'u1.small' };
      spec.preference = { name: 'linux' };
    });
    expect(ofVm('kubevirt_vm_info', declared)[0]!.labels).toMatchObject({
      ...{ os: 'fedora', workload: undefined, flavor: 'x'.repeat(128), machine_type: 'q35' },
      ...{ instance_type: 'u1.small', preference: 'linux' },
    });
  });

  test('has the time of its last change in the group of its status only', () => {
    const failing = vm('Always', (each) => {
      each.status = {
        printableStatus: 'ErrImagePull',
        conditions: [
          { ...condition('Ready', 'False'), lastTransitionTime: ago(30) },
          { ...condition('Other', 'True'), lastTransitionTime: ago(1) },
        ],
      };
    });
    const at = (group: string): number =>
      ofVm(`kubevirt_vm_${group}_status_last_transition_timestamp_seconds` as keyof typeof vmMetrics, failing)[0]!
        .value;
    expect(at('error')).toBe(NOW / 1000 - 30);
    expect(['starting', 'running', 'migrating', 'non_running'].map(at)).toEqual([0, 0, 0, 0]);
  });

  test.each<
    [string, (domain: NonNullable<NonNullable<VirtualMachine['spec']['template']>['spec']>['domain']) => void, object[]]
  >([
    [
      'a topology',
      (domain) => Object.assign(domain!, { cpu: { cores: 2, sockets: 3 }, memory: { guest: '1Gi' }, resources: {} }),
      [
        { resource: 'memory', unit: 'bytes', source: 'guest', value: 2 ** 30 },
        { resource: 'cpu', unit: 'cores', source: 'domain', value: 2 },
        { resource: 'cpu', unit: 'sockets', source: 'domain', value: 3 },
        { resource: 'cpu', unit: 'cores', source: 'guest_effective', value: 6 },
        { resource: 'memory', unit: 'bytes', source: 'guest_effective', value: 2 ** 30 },
      ],
    ],
    [
      'requests',
      (domain) =>
        Object.assign(domain!, {
          cpu: undefined,
          memory: undefined,
          resources: { requests: { cpu: '1500m', memory: '64Mi' } },
        }),
      [
        { resource: 'memory', unit: 'bytes', source: 'domain', value: 2 ** 26 },
        { resource: 'cpu', unit: 'cores', source: 'requests', value: 1.5 },
        { resource: 'cpu', unit: 'cores', source: 'guest_effective', value: 2 },
        { resource: 'memory', unit: 'bytes', source: 'guest_effective', value: 2 ** 26 },
      ],
    ],
    [
      'nothing',
      (domain) => Object.assign(domain!, { cpu: undefined, memory: undefined, resources: undefined }),
      [
        { resource: 'cpu', unit: 'cores', source: 'default', value: 1 },
        { resource: 'cpu', unit: 'threads', source: 'default', value: 1 },
        { resource: 'cpu', unit: 'sockets', source: 'default', value: 1 },
        { resource: 'cpu', unit: 'cores', source: 'guest_effective', value: 1 },
      ],
    ],
    [
      'invalid quantities',
      (domain) =>
        Object.assign(domain!, { cpu: { cores: 1 }, memory: { guest: 'much' }, resources: { limits: { cpu: 'x' } } }),
      [
        { resource: 'cpu', unit: 'cores', source: 'domain', value: 1 },
        { resource: 'cpu', unit: 'cores', source: 'guest_effective', value: 1 },
      ],
    ],
  ])('reports its requests: %s', (_, change, want) => {
    const values = ofVm(
      'kubevirt_vm_resource_requests',
      vm('Always', ({ spec }) => change(spec.template!.spec!.domain)),
    );
    expect(values.map(({ labels, value }) => ({ ...labels, value }))).toEqual(want.map((each) => ({ ...ID, ...each })));
  });

  test('with an instance type has the resources of its instance, while that exists', () => {
    const sized = vm('Always', ({ spec }) => {
      spec.instancetype = { name: 'large' };
      spec.template!.spec!.domain = { devices: {} };
    });
    const instance = vmi({}, ({ spec }) => (spec.domain.cpu = { cores: 8 }));
    const effective = (facts: VmFacts): number[] =>
      ofVm('kubevirt_vm_resource_requests', sized, facts).flatMap(({ labels, value }) =>
        labels?.source === 'guest_effective' && labels.resource === 'cpu' ? [value] : [],
      );
    expect(effective({ ...noFacts, vmi: (key) => (key === 'web/fedora' ? instance : undefined) })).toEqual([8]);
    expect(effective(noFacts)).toEqual([]);
  });

  test('reports limits only if it has some', () => {
    const limited = vm('Always', ({ spec }) => {
      spec.template!.spec!.domain!.resources = { limits: { cpu: '2', memory: '1Gi' } };
    });
    expect(ofVm('kubevirt_vm_resource_limits', limited).map(({ value }) => value)).toEqual([2 ** 30, 2]);
    expect(ofVm('kubevirt_vm_resource_limits', vm())).toEqual([]);
  });

  test('reports the sizes of claims that exist', () => {
    const claim = slimClaim({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace: 'web', name: 'data' },
      ...{ spec: { volumeMode: 'Block', resources: { requests: { storage: '1Gi' } } } },
    });
    const withDisks = vm('Always', ({ spec }) =>
      spec.template!.spec!.volumes!.push(
        { name: 'data', dataVolume: { name: 'data' } },
        { name: 'gone', persistentVolumeClaim: { claimName: 'gone' } },
      ),
    );
    const facts = { ...noFacts, claim: (key: string) => (key === 'web/data' ? claim : undefined) };
    expect(ofVm('kubevirt_vm_disk_allocated_size_bytes', withDisks, facts)).toEqual([
      { labels: { ...ID, persistentvolumeclaim: 'data', volume_mode: 'Block', device: 'data' }, value: 2 ** 30 },
    ]);
  });
});

describe('an instance', () => {
  test('shows its Pod, its guest and its image', () => {
    const instance = running((each) => {
      each.status!.guestOSInfo = { name: 'Fedora', kernelRelease: 'k'.repeat(500), machine: 'x86_64', versionId: '44' };
      each.status!.machine = { type: 'pc-q35-10.0' };
      each.metadata.annotations = { [keys.clusterInstancetypeName]: 'u1.small' };
      each.metadata.labels = { [keys.outdatedLauncher]: '' };
    });
    expect(ofVmi('kubevirt_vmi_info', instance)[0]!.labels).toMatchObject({
      ...NODE_ID,
      ...{ phase: 'running', instance_type: 'u1.small', outdated: 'true', evictable: 'true' },
      ...{ guest_os_name: 'Fedora', guest_os_arch: 'x86_64', guest_os_machine: 'pc-q35-10.0' },
      ...{ guest_os_version_id: '44', guest_os_kernel_release: 'k'.repeat(128) },
      vmi_pod: launcherPodName('fedora', 'vmi-uid'),
    });
    const [alone] = ofVmi('kubevirt_vmi_info', instance, { config, hasPod: () => false });
    expect(alone!.labels!.vmi_pod).toBeUndefined();
  });

  test.each<[string, string | undefined, 'True' | 'False' | undefined, number]>([
    ['without a strategy', undefined, undefined, 0],
    ['that must be migrated and can be', 'LiveMigrate', 'True', 0],
    ['that must be migrated and cannot be', 'LiveMigrate', 'False', 1],
    ['that must be migrated and does not report whether it can be', 'LiveMigrate', undefined, 1],
    ['that is migrated if possible', 'LiveMigrateIfPossible', 'False', 0],
  ])('%s', (_, evictionStrategy, migratable, value) => {
    const instance = running((each) => {
      each.spec.evictionStrategy = evictionStrategy as typeof each.spec.evictionStrategy;
      if (migratable) each.status!.conditions!.push(condition('LiveMigratable', migratable));
    });
    expect(ofVmi('kubevirt_vmi_non_evictable', instance)).toEqual([{ labels: NODE_ID, value }]);
  });

  test('has the strategy of the platform if it sets none', () => {
    const instance = running((each) => delete each.spec.evictionStrategy);
    const facts = { config: configured({ evictionStrategy: 'LiveMigrate' }), hasPod: () => true };
    expect(ofVmi('kubevirt_vmi_non_evictable', instance, facts)[0]!.value).toBe(1);
  });

  test('reports the memory overhead of its Pod, or else the calculated one', () => {
    const reported = running((each) => (each.status!.memory = { memoryOverhead: '300Mi' }));
    const [known, calculated] = [reported, running()].map(
      (each) => ofVmi('kubevirt_vmi_launcher_memory_overhead_bytes', each)[0]!.value,
    );
    expect(known).toBe(300 * 2 ** 20);
    expect(calculated! / 2 ** 20).toBeGreaterThan(250);
    expect(calculated! / 2 ** 20).toBeLessThan(400);
  });
});

describe('transitions', () => {
  const phased = (
    phase: NonNullable<VirtualMachineInstance['status']>['phase'],
    entered: readonly [phase: 'Pending' | 'Running' | 'Succeeded', secondsAgo: number][],
    deletedAgo?: number,
  ): VirtualMachineInstance =>
    vmi({ phase }, (each) => {
      each.metadata.creationTimestamp = ago(100);
      if (deletedAgo !== undefined) each.metadata.deletionTimestamp = ago(deletedAgo);
      each.status!.phaseTransitionTimestamps = entered.map(([name, seconds]) => ({
        phase: name,
        phaseTransitionTimestamp: ago(seconds),
      }));
    });
  const pending = phased('Pending', [['Pending', 90]]);

  test.each<[string, VirtualMachineInstance, VirtualMachineInstance, [string, object, number][]]>([
    ['the same phase', pending, pending, []],
    [
      'a start',
      pending,
      phased('Running', [
        ['Pending', 90],
        ['Running', 40],
      ]),
      [
        ['', { phase: 'Running', last_phase: 'Pending' }, 50],
        ['from_creation_', { phase: 'Running' }, 60],
      ],
    ],
    [
      'an end after a deletion',
      phased('Running', [['Running', 40]]),
      phased(
        'Succeeded',
        [
          ['Running', 40],
          ['Succeeded', 5],
        ],
        15,
      ),
      [
        ['', { phase: 'Succeeded', last_phase: 'Running' }, 35],
        ['from_creation_', { phase: 'Succeeded' }, 95],
        ['from_deletion_', { phase: 'Succeeded' }, 10],
      ],
    ],
    ['a phase without a time', pending, phased('Running', []), []],
    ['a time before the creation', pending, phased('Running', [['Running', 200]]), []],
  ])('%s', (_, before, after, want) =>
    expect(transitionsOf(before, after)).toEqual(
      want.map(([of, labels, seconds]) => ({
        name: `kubevirt_vmi_phase_transition_time_${of}seconds`,
        labels,
        seconds,
      })),
    ),
  );
});

test('a snapshot has a time once it succeeded', () => {
  const snapshot = (phase: 'Succeeded' | 'InProgress') => ({
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshot',
    metadata: { namespace: 'web', name: 'nightly' },
    spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'db' } },
    status: { phase, creationTime: ago(10) },
  });
  expect(snapshotTimes(snapshot('Succeeded'))).toEqual([
    { labels: { name: 'db', snapshot_name: 'nightly', namespace: 'web' }, value: NOW / 1000 - 10 },
  ]);
  expect(snapshotTimes(snapshot('InProgress'))).toEqual([]);
});

test('values have only labels of the table', () => {
  const values = (name: string): Value[] =>
    name in vmMetrics
      ? ofVm(
          name as keyof typeof vmMetrics,
          vm('Always', (each) => (each.metadata.creationTimestamp = ago(5))),
        )
      : ofVmi(name as keyof typeof vmiMetrics, running());
  const unknown = [...Object.keys(vmMetrics), ...Object.keys(vmiMetrics)].flatMap((name) =>
    values(name).flatMap(({ labels = {} }) =>
      Object.keys(labels).filter((label) => !metricTable[name as MetricName].labels.includes(label)),
    ),
  );
  expect(unknown).toEqual([]);
});
