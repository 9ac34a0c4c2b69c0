import { validateSchema } from '../../../src/api';
import { type Loose, validVm } from './fixtures';

const remedies = (object: Loose): string[] => validateSchema(object).map(({ path, remedy }) => `${path}: ${remedy}`);
const ofVm = (change: (vm: Loose, guest: Loose) => void): string[] => {
  const vm: Loose = structuredClone(validVm());
  change(vm, vm.spec.template.spec);
  return remedies(vm).map((each) => each.replace(/^spec\.template\.spec\./, ''));
};
const of = (apiVersion: string, kind: string, spec: Loose): string[] =>
  remedies({ apiVersion, kind, metadata: { name: 'a' }, spec });

test.each<[string, (vm: Loose, guest: Loose) => void, string]>([
  // a field at the wrong level
  ['too deep', (_, guest) => (guest.domain.volumes = []), 'domain.volumes: move it to spec.template.spec.volumes'],
  [
    'not deep enough',
    (_, guest) => (guest.domain.disks = []),
    'domain.disks: move it to spec.template.spec.domain.devices.disks',
  ],
  [
    'of the VM',
    (_, guest) => (guest.dataVolumeTemplates = []),
    'dataVolumeTemplates: move it to spec.dataVolumeTemplates',
  ],
  [
    'of the guest',
    (vm) => (vm.spec.evictionStrategy = 'None'),
    'spec.evictionStrategy: move it to spec.template.spec.evictionStrategy',
  ],
  [
    'of the metadata',
    (vm) => (vm.spec.template.labels = {}),
    'spec.template.labels: move it to spec.template.metadata.labels',
  ],
  [
    'that may be in several objects',
    (_, guest) => (guest.domain.devices.disks[0] = { name: 'root', bus: 'sata' }),
    'domain.devices.disks[0].bus: move it to one of spec.template.spec.domain.devices.disks[0].cdrom.bus, spec.template.spec.domain.devices.disks[0].disk.bus, spec.template.spec.domain.devices.disks[0].lun.bus',
  ],
  // a place that is taken, or for another type
  [
    'whose place is taken',
    (_, guest) => (guest.domain.devices.disks[0].disk.name = 'a'),
    'domain.devices.disks[0].disk.name: remove it',
  ],
  ['of another type', (_, guest) => (guest.domain.volumes = 'a'), 'domain.volumes: remove it'],
  [
    'of metadata',
    (vm) => (vm.spec.dataVolumeTemplates = [{ name: 'a', spec: {} }]),
    'spec.dataVolumeTemplates[0].name: move it to spec.dataVolumeTemplates[0].metadata.name',
  ],
  // a field with another name
  ['misspelt', (_, guest) => (guest.domain.devices.disk = []), 'domain.devices.disk: did you mean "disks"?'],
  ['in another case', (_, guest) => (guest.hostName = 'a'), 'hostName: did you mean "hostname"?'],
  [
    'that is a part of another',
    (_, guest) => (guest.volumes[0].persistentVolumeClaim = { claimName: 'a', claim: 'b' }),
    'volumes[0].persistentVolumeClaim.claim: did you mean "claimName"?',
  ],
  [
    'of an old version',
    (_, guest) => (guest.volumes[0].registryDisk = {}),
    'volumes[0].registryDisk: write "containerDisk" instead',
  ],
  [
    'whose value is a field',
    (_, guest) => (guest.domain.devices.interfaces = [{ name: 'a', type: 'bridge' }]),
    'domain.devices.interfaces[0].type: write bridge: {} instead',
  ],
  ['that is unknown', (_, guest) => (guest.containers = []), 'containers: remove it'],
  // a value of another type
  ['a quoted number', (_, guest) => (guest.domain.cpu.cores = '2'), 'domain.cpu.cores: write it without quotes'],
  [
    'a number with a unit',
    (_, guest) => (guest.terminationGracePeriodSeconds = '30s'),
    'terminationGracePeriodSeconds: write an integer here, without a unit',
  ],
  ['a quoted switch', (vm) => (vm.spec.running = 'true'), 'spec.running: write it without quotes'],
  [
    'a label without quotes',
    (vm) => (vm.metadata.labels = { a: true }),
    'metadata.labels.a: put it into quotes: without them, YAML reads a boolean',
  ],
  [
    'a scalar for an object',
    (_, guest) => (guest.domain.memory = '1Gi'),
    'domain.memory: write an object here: {guest: …}',
  ],
  [
    'a number for an object',
    (_, guest) => (guest.domain.devices.interfaces = [{ name: 'a', ports: [80] }]),
    'domain.devices.interfaces[0].ports[0]: write an object here: {port: …}',
  ],
  [
    'a switch for a feature',
    (_, guest) => (guest.domain.features = { acpi: true }),
    'domain.features.acpi: write an object here: {enabled: …}',
  ],
  [
    'an object for a list',
    (_, guest) => (guest.volumes = {}),
    'volumes: write a list: begin each item with a dash (-)',
  ],
  [
    'an object for a text',
    (_, guest) => (guest.hostname = {}),
    'hostname: write a string here; begin a text of several lines with |',
  ],
])('the remedy for a field %s', (_, change, want) => {
  expect(ofVm(change)).toEqual([want]);
});

test('the remedy for fields of another kind names that kind', () => {
  const spec = { runStrategy: 'Always', template: { spec: { domain: { devices: {} } } } };
  expect(of('kubevirt.io/v1', 'VirtualMachineInstance', spec)).toContain(
    'spec.runStrategy: write kind: VirtualMachine, which has these fields',
  );
});

test.each([
  [
    'requests',
    { storage: { resources: { storage: '1Gi' } } },
    'spec.storage.resources.storage: move it to spec.storage.resources.requests.storage',
  ],
  [
    'a size',
    { storage: { requests: { storage: '1Gi' } } },
    'spec.storage.requests: move it to spec.storage.resources.requests',
  ],
])('the remedy for entries that are written above %s', (_, spec, want) => {
  expect(of('cdi.kubevirt.io/v1beta1', 'DataVolume', spec)).toEqual([want]);
});

test('a field of a sibling is moved only to a sibling that is there', () => {
  const registry = { url: 'docker://a', uuid: 'b' };
  const at = (source: Loose): string[] => of('cdi.kubevirt.io/v1beta1', 'DataVolume', { source }).slice(-1);
  expect(at({ registry })).toEqual(['spec.source.registry.uuid: remove it']);
  expect(at({ registry, vddk: {} })).toEqual(['spec.source.registry.uuid: move it to spec.source.vddk.uuid']);
});

test('names of JavaScript’s own properties are unknown fields', () => {
  expect(
    ofVm((_, guest) => (guest.domain.devices = JSON.parse('{"constructor": {"a": 1}, "__proto__": 2}'))),
  ).toHaveLength(2);
});
