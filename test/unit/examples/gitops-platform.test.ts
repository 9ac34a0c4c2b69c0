import { objectsOf, synthesized, type Manifest } from './examples';

/* The orders in which Argo CD and Flux create and delete the platform. Both tools are only simulated. */

const EXAMPLE = 'gitops-platform';
const idOf = ({ kind, metadata }: Manifest): string => `${kind}/${metadata.name}`;
const foldersOf = (id: RegExp): string[] => [
  ...new Set(
    Object.entries(synthesized(EXAMPLE)).flatMap(([path, text]) => (id.test(text) ? [path.split('/')[0]!] : [])),
  ),
];
const one = (kind: string, name: string): Manifest => {
  const found = objectsOf(EXAMPLE).filter((each) => idOf(each) === `${kind}/${name}`);
  expect(found).toHaveLength(1);
  return found[0];
};

const DEFINITIONS = foldersOf(/^kind: CustomResourceDefinition$/m);
const OPERATOR = foldersOf(/^kind: (Deployment|Namespace|ConfigMap|ClusterRoleBinding)$/m);
const KUBEVIRT = foldersOf(/^kind: KubeVirt$/m);

test('each step has one folder, and its objects are nowhere else', () => {
  expect([DEFINITIONS, OPERATOR, KUBEVIRT]).toEqual([['0000-definitions'], ['0001-operator'], ['0002-kubevirt']]);
});

describe('Argo CD', () => {
  const { spec, metadata } = one('Application', 'virtualization');
  const included = objectsOf(EXAMPLE).filter(
    ({ kind }) => !['Application', 'Kustomization', 'GitRepository'].includes(kind),
  );
  const annotation = (object: Manifest, name: string): string =>
    object.metadata.annotations?.[`argocd.argoproj.io/${name}`] ?? '';
  const waveOf = (object: Manifest): number => Number(annotation(object, 'sync-wave') || 0);
  const waves = (objects: Manifest[]): string[][] =>
    [...new Set(objects.map(waveOf))]
      .sort((a, b) => a - b)
      .map((wave) => objects.filter((each) => waveOf(each) === wave).map(({ kind }) => kind as string));

  test('reads the folders of the steps, and not those of the tools', () => {
    expect(spec.source).toMatchObject({ path: 'dist', directory: { recurse: true } });
    expect(spec.source.directory.include).toBe('{0000-definitions/*,0001-operator/*,0002-kubevirt/*}');
  });

  test('creates definitions, namespace, virt-operator and KubeVirt object in this order', () => {
    const [definitions, namespace, operator, kubeVirt, ...others] = waves(included);
    expect(new Set(definitions)).toEqual(new Set(['CustomResourceDefinition']));
    expect(namespace).toContain('Namespace');
    expect(operator).toEqual(expect.arrayContaining(['Deployment', 'ConfigMap', 'ClusterRoleBinding', 'Role']));
    expect([kubeVirt, others]).toEqual([['KubeVirt'], []]);
  });

  test('deletes the KubeVirt object alone and first, and keeps the definitions', () => {
    // the application deletes its objects, in the reverse order of the waves
    expect(metadata.finalizers).toEqual(['resources-finalizer.argocd.argoproj.io']);
    const isKept = (object: Manifest, option: string): boolean =>
      annotation(object, 'sync-options').split(',').includes(option);
    const deleted = included.filter((each) => !isKept(each, 'Delete=false'));
    expect(waves(deleted).reverse()[0]).toEqual(['KubeVirt']);
    const kept = included.filter((each) => isKept(each, 'Delete=false') && isKept(each, 'Prune=false'));
    expect(new Set(kept.map(({ kind }) => kind))).toEqual(new Set(['CustomResourceDefinition']));
    expect(deleted.map(({ kind }) => kind)).not.toContain('CustomResourceDefinition');
  });
});

describe('Flux', () => {
  const steps = objectsOf(EXAMPLE).filter(({ kind }) => kind === 'Kustomization');
  const stepOf = ([folder]: string[]): Manifest => steps.find(({ spec }) => spec.path === `./dist/${folder}`);

  test('applies each step when the one before it is ready', () => {
    const [definitions, operator, kubeVirt] = [DEFINITIONS, OPERATOR, KUBEVIRT].map(stepOf);
    expect(steps).toHaveLength(3);
    const dependsOn = (step: Manifest): string[] => (step.spec.dependsOn ?? []).map(({ name }: Manifest) => name);
    expect(dependsOn(definitions)).toEqual([]);
    expect(dependsOn(operator)).toEqual([definitions.metadata.name]);
    expect(dependsOn(kubeVirt)).toEqual([operator.metadata.name]);
    for (const { spec, metadata } of steps) {
      expect(spec.wait).toBe(true);
      expect(spec.sourceRef).toEqual({
        kind: 'GitRepository',
        name: one('GitRepository', 'virtualization').metadata.name,
      });
      expect(metadata.namespace).toBe('flux-system');
    }
  });

  test('can delete the KubeVirt object alone, waits until it is gone, and keeps the definitions', () => {
    const inFolder = (folder: string): string[] =>
      Object.keys(synthesized(EXAMPLE)).filter((path) => path.startsWith(`${folder}/`));
    expect(inFolder(KUBEVIRT[0]!)).toEqual(['0002-kubevirt/KubeVirt.kubevirt.k8s.yaml']);
    expect(stepOf(KUBEVIRT).spec).toMatchObject({ prune: true, deletionPolicy: 'WaitForTermination' });
    expect(stepOf(OPERATOR).spec).toMatchObject({ prune: true, deletionPolicy: 'WaitForTermination' });
    expect(stepOf(DEFINITIONS).spec.prune).toBe(false);
  });
});
