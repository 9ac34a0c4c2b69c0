import { ApiObject, Chart, Duration, JsonPatch, Size, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { admit, clusterConfig, contextOf, formatFinding, type KubeObject } from '../../../../src/api';
import {
  BackupMode,
  BackupSource,
  CloneSource,
  ExportSource,
  MigrationPolicy,
  MigrationCompression,
  MigrationPriority,
  Resource,
  SnapshotDeletionPolicy,
  TargetReadinessPolicy,
  VirtualMachineBackup,
  VirtualMachineBackupTracker,
  VirtualMachineClone,
  VirtualMachineExport,
  VirtualMachineInstanceMigration,
  VirtualMachineRestore,
  VirtualMachineSnapshot,
  VolumeNamePolicy,
  VolumeOwnershipPolicy,
  VolumeRestorePolicy,
} from '../../../../src';
import { mistakeOf, synthMistake, testChart } from '../fixtures';
import { testApp } from '../../../support/app';

const db = { name: 'db' };
const gates = ['IncrementalBackup', 'OCIExport', 'Template', 'MigrationStallDetection', 'MigrationDowntimeTuning'];
const configuration = { developerConfiguration: { featureGates: gates } };

/** What the webhook of such a cluster says, as the platform's own component or as a user. */
function refused(object: KubeObject, trusted = false): string[] {
  const config = clusterConfig({
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: {},
    spec: { configuration },
  });
  const instance = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata: { name: 'db' } };
  const context = {
    ...contextOf(config, { trusted }),
    find: (kind: string) => (kind === instance.kind ? instance : undefined),
  };
  const named = { ...object, metadata: { namespace: 'default', ...object.metadata } };
  return admit(named, context).errors.map(formatFinding);
}

const chartWithGates = (): Chart => {
  const chart = testChart();
  chart.node.setContext('virt8s.io/configuration', configuration);
  return chart;
};

const core = 'kubevirt.io';
const vm = { apiGroup: core, kind: 'VirtualMachine', name: 'db' };

