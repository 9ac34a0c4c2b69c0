import { ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import {
  type ComponentCustomization,
  ComponentKind,
  ComponentPatch,
  PlatformImages,
  VirtPlatform,
  type VirtPlatformProps,
} from '../../../../src';
import { patchableKinds } from '../../../../src/api/install/kinds';
import { desiredObjects } from '../../../../src/runtime/operator/customize/desired';
import { testApp } from '../../../support/app';
import { installedBy } from '../../../support/platform';
import { mistakeOf } from '../fixtures';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
type Manifest = any;

const images = PlatformImages.of({ registry: 'registry.example', tag: 'v1' });
const platform = (customizeComponents: ComponentCustomization, props: Partial<VirtPlatformProps> = {}): VirtPlatform =>
  new VirtPlatform(new Chart(testApp(), 'virt'), 'platform', {
    ...{ images, definitions: false, customizeComponents },
    ...props,
  });
const synth = (given: VirtPlatform): Manifest[] => Testing.synth(Chart.of(given));

/** Objects as virt-operator makes them from the manifests. */
function installed(customizeComponents: ComponentCustomization): { objects: Manifest[]; problems: readonly string[] } {
  const manifests = synth(platform(customizeComponents));
  const { spec } = manifests.find(({ kind }) => kind === 'KubeVirt');
  const { objects, problems } = desiredObjects({
    ...{ namespace: 'kubevirt', version: 'v1', spec, definitions: [] },
    objects: installedBy(manifests),
  });
  return { objects: objects as Manifest[], problems };
}
const named = (objects: Manifest[], kind: string, name: string): Manifest =>
  objects.find((each) => each.kind === kind && each.metadata.name === name);

const api = { kind: ComponentKind.DEPLOYMENT, name: 'virt-api' };
const controller = { kind: ComponentKind.DEPLOYMENT, name: 'virt-controller' };

test('virt-operator applies patches of every type, and flags', () => {
  const { objects, problems } = installed({
    patches: [
      ComponentPatch.json(api, [JsonPatch.replace('/spec/replicas', 5)]),
      ComponentPatch.merge({ kind: ComponentKind.SERVICE, name: '*' }, { metadata: { annotations: { team: 'virt' } } }),
      ComponentPatch.strategic(controller, {
        spec: { template: { spec: { containers: [{ name: 'virt-controller', env: [{ name: 'A', value: 'b' }] }] } } },
      }),
    ],
    flags: {
      virtApi: { port: '1' },
      virtController: { 'vmi-controller-threads': '20' },
      virtHandler: { 'metrics-port': '2' },
    },
  });
  expect(problems).toEqual([]);
  expect(named(objects, 'Deployment', 'virt-api').spec.replicas).toBe(5);
  const services = objects.filter(({ kind }) => kind === 'Service');
  expect(services.length).toBeGreaterThan(1);
  for (const { metadata } of services) expect(metadata.annotations.team).toBe('virt');
  const containerOf = (kind: string, name: string): Manifest =>
    named(objects, kind, name).spec.template.spec.containers[0];
  expect(containerOf('Deployment', 'virt-controller').env).toContainEqual({ name: 'A', value: 'b' });
  expect(containerOf('Deployment', 'virt-controller').image).toBe('registry.example/virt-controller:v1');
  expect(containerOf('Deployment', 'virt-api').args).toContain('--port=1');
  expect(containerOf('Deployment', 'virt-controller').args).toContain('--vmi-controller-threads=20');
  expect(containerOf('DaemonSet', 'virt-handler').args).toContain('--metrics-port=2');
});

test('has a constant for each kind that can be patched', () => {
  const constants = Object.values(ComponentKind).filter((each) => each instanceof ComponentKind);
  expect(constants.map(({ value }) => value).sort()).toEqual([...patchableKinds].sort());
});

const patchOf = (kind: ComponentKind, name: string): ComponentCustomization => ({
  patches: [ComponentPatch.merge({ kind, name }, {})],
});

describe('the target of a patch', () => {
  test.each<[string, ComponentKind, string]>([
    ['a program', ComponentKind.DAEMON_SET, 'virt-handler'],
    ['all objects of a kind', ComponentKind.CLUSTER_ROLE, '*'],
    [
      'a definition, although another chart declares it',
      ComponentKind.CUSTOM_RESOURCE_DEFINITION,
      'kubevirts.kubevirt.io',
    ],
    ['a ConfigMap that virt-operator makes', ComponentKind.CONFIG_MAP, 'kubevirt-ca'],
    ['a kind that is written as kubectl writes it', ComponentKind.of('deployment'), 'virt-api'],
  ])('may be %s', (_, kind, name) => expect(() => synth(platform(patchOf(kind, name)))).not.toThrow());

  test.each<[string, ComponentKind, string, string]>([
    [
      'has the name of an installed object',
      ComponentKind.DEPLOYMENT,
      'virt-controler',
      'customizeComponents.patches[0] (spec.customizeComponents.patches[0].resourceName): the platform installs no Deployment "virt-controler" (allowed: "virt-api", "virt-controller", "cdi-uploadproxy")\n  did you mean "virt-controller"? [component-target]',
    ],
    [
      'is not virt-operator, which the manifests contain',
      ComponentKind.DEPLOYMENT,
      'virt-operator',
      'the platform installs no Deployment "virt-operator"',
    ],
    ['has a kind that is installed', ComponentKind.of('Pod'), '*', 'the platform installs no object of kind "Pod"'],
  ])('%s', (_, kind, name, message) => {
    expect(mistakeOf(() => synth(platform(patchOf(kind, name))))).toContain(message);
  });

  test('may be an object that was added to the install strategy', () => {
    const given = platform(patchOf(ComponentKind.CONFIG_MAP, 'extra'));
    new ApiObject(given.installStrategy.chart, 'Extra', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'extra' },
    });
    expect(() => synth(given)).not.toThrow();
  });

  test('has no upload proxy where CDI is installed', () => {
    const patch = patchOf(ComponentKind.DEPLOYMENT, 'cdi-uploadproxy');
    expect(mistakeOf(() => synth(platform(patch, { importer: false })))).toContain('no Deployment "cdi-uploadproxy"');
  });
});

test('rejects flags that are written with dashes', () => {
  const given = platform({ flags: { virtHandler: { '--port': '1' } } });
  expect(mistakeOf(() => synth(given))).toContain('customizeComponents.flags.virtHandler');
});
