import { clusterConfig } from '../../../../../src/api';
import { modelFacts, type ModelOptions } from '../../../../../src/cli/render/model/facts';
import { type Fixture, vmiOf } from '../../../runtime/launcher/domain/fixture';

const facts = (options: Partial<ModelOptions> = {}, fixture: Fixture = {}) =>
  modelFacts(vmiOf(fixture), { config: clusterConfig(), ...options });

const configured = (configuration: object): Partial<ModelOptions> => ({
  config: clusterConfig({ apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', metadata: {}, spec: { configuration } }),
});

test('the model node has one cell with 64 CPUs, siblings in pairs, all for the Pod', () => {
  const { topology, cpuSet } = facts();
  expect(topology!.cells).toHaveLength(1);
  expect(topology!.cells[0]!.cpus[63]).toEqual({ id: 63, siblings: [62, 63] });
  expect(topology!.cells[0]!.distances).toEqual([{ id: 0, value: 10 }]);
  expect(cpuSet).toHaveLength(64);
});

test('CPUs of the Pod follow from a topology that is given', () => {
  const topology = { cells: [{ id: 3, cpus: [{ id: 7, siblings: [7] }] }] };
  expect(facts({ node: { topology } }).cpuSet).toEqual([7]);
  expect(facts({ node: { topology, cpuSet: [] } }).cpuSet).toEqual([]);
});

test.each<[string, Partial<ModelOptions>, string]>([
  ['KVM by default', {}, 'kvm'],
  ['emulation as an option asks for it', { emulation: true }, 'qemu'],
  ['emulation as the configuration allows it', configured({ developerConfiguration: { useEmulation: true } }), 'qemu'],
  [
    'another one from the configuration',
    configured({
      developerConfiguration: { featureGates: ['ConfigurableHypervisor'] },
      hypervisors: [{ name: 'hyperv-direct' }],
    }),
    'hyperv',
  ],
])('the hypervisor of the node: %s', (_, options, want) => {
  expect(facts(options).hypervisor).toBe(want);
});

test('the node has the architecture of the VM, unless it is given', () => {
  expect(facts({}, { architecture: 's390x' }).architecture).toBe('s390x');
  expect(facts({ node: { architecture: 'amd64' } }, { architecture: 's390x' }).architecture).toBe('amd64');
});

test('variables are where root has them, if the launcher runs as root', () => {
  const root = configured({ developerConfiguration: { featureGates: ['Root'] } });
  expect(facts(root).nvramDir).toBe('/var/lib/libvirt/qemu/nvram');
});

test.each<[string, object, RegExp]>([
  ['an unknown field', { cpus: 4 }, /^node.cpus: is unknown; use one of architecture, topology/],
  ['an unknown architecture', { architecture: 'amd' }, /^node.architecture: "amd" is not amd64, arm64 or s390x/],
  ['cells that are not a list', { topology: { cells: {} } }, /^node.topology.cells: {} is not a list/],
  [
    'a CPU without siblings',
    { topology: { cells: [{ id: 0, cpus: [{ id: 0 }] }] } },
    /^node.topology.cells\[0\].cpus\[0\].siblings: undefined is not a list/,
  ],
  ['a CPU that is not a number', { cpuSet: ['0-3'] }, /^node.cpuSet\[0\]: "0-3" is not a number from 0; see docs/],
  ['an image whose path is not a string', { uefi: { code: 1 } }, /^node.uefi.code: 1 is not a string/],
  ['a list for a map', { deviceCells: [] }, /^node.deviceCells: \[\] is not a map/],
])('a node with %s is rejected with its path', (_, node, message) => {
  expect(() => facts({ node })).toThrow(message);
});

test('host devices are on the cells that the node reports', () => {
  const devices = { gpus: [{ name: 'a', deviceName: 'b/c' }] };
  const [gpu] = facts({ node: { deviceCells: { '0000:81:01.0': 1 } } }, { devices }).hostDevices;
  expect(gpu).toMatchObject({ address: '0000:81:01.0', numaCell: 1 });
});