test.each<[string, (chart: Chart) => Resource, object]>([
  ['a snapshot', (chart) => new VirtualMachineSnapshot(chart, 'x', { source: db }), { source: vm }],
  [
    'a snapshot with everything',
    (chart) =>
      new VirtualMachineSnapshot(chart, 'x', {
        source: db,
        deletionPolicy: SnapshotDeletionPolicy.RETAIN,
        failureDeadline: Duration.minutes(90),
      }),
    { source: vm, deletionPolicy: 'Retain', failureDeadline: '90m' },
  ],
  [
    'a snapshot that may take for ever',
    (chart) => new VirtualMachineSnapshot(chart, 'x', { source: db, failureDeadline: Duration.millis(0) }),
    { source: vm, failureDeadline: '0s' },
  ],
  [
    'a restore',
    (chart) => new VirtualMachineRestore(chart, 'x', { snapshot: { name: 'before' }, target: db }),
    { target: vm, virtualMachineSnapshotName: 'before' },
  ],
  [
    'a restore with everything',
    (chart) =>
      new VirtualMachineRestore(chart, 'x', {
        snapshot: { name: 'before' },
        target: { name: 'copy' },
        patches: [JsonPatch.replace('/spec/runStrategy', 'Halted')],
        targetReadinessPolicy: TargetReadinessPolicy.STOP_TARGET,
        volumeRestorePolicy: VolumeRestorePolicy.PREFIX_TARGET_NAME,
        volumeOwnershipPolicy: VolumeOwnershipPolicy.NONE,
        volumeOverrides: [
          { volumeName: 'root', restoreName: 'copy-root', labels: { a: 'b' }, annotations: { c: 'd' } },
          { volumeName: 'data', labels: { a: 'b' } },
        ],
      }),
    {
      target: { ...vm, name: 'copy' },
      virtualMachineSnapshotName: 'before',
      patches: ['{"op":"replace","path":"/spec/runStrategy","value":"Halted"}'],
      targetReadinessPolicy: 'StopTarget',
      volumeRestorePolicy: 'PrefixTargetName',
      volumeOwnershipPolicy: 'None',
      volumeRestoreOverrides: [
        { volumeName: 'root', restoreName: 'copy-root', labels: { a: 'b' }, annotations: { c: 'd' } },
        { volumeName: 'data', labels: { a: 'b' } },
      ],
    },
  ],
  [
    'a clone of a VM',
    (chart) => new VirtualMachineClone(chart, 'x', { source: CloneSource.virtualMachine(db) }),
    { source: vm },
  ],
  [
    'a clone of a snapshot with everything',
    (chart) =>
      new VirtualMachineClone(chart, 'x', {
        source: CloneSource.snapshot({ name: 'before' }),
        targetName: 'copy',
        labelFilters: ['*', '!team'],
        annotationFilters: ['note*'],
        templateLabelFilters: ['app'],
        templateAnnotationFilters: ['!secret'],
        newMacAddresses: { default: '02:00:00:00:00:01' },
        newSmbiosSerial: 'serial-2',
        patches: [JsonPatch.add('/metadata/labels/copy', 'yes')],
        volumeNamePolicy: VolumeNamePolicy.PREFIX_TARGET_NAME,
      }),
    {
      source: { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 'before' },
      target: { ...vm, name: 'copy' },
      labelFilters: ['*', '!team'],
      annotationFilters: ['note*'],
      template: { labelFilters: ['app'], annotationFilters: ['!secret'] },
      newMacAddresses: { default: '02:00:00:00:00:01' },
      newSMBiosSerial: 'serial-2',
      patches: ['{"op":"add","path":"/metadata/labels/copy","value":"yes"}'],
      volumeNamePolicy: 'PrefixTargetName',
    },
  ],
  [
    'an export of a VM',
    (chart) => new VirtualMachineExport(chart, 'x', { source: ExportSource.virtualMachine(db) }),
    { source: vm },
  ],
  [
    'an export of a snapshot with everything',
    (chart) =>
      new VirtualMachineExport(chart, 'x', {
        source: ExportSource.snapshot({ name: 'before' }),
        ttl: Duration.seconds(90),
        tokenSecret: { name: 'token' },
      }),
    {
      source: { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 'before' },
      ttlDuration: '90s',
      tokenSecretRef: 'token',
    },
  ],
  [
    'an export of a claim of cdk8s-plus',
    (chart) => {
      const claim = new kplus.PersistentVolumeClaim(chart, 'data', {
        metadata: { name: 'data' },
        storage: Size.gibibytes(1),
      });
      return new VirtualMachineExport(chart, 'x', { source: ExportSource.claim(claim) });
    },
    { source: { kind: 'PersistentVolumeClaim', name: 'data' } },
  ],
  [
    'an export of a backup',
    (chart) => new VirtualMachineExport(chart, 'x', { source: ExportSource.backup({ name: 'nightly' }) }),
    { source: { apiGroup: 'backup.kubevirt.io', kind: 'VirtualMachineBackup', name: 'nightly' } },
  ],
  [
    'an export of a template',
    (chart) => new VirtualMachineExport(chart, 'x', { source: ExportSource.template({ name: 'golden' }) }),
    { source: { apiGroup: 'template.kubevirt.io', kind: 'VirtualMachineTemplate', name: 'golden' } },
  ],
  ['a backup tracker', (chart) => new VirtualMachineBackupTracker(chart, 'x', { source: db }), { source: vm }],
  [
    'a backup of a VM',
    (chart) =>
      new VirtualMachineBackup(chart, 'x', { source: BackupSource.virtualMachine(db), claim: { name: 'store' } }),
    { source: vm, pvcName: 'store' },
  ],
  [
    'a backup with everything',
    (chart) =>
      new VirtualMachineBackup(chart, 'x', {
        source: BackupSource.tracker({ name: 'tracker' }),
        claim: { name: 'store' },
        mode: BackupMode.PULL,
        tokenSecret: { name: 'token' },
        ttl: Duration.hours(4),
        forceFullBackup: true,
        skipQuiesce: true,
      }),
    {
      source: { apiGroup: 'backup.kubevirt.io', kind: 'VirtualMachineBackupTracker', name: 'tracker' },
      pvcName: 'store',
      mode: 'Pull',
      tokenSecretRef: 'token',
      ttlDuration: '4h',
      forceFullBackup: true,
      skipQuiesce: true,
    },
  ],
  [
    'a migration',
    (chart) => new VirtualMachineInstanceMigration(chart, 'x', { instance: db, addedNodeSelector: { zone: 'b' } }),
    { vmiName: 'db', addedNodeSelector: { zone: 'b' } },
  ],
  [
    'both sides of a move in one object',
    (chart) =>
      new VirtualMachineInstanceMigration(chart, 'x', {
        instance: db,
        sendTo: { migrationId: 'move-1', connectUrl: '192.0.2.1:9185' },
        receive: { migrationId: 'move-1' },
      }),
    {
      vmiName: 'db',
      sendTo: { migrationID: 'move-1', connectURL: '192.0.2.1:9185' },
      receive: { migrationID: 'move-1' },
    },
  ],
  [
    'a migration policy with everything',
    (chart) =>
      new MigrationPolicy(chart, 'x', {
        instanceLabels: { size: 'large' },
        namespaceLabels: { env: 'prod' },
        bandwidthPerMigration: Size.mebibytes(512),
        completionTimeoutPerGib: Duration.minutes(2),
        allowAutoConverge: true,
        allowPostCopy: false,
        allowWorkloadDisruption: true,
        maxDowntime: Duration.millis(200),
        compression: MigrationCompression.ZSTD,
        stallDetector: {
          progressTimeout: Duration.seconds(30),
          margin: 5,
          switchoverTimeout: Duration.minutes(1),
          searchLocalMinima: false,
          ewmaAlpha: 0.25,
          precopyPossibleFactor: 1.5,
          patienceWindowDecayFactor: 0.5,
          completionTimeoutFactor: 3,
        },
      }),
    {
      selectors: { virtualMachineInstanceSelector: { size: 'large' }, namespaceSelector: { env: 'prod' } },
      bandwidthPerMigration: '512Mi',
      completionTimeoutPerGiB: 120,
      allowAutoConverge: true,
      allowPostCopy: false,
      allowWorkloadDisruption: true,
      maxDowntimeMs: 200,
      experimental: {
        compression: 'zstd',
        stallDetector: {
          stallProgressTimeout: 30,
          stallMargin: 5,
          switchoverTimeout: 60,
          searchLocalMinima: false,
          ewmaAlpha: '0.25',
          precopyPossibleFactor: '1.5',
          patienceWindowDecayFactor: '0.5',
          completionTimeoutFactor: '3',
        },
      },
    },
  ],
  [
    'a migration policy that tunes downtime',
    (chart) =>
      new MigrationPolicy(chart, 'x', {
        namespaceLabels: { env: 'prod' },
        downtimeTuning: {
          initial: Duration.millis(100),
          steps: 5,
          cooldown: Duration.seconds(5),
          startAfterIteration: 2,
        },
      }),
    {
      selectors: { namespaceSelector: { env: 'prod' } },
      experimental: { downtimeTuning: { initialMs: 100, steps: 5, cooldownSeconds: 5, startAfterIteration: 2 } },
    },
  ],
])('%s is rendered, and KubeVirt takes it', (_, make, spec) => {
  const chart = chartWithGates();
  const object = make(chart).apiObject.toJson() as KubeObject & { spec: object };
  expect(object.spec).toEqual(spec);
  expect(refused(object)).toEqual([]);
  expect(mistakeOf(() => Testing.synth(chart))).toBe('nothing was thrown');
  expect(synthMistake(chart)).toBe('nothing was thrown');
});

