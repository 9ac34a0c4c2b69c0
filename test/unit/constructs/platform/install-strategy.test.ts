import { ApiObject, Chart, Testing } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { PlatformImages, VirtPlatform } from '../../../../src';
import { isInstalledKind } from '../../../../src/api/install/kinds';
import { strategyHash } from '../../../../src/api/install/strategy';
import type { PlatformObject } from '../../../../src/api/platform';
import { parseObjects } from '../../../../src/runtime/operator/strategy';
import { testApp } from '../../../support/app';

type Manifest = PlatformObject & { readonly data?: Readonly<Record<string, string>> };

function synth(change?: (platform: VirtPlatform) => void, namespace?: string) {
  const chart = new Chart(testApp(), 'virt', { ...(namespace ? { namespace } : {}), labels: { team: 'infra' } });
  const images = PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1.0.0' });
  const platform = new VirtPlatform(chart, 'platform', { images, ...(namespace ? { namespace } : {}) });
  change?.(platform);
  const manifests = Testing.synth(chart) as Manifest[];
  const data = manifests.find(({ metadata }) => metadata.name === 'kubevirt-install-strategy')!.data!;
  return { platform, manifests, data, objects: parseObjects(data['objects.yaml']!) };
}

const hashIn = (manifests: readonly Manifest[]): string | undefined =>
  /--strategy-hash=(\w+)/.exec(JSON.stringify(manifests))?.[1];

test('virt-operator is deployed with the hash of the strategy', () => {
  const { data, manifests } = synth();
  expect(data.version).toBe('v1.0.0');
  expect(hashIn(manifests)).toBe(strategyHash('v1.0.0', data['objects.yaml']!));
});

test('a change of an installed object changes the strategy and the hash', () => {
  const before = synth();
  const { manifests, objects, data } = synth(({ virtApi }) => virtApi.apiObject.metadata.addAnnotation('a', 'b'));
  const api = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'virt-api')!;
  expect(api.metadata.annotations).toEqual({ a: 'b' });
  expect(hashIn(manifests)).toBe(strategyHash('v1.0.0', data['objects.yaml']!));
  expect(hashIn(manifests)).not.toBe(hashIn(before.manifests));
});

test('the objects are installed by virt-operator only', () => {
  const { manifests, objects } = synth();
  const id = ({ kind, metadata }: PlatformObject): string => `${kind} ${metadata.name}`;
  expect(objects.filter(({ kind }) => !isInstalledKind(kind))).toEqual([]);
  const applied = new Set(manifests.map(id));
  expect(objects.map(id).filter((each) => applied.has(each))).toEqual([]);
  expect(objects.map(id)).toEqual(
    expect.arrayContaining(['Deployment virt-api', 'DaemonSet virt-handler', 'Service virt-api']),
  );
});

test('the objects have the labels of the chart, and the label by which virt-operator finds them', () => {
  for (const { metadata } of synth().objects) {
    expect(metadata.labels).toMatchObject({ team: 'infra', 'kubevirt.io': expect.any(String) as string });
  }
});

test('objects of a namespace are in that of the platform, and the others in none', () => {
  const { objects } = synth(undefined, 'vms');
  const namespaces = (namespaced: boolean): unknown[] => [
    ...new Set(
      objects
        .filter(({ kind }) => (/^Cluster|Webhook|APIService|Policy/.test(kind) ? !namespaced : namespaced))
        .map(({ metadata }) => metadata.namespace),
    ),
  ];
  expect(namespaces(true)).toEqual(['vms']);
  expect(namespaces(false)).toEqual([undefined]);
});

test('each object is named in the role of virt-operator', () => {
  const { platform, objects } = synth();
  const listed = platform.installStrategy._objects().map(({ kind, name }) => `${kind} ${name}`);
  expect(listed.sort()).toEqual(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort());
});

test('an object that is added to its chart is installed as well', () => {
  const add = ({ installStrategy: { chart } }: VirtPlatform): void =>
    void new ApiObject(chart, 'Extra', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'extra', namespace: 'kubevirt' },
    });
  const { objects, data } = synth(add);
  expect(objects.map(({ metadata }) => metadata.name)).toContain('extra');
  expect(parseAllDocuments(data['objects.yaml']!)).toHaveLength(objects.length);
});
