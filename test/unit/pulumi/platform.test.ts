import { PlatformDefinitions, PlatformImages, VirtPlatform } from 'virt8s/pulumi';
import { type Registration, run, valueOf } from './engine';

jest.mock('../../../src/api/crds', () => jest.requireActual<object>('../../support/few-definitions'));

const images = PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' });

/** Registered objects, by kind and name of the object. */
const objectsOf = (registrations: readonly Registration[]): Map<string, Registration> =>
  new Map(
    registrations
      .filter(({ custom }) => custom)
      .map((each) => {
        const { kind, metadata } = each.fields as { kind: string; metadata: { name: string } };
        return [`${kind}/${metadata.name}`, each];
      }),
  );

/** Every resource that must exist before this one, which Pulumi also deletes after it. */
function before(start: Registration, all: readonly Registration[]): Set<string> {
  const found = new Set<string>();
  const visit = ({ dependsOn }: Registration): void => {
    for (const name of dependsOn) {
      if (found.has(name)) continue;
      found.add(name);
      all.filter((each) => each.name === name).forEach(visit);
    }
  };
  visit(start);
  return found;
}

test('the KubeVirt object is created after everything with which virt-operator works, and deleted before it', async () => {
  const { registrations } = await run(() => new VirtPlatform('platform', { images, definitions: false }));
  const objects = objectsOf(registrations);
  const kubeVirt = objects.get('KubeVirt/kubevirt')!;
  const needed = before(kubeVirt, registrations);
  const others = [...objects].filter(([name]) => name !== 'KubeVirt/kubevirt');
  expect(others.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'Namespace/kubevirt',
      'PriorityClass/kubevirt-cluster-critical',
      'ConfigMap/kubevirt-install-strategy',
      'RoleBinding/kubevirt-operator-authentication-reader',
      'ClusterRoleBinding/kubevirt-operator',
      'Deployment/virt-operator',
    ]),
  );
  expect(others.filter(([, { name }]) => !needed.has(name)).map(([name]) => name)).toEqual([]);
});

test('has the namespace of its objects', async () => {
  const { result } = await run(() => {
    const platform = new VirtPlatform('platform', { images, definitions: false, namespace: 'virtualization' });
    return platform.namespace;
  });
  expect(await valueOf(result)).toBe('virtualization');
});

test('virt-operator is created after the class of its Pods', async () => {
  const { registrations } = await run(() => new VirtPlatform('platform', { images, definitions: false }));
  const objects = objectsOf(registrations);
  const priorityClass = objects.get('PriorityClass/kubevirt-cluster-critical')!;
  expect(before(objects.get('Deployment/virt-operator')!, registrations)).toContain(priorityClass.name);
});

test.each([true, false])(
  'the definition of the kind is created before the KubeVirt object, in the same component: %s',
  async (definitions) => {
    const { registrations } = await run(() => {
      const kinds = definitions ? [] : [new PlatformDefinitions('kinds', {}, { retainOnDelete: true })];
      return new VirtPlatform('platform', { images, definitions }, { dependsOn: kinds });
    });
    const objects = objectsOf(registrations);
    const definition = objects.get('CustomResourceDefinition/kubevirts.kubevirt.io')!;
    // a component that is named in dependsOn stands for its objects
    expect(before(objects.get('KubeVirt/kubevirt')!, registrations)).toContain(definition.name);
    expect(definition.retainOnDelete).toBe(!definitions);
  },
);
