import { ApiObject, type App, Chart, JsonPatch, Lazy, Size } from 'cdk8s';
import { CloudInit, Disk, VirtualMachine, VmPort } from '../../../src';
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

/** Renders each object, as the rules of a validation do. */
function validated(app: App): ReturnType<typeof worldAt> {
  app.node.validate();
  const world = worldAt(app);
  for (const kind of ['VirtualMachine', 'Service', 'Secret']) for (const each of world.all(kind)) each.object();
  return world;
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
  ['a label of a VM', ({ vm }) => vm.apiObject.metadata.addLabel('app', 'web')],
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