test('the priority of a migration is for the platform', () => {
  const props = { instance: db, priority: MigrationPriority.SYSTEM_MAINTENANCE };
  const chart = testChart();
  const object = new VirtualMachineInstanceMigration(chart, 'x', props).apiObject.toJson() as KubeObject;
  expect(refused(object, true)).toEqual([]);
  expect(synthMistake(chart)).toContain('only virt-controller is allowed to set priority field');
});

test('a migration policy has no namespace, in a chart that has one', () => {
  const chart = new Chart(testApp(), 'web', { namespace: 'prod' });
  new MigrationPolicy(chart, 'policy', { namespaceLabels: { env: 'prod' } });
  new VirtualMachineSnapshot(chart, 'snapshot', { source: db });
  expect(Testing.synth(chart).map(({ metadata }: KubeObject) => metadata.namespace)).toEqual([undefined, 'prod']);
});

test('what is about an object is in its namespace, unless it says otherwise', () => {
  const chart = testChart();
  const source = { name: 'db', metadata: { namespace: 'prod' } };
  const props = { metadata: { labels: { a: 'b' } } };
  new VirtualMachineSnapshot(chart, 'a', { source, ...props });
  new VirtualMachineRestore(chart, 'b', { snapshot: source, target: source });
  new VirtualMachineClone(chart, 'c', { source: CloneSource.virtualMachine(source), targetName: 'x' });
  new VirtualMachineExport(chart, 'd', { source: ExportSource.claim(source) });
  new VirtualMachineInstanceMigration(chart, 'e', { instance: source });
  new VirtualMachineExport(chart, 'f', { source: ExportSource.claim(source), metadata: { namespace: 'test' } });
  expect(Testing.synth(chart).map(({ metadata }: KubeObject) => metadata)).toEqual([
    { name: 'web-a', namespace: 'prod', labels: { a: 'b' } },
    ...['b', 'c', 'd', 'e'].map((id) => ({ name: `web-${id}`, namespace: 'prod' })),
    { name: 'web-f', namespace: 'test' },
  ]);
});

