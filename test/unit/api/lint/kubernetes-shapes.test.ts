import { lintKubernetes } from '../../../../src/api/lint/kubernetes';
import type { Loose } from '../fixtures';

const reported = (apiVersion: string, kind: string, rest: Loose): string[] =>
  lintKubernetes({ apiVersion, kind, metadata: { name: 'a' }, ...rest } as never).map(
    ({ rule, path, remedy }) => `${rule} ${path}: ${remedy}`,
  );
const resources = { requests: { storage: '1Gi' } };
const claim = (spec: Loose): string[] =>
  reported('v1', 'PersistentVolumeClaim', { spec: { accessModes: ['ReadWriteOnce'], resources, ...spec } });
const autoscaler = (scaleTargetRef: Loose): string[] =>
  reported('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: {
      scaleTargetRef,
      maxReplicas: 2,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '1' } } }],
    },
  });

test.each<[string, string[], string[]]>([
  ['accepts a claim', claim({ volumeMode: 'Block' }), []],
  [
    'reports an access mode without a list',
    claim({ accessModes: 'ReadWriteOnce' }),
    ['schema-type spec.accessModes: write a list here, also for one item'],
  ],
  [
    'reports a volume mode in lower case',
    claim({ volumeMode: 'block' }),
    ['schema-enum spec.volumeMode: did you mean "Block"?'],
  ],
  [
    'reports a unit with a B',
    claim({ resources: { requests: { storage: '5GB' } } }),
    [expect.stringMatching(/^schema-quantity spec\.resources\.requests\.storage: /)],
  ],
  [
    'reports a size above its requests',
    claim({ resources: { storage: '5Gi' } }),
    [
      'schema-unknown-field spec.resources.storage: move it to spec.resources.requests.storage',
      'claim-size spec.resources.requests.storage: write one, such as 10Gi',
    ],
  ],
  [
    'reports a size of 0',
    claim({ resources: { requests: { storage: '0' } } }),
    ['claim-size spec.resources.requests.storage: write one, such as 10Gi'],
  ],
  ['reports an empty list of access modes', claim({ accessModes: [] }), ['schema-limit spec.accessModes: add items']],
  ['ignores a field of a newer Kubernetes', claim({ unheardOf: 1 }), []],
  [
    'reports a misspelt field',
    claim({ storageClass: 'fast' }),
    ['schema-unknown-field spec.storageClass: did you mean "storageClassName"?'],
  ],
  [
    'reports a populator without its group',
    claim({ dataSourceRef: { kind: 'VolumeImportSource', name: 'a' } }),
    ['claim-source-group spec.dataSourceRef.apiGroup: add apiGroup: cdi.kubevirt.io'],
  ],
  [
    'reports a group with a version',
    claim({ dataSourceRef: { apiGroup: 'cdi.kubevirt.io/v1beta1', kind: 'VolumeImportSource', name: 'a' } }),
    ['claim-source-group spec.dataSourceRef.apiGroup: write cdi.kubevirt.io, without a version'],
  ],
  [
    'accepts populators of others',
    claim({ dataSourceRef: { apiGroup: 'a.example', kind: 'Populator', name: 'a' } }),
    [],
  ],
  ['accepts a claim as a source', claim({ dataSource: { kind: 'PersistentVolumeClaim', name: 'a' } }), []],
  ['accepts base64', reported('v1', 'Secret', { data: { a: 'YQ==', b: 'YWJj\nYQ==\n', c: '' } }), []],
  [
    'reports a text in the data of a Secret',
    reported('v1', 'Secret', { data: { a: 'text!', b: 'YQ' } }),
    ['a', 'b'].map(
      (key) => `value-base64 data.${key}: write the text itself under stringData, or encode it with base64 -w0`,
    ),
  ],
  [
    'reports a number in a Secret',
    reported('v1', 'Secret', { stringData: { port: 80 } }),
    ['schema-type stringData.port: put it into quotes: without them, YAML reads a number'],
  ],
  ['accepts texts of a ConfigMap', reported('v1', 'ConfigMap', { data: { a: 'x' }, binaryData: { b: 'YQ==' } }), []],
  [
    'reports an object in a ConfigMap',
    reported('v1', 'ConfigMap', { data: { a: { b: 1 } } }),
    ['schema-type data.a: write a string here; begin a text of several lines with |'],
  ],
  [
    'reports an answer file that is not XML',
    reported('v1', 'ConfigMap', { data: { 'autounattend.xml': '<unattend>', 'other.xml': '<a>' } }),
    ['sysprep-xml data.autounattend.xml: close it with </unattend>'],
  ],
  [
    'reports one in a Secret',
    reported('v1', 'Secret', { stringData: { 'Unattend.xml': '<a/>' } }),
    ['sysprep-xml stringData.Unattend.xml: write <unattend> as the root element'],
  ],
  [
    'reports a parameter without quotes',
    reported('storage.k8s.io/v1', 'StorageClass', { provisioner: 'a', parameters: { replicas: 3 } }),
    ['schema-type parameters.replicas: put it into quotes: without them, YAML reads a number'],
  ],
  [
    'reports an Ingress of a removed version',
    reported('extensions/v1beta1', 'Ingress', { spec: {} }),
    ['kubernetes-version apiVersion: write apiVersion: networking.k8s.io/v1, and compare the fields with that version'],
  ],
  [
    'reports an Ingress in the core',
    reported('v1', 'Ingress', { spec: {} }),
    ['kubernetes-version apiVersion: write apiVersion: networking.k8s.io/v1, and compare the fields with that version'],
  ],
  ['accepts an Ingress of another group', reported('a.example/v1', 'Ingress', { spec: {} }), []],
  ['accepts a pool', autoscaler({ apiVersion: 'pool.kubevirt.io/v1beta1', kind: 'VirtualMachinePool', name: 'a' }), []],
  ['accepts a Deployment', autoscaler({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }), []],
  [
    'reports an autoscaler of a VM',
    autoscaler({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'a' }),
    ['autoscaler-target spec.scaleTargetRef.kind: scale a VirtualMachinePool or a VirtualMachineInstanceReplicaSet'],
  ],
  [
    'reports a pool in a wrong group',
    autoscaler({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachinePool', name: 'a' }),
    ['autoscaler-target spec.scaleTargetRef.apiVersion: write apiVersion: pool.kubevirt.io/v1beta1'],
  ],
])('%s', (_, found, want) => expect(found).toEqual(want));
