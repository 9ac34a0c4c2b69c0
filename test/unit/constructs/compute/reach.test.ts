/** Every field of the API has a typed property: each field of the schema must occur in what the fixtures render. */
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

/** Returns the paths of all leaves below a definition. List indexes are left out, and maps are leaves. */
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

/** Returns all paths of a value, in the form of {@link leaves}. */
function paths(value: Loose, at: string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => paths(item, at));
  const here = at.length > 0 ? [at.join('.')] : [];
  if (typeof value !== 'object' || value === null) return here;
  return [...here, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...at, key]))];
}

/** Returns the fields of a definition that no value has. */
function unreached(file: string, definition: string, values: Loose[], without: RegExp): string[] {
  const reached = new Set(values.flatMap((value) => paths(value)));
  return leaves(file, definitions(file)[definition], without).filter((leaf) => !reached.has(leaf));
}

/** Fields that other rooms render and test: disks, volumes, file systems, interfaces, networks, DataVolumes. */
const OTHER_ROOMS = /^(?:domain\.devices\.(?:disks|filesystems|interfaces)|networks|volumes|dataVolumeTemplates)$/;

const KUBEVIRT = 'kubevirt.io_v1.json';
const INSTANCETYPE = 'instancetype.kubevirt.io_v1beta1.json';
const specs = (things: { apiObject: { toJson(): Loose } }[]): Loose[] =>
  things.map(({ apiObject }) => apiObject.toJson().spec);

test('every field of a guest has a property', () => {
  const chart = testChart();
  const values = Object.entries(guests).map(([id, props]) => specOf(chart, id, props));
  expect(unreached(KUBEVIRT, 'VirtualMachineInstanceSpec', values, OTHER_ROOMS)).toEqual([]);
});

test('every field of a VM has a property', () => {
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
  // `running` is the predecessor of runStrategy
  const without = /^(?:running|template|dataVolumeTemplates)$/;
  expect(unreached(KUBEVIRT, 'VirtualMachineSpec', specs(vms), without)).toEqual([]);
});

test('every field of both kinds of instance types has a property', () => {
  for (const Kind of [Instancetype, ClusterInstancetype]) {
    const chart = testChart();
    // alternatives need several objects: devices of a plugin or a claim, kinds of memory encryption
    const values = specs([
      new Kind(chart, 'a', instancetype),
      ...[guests.two, guests.three].map(
        ({ launchSecurity }, i) => new Kind(chart, `s${i}`, { ...instancetype, launchSecurity }),
      ),
    ]);
    expect(unreached(INSTANCETYPE, 'VirtualMachineInstancetypeSpec', values, /^never$/)).toEqual([]);
  }
});

test('every field of both kinds of preferences has a property', () => {
  for (const Kind of [Preference, ClusterPreference]) {
    const chart = testChart();
    const values = specs(preferences.map((props, i) => new Kind(chart, `p${i}`, props)));
    // deprecated in favour of preferredEfi
    const without = /^firmware\.(?:preferredUseEfi|preferredUseSecureBoot)$/;
    expect(unreached(INSTANCETYPE, 'VirtualMachinePreferenceSpec', values, without)).toEqual([]);
  }
});

test('every field of a replica set has a property', () => {
  const values = specs([new VirtualMachineReplicaSet(testChart(), 'set', replicaSet)]);
  expect(unreached(KUBEVIRT, 'VirtualMachineInstanceReplicaSetSpec', values, /^template$/)).toEqual([]);
});

test('every field of a pool has a property', () => {
  const chart = testChart();
  const values = specs(pools.map((props, i) => new VirtualMachinePool(chart, `p${i}`, props)));
  const file = 'pool.kubevirt.io_v1beta1.json';
  expect(unreached(file, 'VirtualMachinePoolSpec', values, /^virtualMachineTemplate$/)).toEqual([]);
});

test('reports fields that no value has', () => {
  const lost = unreached(KUBEVIRT, 'VirtualMachineInstanceSpec', [{ domain: { devices: {} } }], OTHER_ROOMS);
  expect(lost).toContain('domain.cpu.realtime.mask');
  expect(lost.length).toBeGreaterThan(200);
});
