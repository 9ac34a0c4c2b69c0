import { Chart, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  AccessCredential,
  ClusterInstancetype,
  ClusterPreference,
  CloudInit,
  DataImportCron,
  type DataImportCronProps,
  DataSource,
  DataVolumeSource,
  Disk,
  type IDataSource,
  type IDataVolume,
  type IInstancetype,
  type INamedObject,
  type IPreference,
  type IVirtualMachine,
  type IVirtualMachineInstance,
  Instancetype,
  type IServiceTarget,
  type IVirtualMachineSnapshot,
  Preference,
  Sysprep,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachinePool,
  VirtualMachineSnapshot,
  VmService,
  VmPort,
} from '../../../src';
import { mistakeOf, testChart, testVm } from './fixtures';
import { testApp } from '../../support/app';

/** What is asked for and what is given; a pair that compiles although it should not fails the type check. */
type Fits<Wanted, Given> = Given extends Wanted ? true : false;

test('the compiler tells the kinds of objects apart', () => {
  const fits: [
    Fits<IInstancetype, Instancetype>,
    Fits<IInstancetype, ClusterInstancetype>,
    Fits<IInstancetype, { name: string }>,
    Fits<IPreference, ClusterPreference>,
    Fits<IVirtualMachine, VirtualMachine>,
    Fits<IVirtualMachineInstance, VirtualMachine>,
    Fits<IVirtualMachineSnapshot, VirtualMachineSnapshot>,
    Fits<IDataSource, DataSource>,
    Fits<IServiceTarget, VirtualMachinePool>,
    Fits<INamedObject, kplus.Secret>,
  ] = [true, true, true, true, true, true, true, true, true, true];
  const others: [
    Fits<IInstancetype, Preference>,
    Fits<IInstancetype, kplus.Secret>,
    Fits<IPreference, Instancetype>,
    Fits<IVirtualMachine, VirtualMachineInstance>,
    Fits<IVirtualMachine, VirtualMachinePool>,
    Fits<IVirtualMachineSnapshot, VirtualMachine>,
    Fits<IDataSource, kplus.PersistentVolumeClaim>,
    Fits<IDataVolume, DataSource>,
    Fits<IServiceTarget, VirtualMachineSnapshot>,
  ] = [false, false, false, false, false, false, false, false, false];
  expect(fits).not.toContain(false);
  expect(others).not.toContain(true);
});

test.each<[string, (chart: Chart) => unknown, string]>([
  [
    'a Preference as an instance type',
    (chart) => testVm({ instancetype: new Preference(chart, 'linux') as never }, chart),
    `instancetype: "web-linux" is a VirtualMachinePreference, not a VirtualMachineInstancetype or VirtualMachineClusterInstancetype
  use an Instancetype, a ClusterInstancetype, or ClusterInstancetype.fromName('u1.medium') [object-kind]`,
  ],
  [
    'a Secret as an instance type',
    (chart) => testVm({ instancetype: new kplus.Secret(chart, 's') as never }, chart),
    'instancetype: "web-s" is a Secret, not a VirtualMachineInstancetype',
  ],
  [
    'an instance type as a preference',
    () => testVm({ preference: ClusterInstancetype.fromName('u1.small') as never }),
    'preference: "u1.small" is a VirtualMachineClusterInstancetype, not a VirtualMachinePreference',
  ],
  [
    'a ConfigMap as credentials',
    (chart) => AccessCredential.sshKeysByNoCloud(new kplus.ConfigMap(chart, 'c')),
    'AccessCredential: "web-c" is a ConfigMap, not a Secret',
  ],
  [
    'a Secret as a service account',
    (chart) => testVm({ serviceAccount: new kplus.Secret(chart, 's') }, chart),
    'serviceAccount: "web-s" is a Secret, not a ServiceAccount',
  ],
  [
    'a ConfigMap as cloud-init',
    (chart) => CloudInit.fromSecret(new kplus.ConfigMap(chart, 'c')),
    'CloudInit.fromSecret: "web-c" is a ConfigMap',
  ],
  [
    'a Secret as a ConfigMap of Sysprep',
    (chart) => Sysprep.fromConfigMap(new kplus.Secret(chart, 's')),
    'Sysprep.fromConfigMap: "web-s" is a Secret',
  ],
  [
    'a ConfigMap as a pull secret',
    (chart) => Disk.containerDisk('registry.example/os:1', { pullSecret: new kplus.ConfigMap(chart, 'c') }),
    'Disk.containerDisk: pullSecret: "web-c" is a ConfigMap, not a Secret',
  ],
  [
    'a snapshot as the target of a Service',
    (chart) => new VmService(chart, 'svc', { target: testVm({}, chart).snapshot('s') as never, ports: [VmPort.SSH] }),
    'VmService: target: "web-vm-s" is a VirtualMachineSnapshot, not a VirtualMachine or',
  ],
])('rejects %s', (_, make, want) => {
  expect(mistakeOf(() => make(testChart()))).toContain(want);
});

