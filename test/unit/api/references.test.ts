import type { KubeObject } from '../../../src/api';
import { referencesOf, selectableLabels, selectionsOf } from '../../../src/api/references';

const object = (apiVersion: string, kind: string, more: object): KubeObject =>
  ({ apiVersion, kind, metadata: { name: 'web', namespace: 'shop' }, ...more }) as KubeObject;
const reported = (of: KubeObject): string[] =>
  referencesOf(of).map(
    ({ path, kind, group, namespace, name, isMade }) =>
      `${path} ${isMade ? 'makes ' : ''}${kind}${group && `.${group}`} ${namespace ? `${namespace}/` : ''}${name}`,
  );
const guest = {
  domain: { devices: {}, firmware: { kernelBoot: { container: { image: 'i', imagePullSecret: 'pull' } } } },
  networks: [
    { name: 'pod', pod: {} },
    { name: 'lan', multus: { networkName: 'net/lan' } },
    { name: 'own', multus: { networkName: 'own' } },
  ],
  volumes: [
    { name: 'a', containerDisk: { image: 'i', imagePullSecret: 'pull' } },
    { name: 'b', dataVolume: { name: 'root' } },
    { name: 'c', ephemeral: { persistentVolumeClaim: { claimName: 'base' } } },
    { name: 'd', cloudInitNoCloud: { secretRef: { name: 'user' }, networkDataSecretRef: { name: 'net' } } },
    { name: 'e', sysprep: { secret: { name: 'answers' } } },
    { name: 'f', configMap: { name: 'files' } },
    { name: 'g', serviceAccount: { serviceAccountName: 'robot' } },
  ],
  accessCredentials: [{ sshPublicKey: { source: { secret: { secretName: 'keys' } } } }],
};
const inGuest = (at: string): string[] => [
  `${at}.domain.firmware.kernelBoot.container.imagePullSecret Secret pull`,
  `${at}.networks[1].multus.networkName NetworkAttachmentDefinition.k8s.cni.cncf.io net/lan`,
  `${at}.networks[2].multus.networkName NetworkAttachmentDefinition.k8s.cni.cncf.io own`,
  `${at}.volumes[0].containerDisk.imagePullSecret Secret pull`,
  `${at}.volumes[1].dataVolume.name DataVolume.cdi.kubevirt.io root`,
  `${at}.volumes[2].ephemeral.persistentVolumeClaim.claimName PersistentVolumeClaim base`,
  `${at}.volumes[3].cloudInitNoCloud.secretRef.name Secret user`,
  `${at}.volumes[3].cloudInitNoCloud.networkDataSecretRef.name Secret net`,
  `${at}.volumes[4].sysprep.secret.name Secret answers`,
  `${at}.volumes[5].configMap.name ConfigMap files`,
  `${at}.volumes[6].serviceAccount.serviceAccountName ServiceAccount robot`,
  `${at}.accessCredentials[0].sshPublicKey.source.secret.secretName Secret keys`,
];

