import { App, Chart } from 'cdk8s';
import { PlatformDefinitions, PlatformImages, VirtPlatform, type VirtPlatformProps } from '../../../../src';
import { mistakeOf } from '../fixtures';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
type Manifest = any;

const images = PlatformImages.of({ registry: 'registry.example', tag: 'v1' });

function manifests(props: Partial<VirtPlatformProps> = {}): Manifest[] {
  const chart = new Chart(new App(), 'platform', { disableResourceNameHashes: true });
  new VirtPlatform(chart, 'platform', { images, syncWaves: true, monitoring: {}, ...props });
  return chart.toJson() as Manifest[];
}
const annotation = ({ metadata }: Manifest, name: string): string | undefined =>
  metadata.annotations?.[`argocd.argoproj.io/${name}`];
const waveOf = (object: Manifest): number => Number(annotation(object, 'sync-wave'));
const isDefinition = ({ kind }: Manifest): boolean => kind === 'CustomResourceDefinition';

test('creates the definitions first, then namespace, virt-operator and KubeVirt object', () => {
  const objects = manifests();
  const kindsOf = (wave: number): string[] => objects.filter((each) => waveOf(each) === wave).map(({ kind }) => kind);
  expect([...new Set(objects.map(waveOf))].sort((a, b) => a - b)).toEqual([-4, -3, -2, -1]);
  expect(new Set(kindsOf(-4))).toEqual(new Set(['CustomResourceDefinition']));
  expect(kindsOf(-3).sort()).toEqual(['Namespace', 'PriorityClass']);
  expect(kindsOf(-2)).toEqual(expect.arrayContaining(['ConfigMap', 'ClusterRole', 'Deployment', 'PrometheusRule']));
  expect(kindsOf(-1)).toEqual(['KubeVirt']);
});

test('the reverse order deletes the KubeVirt object before everything that removes the platform, and keeps the definitions', () => {
  const objects = manifests();
  const deleted = objects.filter((each) => !/\bDelete=false\b/.test(annotation(each, 'sync-options') ?? ''));
  const first = deleted.toSorted((a, b) => waveOf(b) - waveOf(a));
  expect(first[0].kind).toBe('KubeVirt');
  expect(waveOf(first[0])).toBeGreaterThan(waveOf(first[1]));
  // VMs of the same application are in wave 0: the platform must still be there when they end
  expect(waveOf(first[0])).toBeLessThan(0);
  const kept = objects.filter(isDefinition);
  expect(kept.length).toBeGreaterThan(30);
  expect(deleted.filter(isDefinition)).toEqual([]);
  for (const each of kept)
    expect(annotation(each, 'sync-options')).toBe('ServerSideApply=true,Prune=false,Delete=false');
});

test('the objects of the install strategy have no waves, because virt-operator orders them', () => {
  const strategy = manifests().find(({ metadata }) => metadata.name === 'kubevirt-install-strategy');
  expect(strategy.data['objects.yaml']).not.toContain('argocd');
});

test('without the property, no object has a wave', () => {
  for (const each of manifests({ syncWaves: false })) expect(each.metadata.annotations).toBeUndefined();
  const chart = new Chart(new App(), 'definitions');
  new PlatformDefinitions(chart, 'definitions');
  expect((chart.toJson() as Manifest[]).flatMap((each) => annotation(each, 'sync-wave') ?? [])).toEqual([]);
});

describe('a chart of its own for the KubeVirt object', () => {
  test('contains nothing else, and is applied after the platform', () => {
    const app = new App();
    // declared first, so that only the dependency can order them
    const kubeVirtChart = new Chart(app, 'kubevirt', { disableResourceNameHashes: true });
    const chart = new Chart(app, 'operator', { disableResourceNameHashes: true });
    new VirtPlatform(chart, 'platform', { images, definitions: false, kubeVirtChart });
    expect((kubeVirtChart.toJson() as Manifest[]).map(({ kind }) => kind)).toEqual(['KubeVirt']);
    expect((chart.toJson() as Manifest[]).map(({ kind }) => kind)).not.toContain('KubeVirt');
    expect(kubeVirtChart.node.findAll().flatMap((each) => each.node.dependencies)).toContain(
      chart.node.findChild('platform').node.findChild('VirtOperator'),
    );
  });

  test('must be part of the same app', () => {
    const kubeVirtChart = new Chart(new App(), 'kubevirt');
    expect(mistakeOf(() => manifests({ kubeVirtChart }))).toContain(
      'VirtPlatform: kubeVirtChart: is a chart of another app\n  create the chart in the app of the platform [platform-chart]',
    );
  });
});
