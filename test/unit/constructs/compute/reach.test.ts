/** Every field of the API is reached by a typed property: the schema is walked, and what the fixtures render is asked. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ClusterInstancetype,
  ClusterPreference,
  Disk,
  Instancetype,
  Preference,
  VirtualMachine,
  VirtualMachinePool,
  VirtualMachineReplicaSet,
} from '../../../../src';
import { testChart } from '../fixtures';
import { guests, instancetype, pools, preferences, replicaSet, specOf } from './everything';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests and schemas are data
type Loose = any;

const definitions = (file: string): Loose =>
  JSON.parse(readFileSync(join(__dirname, '../../../../api/schema', file), 'utf8')).definitions;

/** Paths of all leaves below a definition; lists are left out of the path, and maps are leaves. */
function leaves(file: string, schema: Loose, without: RegExp, at: string[] = []): string[] {
  if (without.test(at.join('.'))) return [];
  if (schema.$ref) {
    const [, other, definition] = /^(.*)#\/definitions\/(.*)$/.exec(schema.$ref)!;
    return leaves(other || file, definitions(other || file)[definition], without, at);
  }
  if (schema.type === 'array') return leaves(file, schema.items, without, at);
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return [at.join('.')];
  return fields.flatMap(([key, inner]) => leaves(file, inner, without, [...at, key]));
}

/** All paths of a value, as {@link leaves} writes them. */
function paths(value: Loose, at: string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => paths(item, at));
  const here = at.length > 0 ? [at.join('.')] : [];
  if (typeof value !== 'object' || value === null) return here;
  return [...here, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...at, key]))];
}

/** Fields of a definition that no value has. */
function unreached(file: string, definition: string, values: Loose[], without: RegExp): string[] {
  const reached = new Set(values.flatMap((value) => paths(value)));
  return leaves(file, definitions(file)[definition], without).filter((leaf) => !reached.has(leaf));
}

/** What other rooms own and test: disks, volumes, folders, interfaces, networks, DataVolumes. */
const OF_OTHERS = /^(?:domain\.devices\.(?:disks|filesystems|interfaces)|networks|volumes|dataVolumeTemplates)$/;

const KUBEVIRT = 'kubevirt.io_v1.json';
const INSTANCETYPE = 'instancetype.kubevirt.io_v1beta1.json';
const specs = (things: { apiObject: { toJson(): Loose } }[]): Loose[] =>
  things.map(({ apiObject }) => apiObject.toJson().spec);

test('every field of a guest', () => {
  const chart = testChart();
  const values = Object.entries(guests).map(([id, props]) => specOf(chart, id, props));
  expect(unreached(KUBEVIRT, 'VirtualMachineInstanceSpec', values, OF_OTHERS)).toEqual([]);
});

test('every field of a VM', () => {
  const chart = testChart();
  const disks = [Disk.containerDisk('os', { name: 'root' })];
  const vms = [
    new VirtualMachine(chart, 'a', {
      disks,
      instancetype: Instancetype.fromName('small', { revision: 'small-1' }),
      preference: Preference.fromName('linux', { revision: 'linux-1' }),
      updateVolumesStrategy: pools[0].updateVolumesStrategy,
    }),
    new VirtualMachine(chart, 'b', {
      disks,
      inferInstancetype: { volume: 'root', optional: true },
      inferPreference: { volume: 'root', optional: true },
    }),
  ];
  // the older way to say runStrategy
  const without = /^(?:running|template|dataVolumeTemplates)$/;
  expect(unreached(KUBEVIRT, 'VirtualMachineSpec', specs(vms), without)).toEqual([]);
});

test('every field of an instancetype, of the namespace and of the cluster', () => {
  for (const Kind of [Instancetype, ClusterInstancetype]) {
    const chart = testChart();
    // a device comes from a plugin or from a claim; memory encryption is of one kind
    const values = specs([
      new Kind(chart, 'a', instancetype),
      ...[guests.two, guests.three].map(
        ({ launchSecurity }, i) => new Kind(chart, `s${i}`, { ...instancetype, launchSecurity }),
      ),
    ]);
    expect(unreached(INSTANCETYPE, 'VirtualMachineInstancetypeSpec', values, /^never$/)).toEqual([]);
  }
});

test('every field of a preference, of the namespace and of the cluster', () => {
  for (const Kind of [Preference, ClusterPreference]) {
    const chart = testChart();
    const values = specs(preferences.map((props, i) => new Kind(chart, `p${i}`, props)));
    // deprecated: preferredEfi says the same
    const without = /^firmware\.(?:preferredUseEfi|preferredUseSecureBoot)$/;
    expect(unreached(INSTANCETYPE, 'VirtualMachinePreferenceSpec', values, without)).toEqual([]);
  }
});

test('every field of a replica set', () => {
  const values = specs([new VirtualMachineReplicaSet(testChart(), 'set', replicaSet)]);
  expect(unreached(KUBEVIRT, 'VirtualMachineInstanceReplicaSetSpec', values, /^template$/)).toEqual([]);
});

test('every field of a pool', () => {
  const chart = testChart();
  const values = specs(pools.map((props, i) => new VirtualMachinePool(chart, `p${i}`, props)));
  const file = 'pool.kubevirt.io_v1beta1.json';
  expect(unreached(file, 'VirtualMachinePoolSpec', values, /^virtualMachineTemplate$/)).toEqual([]);
});

test('the walk finds what is missing', () => {
  const lost = unreached(KUBEVIRT, 'VirtualMachineInstanceSpec', [{ domain: { devices: {} } }], OF_OTHERS);
  expect(lost).toContain('domain.cpu.realtime.mask');
  expect(lost.length).toBeGreaterThan(200);
});