test.each<[string, KubeObject, string[]]>([
  [
    'a VM names what its template, its sizes and its disk templates name, and makes the latter',
    object('kubevirt.io/v1', 'VirtualMachine', {
      spec: {
        instancetype: { name: 'small' },
        preference: { kind: 'virtualmachinepreference', name: 'linux' },
        dataVolumeTemplates: [
          {
            metadata: { name: 'root' },
            spec: {
              sourceRef: { kind: 'DataSource', name: 'debian', namespace: 'golden' },
              storage: { storageClassName: 'fast' },
            },
          },
        ],
        template: { spec: guest },
      },
    }),
    [
      'spec.instancetype VirtualMachineClusterInstancetype.instancetype.kubevirt.io small',
      'spec.preference VirtualMachinePreference.instancetype.kubevirt.io linux',
      'spec.dataVolumeTemplates[0].metadata makes DataVolume.cdi.kubevirt.io root',
      'spec.dataVolumeTemplates[0].spec.sourceRef DataSource.cdi.kubevirt.io golden/debian',
      'spec.dataVolumeTemplates[0].spec.storage.storageClassName StorageClass.storage.k8s.io fast',
      ...inGuest('spec.template.spec'),
    ],
  ],
  ['an instance', object('kubevirt.io/v1', 'VirtualMachineInstance', { spec: guest }), inGuest('spec')],
  [
    'a pool',
    object('pool.kubevirt.io/v1beta1', 'VirtualMachinePool', {
      spec: { virtualMachineTemplate: { spec: { template: { spec: guest } } } },
    }),
    inGuest('spec.virtualMachineTemplate.spec.template.spec'),
  ],
  [
    'a DataVolume',
    object('cdi.kubevirt.io/v1beta1', 'DataVolume', {
      spec: {
        source: { http: { url: 'https://x', secretRef: 'login', certConfigMap: 'ca', secretExtraHeaders: ['h'] } },
      },
    }),
    [
      'spec.source.http.secretRef Secret login',
      'spec.source.http.certConfigMap ConfigMap ca',
      'spec.source.http.secretExtraHeaders[0] Secret h',
    ],
  ],
  [
    'a cron makes its DataSource',
    object('cdi.kubevirt.io/v1beta1', 'DataImportCron', { spec: { managedDataSource: 'debian' } }),
    ['spec.managedDataSource makes DataSource.cdi.kubevirt.io debian'],
  ],
  [
    'a snapshot and a restore',
    object('snapshot.kubevirt.io/v1beta1', 'VirtualMachineRestore', {
      spec: {
        target: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'new' },
        virtualMachineSnapshotName: 'before',
      },
    }),
    [
      'spec.target makes VirtualMachine.kubevirt.io new',
      'spec.virtualMachineSnapshotName VirtualMachineSnapshot.snapshot.kubevirt.io before',
    ],
  ],
  [
    'a web application',
    object('apps/v1', 'Deployment', {
      spec: {
        template: { spec: { containers: [{ envFrom: [{ secretRef: { name: 'db' } }] }], serviceAccountName: 'app' } },
      },
    }),
    [
      'spec.template.spec.containers[0].envFrom[0].secretRef.name Secret db',
      'spec.template.spec.serviceAccountName ServiceAccount app',
    ],
  ],
  [
    'what has the wrong shape names nothing',
    object('kubevirt.io/v1', 'VirtualMachine', {
      spec: { instancetype: 'small', template: { spec: { volumes: [null, 7, { secret: [] }], networks: {} } } },
    }),
    [],
  ],
  [
    'kinds that are not known name nothing',
    object('example.com/v1', 'VirtualMachine', { spec: { template: { spec: guest } } }),
    [],
  ],
])('%s', (_, of, want) => expect(reported(of)).toEqual(want));

describe('what is selected', () => {
  const vm = object('kubevirt.io/v1', 'VirtualMachine', {
    spec: { template: { metadata: { labels: { app: 'web' } } } },
  });
  const labels = selectableLabels(vm)!;

  test.each<[string, KubeObject, boolean[]]>([
    ['a Service by its labels', object('v1', 'Service', { spec: { selector: { app: 'web' } } }), [true]],
    [
      'a Service by the name of a VM',
      object('v1', 'Service', { spec: { selector: { 'vm.kubevirt.io/name': 'web' } } }),
      [true],
    ],
    ['a Service of others', object('v1', 'Service', { spec: { selector: { app: 'other' } } }), [false]],
    ['a Service without a selector selects nothing', object('v1', 'Service', { spec: {} }), []],
    [
      'an empty policy selects everything',
      object('networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {} } }),
      [true],
    ],
    [
      'expressions',
      object('policy/v1', 'PodDisruptionBudget', {
        spec: {
          selector: {
            matchExpressions: [
              { key: 'app', operator: 'In', values: ['web'] },
              { key: 'old', operator: 'DoesNotExist' },
            ],
          },
        },
      }),
      [true],
    ],
    [
      'a migration policy',
      object('migrations.kubevirt.io/v1alpha1', 'MigrationPolicy', {
        spec: { selectors: { virtualMachineInstanceSelector: { app: 'x' } } },
      }),
      [false],
    ],
  ])('%s', (_, of, want) => expect(selectionsOf(of).map(({ matches }) => matches(labels))).toEqual(want));

  test('Secrets make no Pods', () => expect(selectableLabels(object('v1', 'Secret', {}))).toBeUndefined());
});