describe('the DataSource of a DataImportCron', () => {
  const source = DataVolumeSource.registry('registry.example/os:1');
  const cronIn = (namespace: string | undefined, props: Partial<DataImportCronProps> = {}): DataImportCron =>
    new DataImportCron(new Chart(testApp(), 'images', { namespace }), 'os', {
      source,
      size: Size.gibibytes(5),
      ...props,
    });
  const referenceFrom = (cron: DataImportCron): unknown => {
    const chart = new Chart(testApp(), 'web', { namespace: 'shop' });
    const vm = testVm({ disks: [Disk.dataSource(cron.managedDataSource)] }, chart);
    return vm.apiObject.toJson().spec.dataVolumeTemplates[0].spec.sourceRef;
  };

  test.each<[string, Partial<DataImportCronProps>]>([
    ['by its name', { managedDataSource: { name: 'os' } }],
    ['without a name', { metadata: { name: 'os' } }],
  ])('is found from another namespace %s', (_, props) => {
    expect(referenceFrom(cronIn('golden', props))).toEqual({ kind: 'DataSource', name: 'os', namespace: 'golden' });
  });

  test('is found by a construct that knows its namespace', () => {
    const chart = new Chart(testApp(), 'golden', { namespace: 'golden', disableResourceNameHashes: true });
    const managedDataSource = new DataSource(chart, 'os');
    const name = managedDataSource.name;
    expect(referenceFrom(cronIn(undefined, { managedDataSource }))).toEqual({
      kind: 'DataSource',
      name,
      namespace: 'golden',
    });
  });

  test('cannot be in another namespace than the cron', () => {
    const managedDataSource = new DataSource(new Chart(testApp(), 'shop', { namespace: 'shop' }), 'os');
    expect(mistakeOf(() => cronIn('golden', { managedDataSource }))).toContain(
      'is in the namespace "shop", and the cron creates it in "golden"\n  put both into the same namespace [reference-namespace]',
    );
  });
});

test('an imported VM is snapshotted, cloned, exported and moved like a declared one', () => {
  const vm = VirtualMachine.fromName(testChart(), 'old', 'legacy', { namespace: 'prod' });
  const made = [vm.snapshot('before'), vm.clone('twin'), vm.export('copy'), vm.migrate('move')];
  const manifests = made.map(({ apiObject }) => apiObject.toJson());
  expect(
    manifests.map(({ kind, metadata, spec }) => [kind, metadata.namespace, spec.source?.name ?? spec.vmiName]),
  ).toEqual([
    ['VirtualMachineSnapshot', 'prod', 'legacy'],
    ['VirtualMachineClone', 'prod', 'legacy'],
    ['VirtualMachineExport', 'prod', 'legacy'],
    ['VirtualMachineInstanceMigration', 'prod', 'legacy'],
  ]);
  expect(vm.scheduleSnapshots('nightly').apiObject.toJson()).toMatchObject({
    kind: 'CronJob',
    metadata: { namespace: 'prod' },
  });
});
