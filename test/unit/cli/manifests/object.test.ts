import type { KubeObject } from '../../../../src/api';
import { isToolFile, notAnObject, notServed } from '../../../../src/cli/manifests/object';

test.each<[apiVersion: string, kind: string, remedy: string | undefined]>([
  ['kubevirt.io/v1', 'VirtualMachine', undefined],
  ['kubevirt.io/v1alpha3', 'VirtualMachine', undefined],
  ['kubevirt.io/v1alpha1', 'VirtualMachine', 'write apiVersion: kubevirt.io/v1'],
  ['v1', 'VirtualMachine', 'write apiVersion: kubevirt.io/v1'],
  ['kubvirt.io/v1', 'VirtualMachine', 'write apiVersion: kubevirt.io/v1'],
  ['kubevirt/v1', 'VirtualMachine', 'write apiVersion: kubevirt.io/v1'],
  ['kubevirt.io/v1', 'DataVolume', 'write apiVersion: cdi.kubevirt.io/v1beta1'],
  ['kubevirt.io/v1', 'VirtualMachineSnapshot', 'write apiVersion: snapshot.kubevirt.io/v1beta1'],
  ['kubevirt.io/v1', 'VM', 'did you mean "VirtualMachine"?'],
  ['kubevirt.io/v1', 'Virtualmachine', 'did you mean "VirtualMachine"?'],
  ['kubevirt.io/v1', 'DataVolumes', 'did you mean "DataVolume", with apiVersion: cdi.kubevirt.io/v1beta1?'],
  ['kubevirt.io/v1', 'Machine', 'correct apiVersion and kind'],
  // a part of kinds
  ['kubevirt.io/v1', 'Disk', 'correct apiVersion and kind'],
  // other groups have kinds with the same and with similar names
  ['vmoperator.vmware.com/v1alpha1', 'VirtualMachine', undefined],
  ['data.example/v1', 'DataStore', undefined],
  ['v1', 'Secret', undefined],
  ['apps/v1', 'Deployment', undefined],
])('says which kind of %s %s is meant', (apiVersion, kind, remedy) => {
  expect(notServed({ apiVersion, kind, metadata: { name: 'a' } } as KubeObject)?.remedy).toBe(remedy);
});

test('a name outside of the metadata is reported with its place', () => {
  const remedy = (object: object): string | undefined =>
    notAnObject({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', ...object })?.remedy;
  expect(remedy({ name: 'web' })).toBe('move name and namespace into metadata');
  expect(remedy({ '\u00a0\u00a0name': 'web' })).toMatch(/non-breaking spaces/);
  expect(remedy({ metadata: 'name:web' })).toBe('put a space after the colon');
  expect(remedy({})).toBe('add metadata: {name: my-vm}');
  expect(remedy({ metadata: { name: 'web' } })).toBeUndefined();
});

test.each([
  [
    'a Kustomization is the file of a tool',
    { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' },
    true,
  ],
  ['an object with metadata is not', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: {} }, false],
  ['a VM without metadata is not', { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine' }, false],
  ['a Secret without metadata is not', { apiVersion: 'v1', kind: 'Secret' }, false],
])('%s', (_, object, want) => expect(isToolFile(object)).toBe(want));
