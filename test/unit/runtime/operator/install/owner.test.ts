import { foreignInstallation, ownObjects, upstreamOwner } from '../../../../../src/runtime/operator/install/owner';

const VERSION = { 'kubevirt.io/install-strategy-version': 'v1.6.0' };
const MANAGED = { 'app.kubernetes.io/managed-by': 'virt-operator' };
const object = (annotations?: object, labels?: object) => ({ metadata: { name: 'a', annotations, labels } }) as never;

test.each<[string, never, string | undefined]>([
  ["with KubeVirt's annotation and label belongs to KubeVirt", object(VERSION, MANAGED), 'KubeVirt v1.6.0'],
  ['with the label only belongs to this platform', object(undefined, MANAGED), undefined],
  ['with the annotation only belongs to nobody', object(VERSION), undefined],
  ['with another manager belongs to nobody', object(VERSION, { 'app.kubernetes.io/managed-by': 'Helm' }), undefined],
  ['without both belongs to nobody', object(), undefined],
])('an object %s', (_, each, want) => expect(upstreamOwner(each)).toBe(want));

describe('an installation of KubeVirt', () => {
  const wanted = ownObjects('kubevirt', true);

  test.each(wanted.map((each) => [`${each.kind} ${each.metadata.name}`, each] as const))('is found by %s', (_, own) => {
    const find = (each: object): never | undefined => (each === own ? object(VERSION, MANAGED) : undefined);
    expect(foreignInstallation(wanted, find)).toBe(`KubeVirt v1.6.0 owns ${own.kind} "${own.metadata.name}"`);
  });

  test('is not found where there is none', () => {
    expect(foreignInstallation(wanted, () => object(undefined, MANAGED))).toBeUndefined();
    expect(foreignInstallation(wanted, () => undefined)).toBeUndefined();
  });

  test('may have the Secrets and ConfigMaps of its authorities', () => {
    expect(wanted.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual(
      expect.arrayContaining(['Secret kubevirt/kubevirt-ca', 'ConfigMap kubevirt/kubevirt-ca']),
    );
  });
});
