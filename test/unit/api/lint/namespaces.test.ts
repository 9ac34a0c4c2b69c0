import type { Loose } from '../fixtures';
import { alone, object, together, vm as namedVm, words } from './worlds';

const INSTANCETYPE = 'instancetype.kubevirt.io/v1beta1';
const CDI = 'cdi.kubevirt.io/v1beta1';
const inNamespace = (namespace: string | undefined): Loose => (namespace === undefined ? {} : { namespace });

const declared = (kind: string, namespace?: string, apiVersion = 'v1'): Loose =>
  object(apiVersion, kind, 'x', {}, inNamespace(namespace));
const vm = (instance: Loose, spec: Loose = {}, namespace: string | undefined = 'b'): Loose => {
  const made = namedVm('web', { namespace });
  Object.assign(made.spec, spec);
  Object.assign(made.spec.template.spec, instance);
  return made;
};
const volume = (source: Loose): Loose => vm({ volumes: [{ name: 'v', ...source }] });
const dataVolume = (spec: Loose, namespace = 'b'): Loose => object(CDI, 'DataVolume', 'dv', spec, { namespace });

const AT = 'reference-namespace spec.template.spec';

describe('an object that is declared in another namespace is reported as', () => {
  test.each<[string, Loose, Loose, string]>([
    [
      'a ConfigMap',
      declared('ConfigMap', 'a'),
      volume({ configMap: { name: 'x' } }),
      `${AT}.volumes[0].configMap.name`,
    ],
    [
      'a Secret',
      declared('Secret', 'a'),
      volume({ secret: { secretName: 'x' } }),
      `${AT}.volumes[0].secret.secretName`,
    ],
    [
      'a Secret of cloud-init',
      declared('Secret', 'a'),
      volume({ cloudInitNoCloud: { secretRef: { name: 'x' } } }),
      `${AT}.volumes[0].cloudInitNoCloud.secretRef.name`,
    ],
    [
      'a ServiceAccount',
      declared('ServiceAccount', 'a'),
      volume({ serviceAccount: { serviceAccountName: 'x' } }),
      `${AT}.volumes[0].serviceAccount.serviceAccountName`,
    ],
    [
      'a DataVolume',
      declared('DataVolume', 'a', CDI),
      volume({ dataVolume: { name: 'x' } }),
      `${AT}.volumes[0].dataVolume.name`,
    ],
    [
      'a claim',
      declared('PersistentVolumeClaim', 'a'),
      volume({ persistentVolumeClaim: { claimName: 'x' } }),
      `${AT}.volumes[0].persistentVolumeClaim.claimName`,
    ],
    [
      'the claim of a DataVolume',
      declared('DataVolume', 'a', CDI),
      volume({ persistentVolumeClaim: { claimName: 'x' } }),
      `${AT}.volumes[0].persistentVolumeClaim.claimName`,
    ],
    [
      'an instance type',
      declared('VirtualMachineInstancetype', 'a', INSTANCETYPE),
      vm({}, { instancetype: { kind: 'VirtualMachineInstancetype', name: 'x' } }),
      'reference-namespace spec.instancetype',
    ],
    [
      'a preference',
      declared('VirtualMachinePreference', 'a', INSTANCETYPE),
      vm({}, { preference: { kind: 'VirtualMachinePreference', name: 'x' } }),
      'reference-namespace spec.preference',
    ],
    [
      'a Secret of an import',
      declared('Secret', 'a'),
      dataVolume({ source: { http: { url: 'https://images.example', secretRef: 'x' } } }),
      'reference-namespace spec.source.http.secretRef',
    ],
  ])('%s', (_, one, other, want) => expect(together(one, other)).toContain(want));
});

describe('nothing is reported for', () => {
  const mounts = volume({ secret: { secretName: 'x' } });
  test.each<[string, Loose[]]>([
    ['a Secret of the same namespace', [declared('Secret', 'b'), mounts]],
    ['a Secret of both namespaces', [declared('Secret', 'a'), declared('Secret', 'b'), mounts]],
    ['a Secret that the cluster may hold', [declared('ConfigMap', 'a'), mounts]],
    ['a Secret whose namespace is that of the context', [declared('Secret'), declared('ConfigMap', 'a'), mounts]],
    [
      'a VM whose namespace is that of the context',
      [declared('Secret', 'a'), declared('ConfigMap', 'c'), vm({ volumes: [] }, {}, undefined)],
    ],
    [
      'a Secret that an ExternalSecret of the same namespace creates',
      [declared('Secret', 'a'), declared('ExternalSecret', 'b', 'external-secrets.io/v1'), mounts],
    ],
    [
      'a DataSource, whose namespace is named',
      [
        declared('DataSource', 'a', CDI),
        dataVolume({ sourceRef: { kind: 'DataSource', name: 'x', namespace: 'a' }, storage: {} }),
      ],
    ],
    [
      'a DataVolume that the VM itself creates',
      [
        declared('DataVolume', 'a', CDI),
        vm(
          { volumes: [{ name: 'v', dataVolume: { name: 'x' } }] },
          { dataVolumeTemplates: [{ metadata: { name: 'x' }, spec: { source: { blank: {} } } }] },
        ),
      ],
    ],
    [
      'a cluster-wide instance type',
      [
        declared('VirtualMachineClusterInstancetype', undefined, INSTANCETYPE),
        declared('Secret', 'a'),
        vm({}, { instancetype: { name: 'x' } }),
      ],
    ],
  ])('%s', (_, objects) => {
    expect(together(...objects).filter((found) => found.startsWith('reference-namespace'))).toEqual([]);
  });
});

test('the message names both namespaces and what to do', () => {
  expect(words(declared('Secret', 'a'), volume({ secret: { secretName: 'x' } }))).toEqual([
    'Secret "x" (app/x) is in the namespace "a", but this object is in "b"; ' +
      'declare it in "b": a Secret must be in the namespace of the object that names it',
  ]);
  const small = declared('VirtualMachineInstancetype', 'a', INSTANCETYPE);
  const sized = vm({}, { instancetype: { kind: 'VirtualMachineInstancetype', name: 'x' } });
  expect(words(small, sized)).toEqual([
    'VirtualMachineInstancetype "x" (app/x) is in the namespace "a", but this object is in "b"; ' +
      'declare it in "b", or use a VirtualMachineClusterInstancetype, which all namespaces can use',
  ]);
});

test.each<[string, Loose]>([
  ['a Service', object('v1', 'Service', 's', { ports: [{ port: 22 }] }, { namespace: 'Shop' })],
  ['the platform', object('kubevirt.io/v1', 'KubeVirt', 'kubevirt', { configuration: {} }, { namespace: 'Kube Virt' })],
])('a namespace that cannot exist is reported once, of %s', (_, made) => {
  expect([...alone(made), ...together(made)]).toEqual(['name metadata.namespace']);
});