describe('a construct of another kind is refused', () => {
  const chart = testChart();
  const snapshot = new VirtualMachineSnapshot(chart, 'snapshot', { source: db });
  const secret = new kplus.Secret(chart, 'secret');

  test.each<[string, () => unknown, string]>([
    [
      'a snapshot of a snapshot',
      () => new VirtualMachineSnapshot(testChart(), 'x', { source: snapshot as never }),
      'VirtualMachineSnapshot: "web-snapshot" is a VirtualMachineSnapshot, not a VirtualMachine\n  give it a VirtualMachine [object-kind]',
    ],
    [
      'a restore to a snapshot',
      () => new VirtualMachineRestore(testChart(), 'x', { snapshot, target: snapshot as never }),
      'VirtualMachineRestore: target',
    ],
    [
      'a restore of a Secret',
      () => new VirtualMachineRestore(testChart(), 'x', { snapshot: secret as never, target: db }),
      'VirtualMachineRestore: snapshot',
    ],
    [
      'a clone of it as a VM',
      () => CloneSource.virtualMachine(snapshot as never),
      'CloneSource.virtualMachine: "web-snapshot"',
    ],
    ['an export of it as a claim', () => ExportSource.claim(snapshot), 'not a PersistentVolumeClaim or DataVolume'],
    ['a backup of it', () => BackupSource.tracker(snapshot as never), 'not a VirtualMachineBackupTracker'],
    [
      'a clone of a Secret',
      () => CloneSource.snapshot(secret as never),
      'CloneSource.snapshot: "web-secret" is a Secret',
    ],
    [
      'an export of a snapshot as a VM',
      () => ExportSource.virtualMachine(snapshot as never),
      'ExportSource.virtualMachine: "web-snapshot" is a VirtualMachineSnapshot, not a VirtualMachine',
    ],
    [
      'an export of a Secret',
      () => ExportSource.snapshot(secret as never),
      'ExportSource.snapshot: "web-secret" is a Secret',
    ],
    [
      'an export of it as a backup',
      () => ExportSource.backup(secret as never),
      'ExportSource.backup: "web-secret" is a Secret',
    ],
    ['or as a template', () => ExportSource.template(secret), 'ExportSource.template: "web-secret" is a Secret'],
    ['an export of it as a claim', () => ExportSource.claim(secret), 'ExportSource.claim: "web-secret" is a Secret'],
    [
      'an export with a token that is a snapshot',
      () => new VirtualMachineExport(testChart(), 'x', { source: ExportSource.claim(db), tokenSecret: snapshot }),
      'VirtualMachineExport: tokenSecret: "web-snapshot" is a VirtualMachineSnapshot, not a Secret',
    ],
    [
      'a backup of a snapshot as a VM',
      () => BackupSource.virtualMachine(snapshot as never),
      'BackupSource.virtualMachine: "web-snapshot"',
    ],
    [
      'the changes of a snapshot',
      () => new VirtualMachineBackupTracker(testChart(), 'x', { source: snapshot as never }),
      'VirtualMachineBackupTracker: "web-snapshot"',
    ],
    [
      'a backup into a Secret',
      () =>
        new VirtualMachineBackup(testChart(), 'x', { source: BackupSource.virtualMachine(db), claim: secret as never }),
      'VirtualMachineBackup: claim: "web-secret" is a Secret, not a PersistentVolumeClaim or DataVolume',
    ],
    [
      'a backup with a token that is a snapshot',
      () =>
        new VirtualMachineBackup(testChart(), 'x', {
          source: BackupSource.virtualMachine(db),
          claim: { name: 'c' },
          tokenSecret: snapshot,
        }),
      'VirtualMachineBackup: tokenSecret: "web-snapshot" is a VirtualMachineSnapshot, not a Secret',
    ],
    [
      'a migration of it',
      () => new VirtualMachineInstanceMigration(testChart(), 'x', { instance: snapshot as never }),
      'not a VirtualMachineInstance or VirtualMachine',
    ],
  ])('%s', (_, make, want) => expect(mistakeOf(make)).toContain(want));
});

