import { ApiObject, type ApiObjectProps, type App, Chart, JsonPatch, Lazy, Size } from 'cdk8s';
import { CloudInit, Disk, VirtualMachine, VmPort } from '../../../src';
import { reportsOf } from '../../../src/constructs/reports';
import { worldAt } from '../../../src/constructs/world';
import { testApp } from '../../support/app';

/** An app with objects of this library and of others. */
function made(): { readonly app: App; readonly chart: Chart; readonly vm: VirtualMachine; readonly other: ApiObject } {
  const app = testApp();
  const chart = new Chart(app, 'web');
  const vm = new VirtualMachine(chart, 'vm', {
    memory: Size.gibibytes(1),
    disks: [Disk.containerDisk('registry.example/os:1')],
    cloudInit: CloudInit.noCloud({ packages: ['nginx'] }),
  });
  const other = new ApiObject(chart, 'other', { apiVersion: 'v1', kind: 'Service', spec: lazySpec });
  return { app, chart, vm, other };
}

let selected = { selector: { app: 'web' }, ports: [{ port: 80 }] };
const lazySpec = Lazy.any({ produce: () => selected });
beforeEach(() => (selected = { selector: { app: 'web' }, ports: [{ port: 80 }] }));

/** Validates the app as synth does, and returns the state that the rules read. */
function validated(app: App): ReturnType<typeof worldAt> {
  expect(reportsOf(app.node.findAll())).toEqual([]);
  return worldAt(app);
}

test('the world is the same while no object changes', () => {
  const { app } = made();
  const before = validated(app);
  expect(validated(app)).toBe(before);
});

test.each<[string, (parts: ReturnType<typeof made>) => void]>([
  ['a new object', ({ chart }) => new ApiObject(chart, 'more', { apiVersion: 'v1', kind: 'Secret' })],
  ['an object less', ({ chart }) => chart.node.tryRemoveChild('other')],
  [
    'one object instead of another',
    ({ chart }) => {
      chart.node.tryRemoveChild('other');
      new ApiObject(chart, 'other', { apiVersion: 'v1', kind: 'Service', spec: lazySpec });
    },
  ],
  ['a further disk of a VM', ({ vm }) => vm.addDisk(Disk.emptyDisk(Size.gibibytes(1)))],
  ['a label of a VM', ({ vm }) => vm.apiObject.metadata.addLabel('tier', 'front')],
  ['a label of an object of another library', ({ other }) => other.metadata.addLabel('app', 'web')],
  [
    'a patch of an object of another library',
    ({ other }) => other.addJsonPatch(JsonPatch.add('/spec/type', 'NodePort')),
  ],
  ['a Lazy value', () => (selected = { ...selected, ports: [{ port: 81 }] })],
  ['a Service of a VM', ({ vm }) => vm.exposeViaService('web', { ports: [VmPort.HTTP] })],
])('the world is another one after a change: %s', (_, change) => {
  const parts = made();
  const before = validated(parts.app);
  change(parts);
  expect(validated(parts.app)).not.toBe(before);
});

test.each<[string, object, JsonPatch]>([
  [
    'a Service',
    { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 80 }] } },
    JsonPatch.replace('/spec/ports/0/port', 0),
  ],
  [
    'a VirtualMachine',
    {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      spec: { runStrategy: 'Always', template: { spec: { domain: { memory: { guest: '1Gi' }, devices: {} } } } },
    },
    JsonPatch.replace('/spec/runStrategy', 'Sometimes'),
  ],
  [
    'a VirtualMachineInstancetype',
    {
      apiVersion: 'instancetype.kubevirt.io/v1beta1',
      kind: 'VirtualMachineInstancetype',
      spec: { cpu: { guest: 1 }, memory: { guest: '1Gi' } },
    },
    JsonPatch.replace('/spec/cpu/guest', 'one'),
  ],
])('a mistake that a patch makes after a first synth is reported: %s', (_, object, patch) => {
  const { app, chart } = made();
  const other = new ApiObject(chart, 'patched', object as ApiObjectProps);
  validated(app);
  other.addJsonPatch(patch);
  expect(new Set(reportsOf(app.node.findAll()).map(({ construct }) => construct))).toEqual(new Set(['web/patched']));
});