test.each<[string, (chart: Chart) => unknown, string]>([
  [
    'a filter',
    (chart) =>
      new VirtualMachineClone(chart, 'x', { source: CloneSource.virtualMachine(db), templateLabelFilters: ['a*b'] }),
    'web/x: templateLabelFilters[0] (spec.template.labelFilters[0]): ',
  ],
  [
    'a MAC address',
    (chart) =>
      new VirtualMachineClone(chart, 'x', {
        source: CloneSource.virtualMachine(db),
        newMacAddresses: { lan: '02:00' },
      }),
    'web/x: newMacAddresses.lan (spec.newMacAddresses.lan): interface lan has malformed MAC address (02:00)\n',
  ],
  [
    'an unknown policy',
    (chart) =>
      new VirtualMachineRestore(chart, 'x', {
        snapshot: { name: 's' },
        target: db,
        volumeRestorePolicy: VolumeRestorePolicy.of('Inplace'),
      }),
    'web/x: spec.volumeRestorePolicy: ',
  ],
  [
    'less than nothing',
    (chart) => new MigrationPolicy(chart, 'x', { stallDetector: { margin: 101 } }),
    'web/x: stallDetector (spec.experimental.stallDetector.stallMargin): ',
  ],
  [
    'a compression',
    (chart) => new MigrationPolicy(chart, 'x', { compression: MigrationCompression.of('zip') }),
    'web/x: compression (spec.experimental.compression): ',
  ],
])('reports %s immediately', (_, make, want) => expect(mistakeOf(() => make(chartWithGates()))).toContain(want));

test.each<[string, (chart: Chart) => unknown, string]>([
  [
    'a clone with the name of its source',
    (chart) => new VirtualMachineClone(chart, 'x', { source: CloneSource.virtualMachine(db), targetName: 'db' }),
    '[web/x] targetName (spec.target.name): Target name cannot be equal to source name',
  ],
  [
    'a download that nobody may open',
    (chart) =>
      new VirtualMachineBackup(chart, 'x', {
        source: BackupSource.virtualMachine(db),
        claim: { name: 'c' },
        mode: BackupMode.PULL,
      }),
    '[web/x] tokenSecret (spec.tokenSecretRef): a backup in mode Pull requires a token',
  ],
  [
    'an override of nothing',
    (chart) =>
      new VirtualMachineRestore(chart, 'x', {
        snapshot: { name: 's' },
        target: db,
        volumeOverrides: [{ volumeName: 'root' }],
      }),
    '[web/x] volumeOverrides[0] (spec.volumeRestoreOverrides[0]): must provide at least one overriden field',
  ],
])('reports %s at synth', (_, make, want) => {
  const chart = chartWithGates();
  make(chart);
  expect(synthMistake(chart)).toContain(want);
});

test('the manifest is the child Resource and takes JSON patches', () => {
  const snapshot = new VirtualMachineSnapshot(testChart(), 'x', { source: db });
  ApiObject.of(snapshot).addJsonPatch(JsonPatch.add('/spec/failureDeadline', '1m'));
  expect(snapshot.apiObject.toJson().spec.failureDeadline).toBe('1m');
});
