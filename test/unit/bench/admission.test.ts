import { benchAdmission } from '../../../bench/admission';
import { admissionObjects } from '../../../bench/admission-objects';
import { admissionOf, clusterConfig } from '../../../src/api';
import type { KubeObject } from '../../../src/api';
import { contextOf } from '../../../src/api/context';
import { patchBetween } from '../../../src/runtime/api-server/admission/patch';
import { validVm, validVmi } from '../api/fixtures';

test('the bench of admission runs, small', async () => {
  const [figure] = await benchAdmission(30);
  expect(figure).toMatchObject({ name: 'worst admission', unit: 'ms', target: 50 });
  expect(figure!.value).toBeGreaterThan(0);
});

test('the same seed gives the same objects, of many kinds and shapes', () => {
  const made = () => [...admissionObjects(7, 100)].map(({ text, ...rest }) => ({ ...rest, length: text.length }));
  const samples = made();
  expect(made()).toEqual(samples);
  expect(new Set(samples.map(({ kind }) => kind)).size).toBeGreaterThan(15);
  for (const shape of ['fuzzed', 'lists of', 'bytes', 'deep']) {
    expect(samples.some((sample) => sample.shape.includes(shape))).toBe(true);
  }
});

type Method = (this: unknown[], ...args: unknown[]) => unknown;
const methods = ['map', 'filter', 'flatMap', 'forEach', 'some', 'every', 'find', 'findIndex', 'includes', 'indexOf'];
const others = ['findLast', 'findLastIndex', 'reduce', 'slice', 'concat', 'join', 'sort', 'push'];

/** Maximum number of items, fields and characters of matched texts that a function reads. */
function workOf(run: () => void): number {
  let work = 0;
  const restored: (() => void)[] = [];
  const count = (owner: object, name: string, sizeOf: (self: unknown, args: unknown[]) => number): void => {
    const original = Reflect.get(owner, name) as Method;
    Reflect.set(owner, name, function (this: unknown[], ...args: unknown[]) {
      work += sizeOf(this, args);
      return original.apply(this, args);
    });
    restored.push(() => Reflect.set(owner, name, original));
  };
  const length = (value: unknown): number => (value as { length?: number }).length ?? 0;
  for (const name of [...methods, ...others]) {
    count(Array.prototype, name, (self, args) => (name === 'push' ? args.length : length(self)));
  }
  for (const name of ['keys', 'values', 'entries', 'fromEntries']) count(Object, name, (_, [of]) => width(of));
  for (const name of ['exec', 'test']) count(RegExp.prototype, name, (_, [text]) => String(text).length);
  try {
    run();
  } finally {
    for (const restore of restored) restore();
  }
  return work;
}

function width(of: unknown): number {
  let fields = 0;
  if (typeof of === 'object' && of !== null) for (const _ in of) fields += 1;
  return fields;
}

type Loose = Record<string, never>;
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `n${i}`);

/** A guest of which every list has `count` items. */
function guest(count: number): object {
  const { spec } = validVmi() as unknown as { spec: { domain: { devices: object } } };
  return {
    ...spec,
    domain: {
      ...spec.domain,
      devices: {
        ...spec.domain.devices,
        disks: names(count).map((name, i) => ({ name, bootOrder: i + 1, disk: { bus: 'virtio' } })),
        interfaces: names(count).map((name, i) => ({
          name,
          bridge: {},
          ports: names(3).map((port) => ({ name: port, port: i + 1 })),
        })),
        filesystems: names(count).map((name) => ({ name: `f${name}`, virtiofs: {} })),
        inputs: names(count).map((name) => ({ name, type: 'tablet', bus: 'usb' })),
      },
    },
    networks: names(count).map((name) => ({ name, multus: { networkName: name } })),
    volumes: names(count).map((name) => ({ name, dataVolume: { name } })),
    resourceClaims: names(count).map((name) => ({ name, resourceClaimName: name })),
    tolerations: names(count).map((key) => ({ key, operator: 'Exists' })),
    topologySpreadConstraints: names(count).map((topologyKey) => ({
      topologyKey,
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule',
    })),
  };
}

const machine = (count: number): KubeObject => {
  const vm = validVm();
  return {
    ...vm,
    spec: {
      ...vm.spec,
      dataVolumeTemplates: names(count).map((name) => ({
        metadata: { name },
        spec: { storage: {}, source: { blank: {} } },
      })),
      template: { ...vm.spec.template, spec: guest(count) },
    },
  } as unknown as KubeObject;
};
const set = (kind: string, apiVersion: string, spec: object): KubeObject =>
  ({ apiVersion, kind, metadata: { name: 'x', namespace: 'default' }, spec }) as KubeObject;
const labels = { app: 'x' };
const shapes: [string, (count: number) => KubeObject][] = [
  ['a VM', machine],
  ['a VMI', (count) => ({ ...validVmi(), spec: guest(count) }) as unknown as KubeObject],
  [
    'a pool',
    (count) =>
      set('VirtualMachinePool', 'pool.kubevirt.io/v1beta1', {
        selector: { matchLabels: labels },
        virtualMachineTemplate: { metadata: { labels }, spec: (machine(count) as unknown as { spec: Loose }).spec },
      }),
  ],
  [
    'a replica set',
    (count) =>
      set('VirtualMachineInstanceReplicaSet', 'kubevirt.io/v1', {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: guest(count) },
      }),
  ],
  [
    'a VM full of mistakes',
    (count) => {
      const vm = machine(count) as unknown as {
        spec: { template: { spec: { volumes: object[]; networks: object[] } } };
      };
      vm.spec.template.spec.volumes = names(count).map((name) => ({ name: `other-${name}`, emptyDisk: {} }));
      vm.spec.template.spec.networks = names(count).map((name) => ({ name: `other-${name}` }));
      return vm as unknown as KubeObject;
    },
  ],
];

test.each(shapes)('the work for %s grows with its lists, not with their square', (_, make) => {
  const context = contextOf(clusterConfig());
  const admitted = (count: number): number => {
    const object = make(count);
    const rules = admissionOf(object)!;
    return workOf(() => {
      const stored = rules.mutate?.(object, context) ?? object;
      patchBetween(object, stored);
      rules.create(stored, context);
      rules.warnings?.(stored, context);
    });
  };
  admitted(4); // what is read once
  const [some, more] = [admitted(60), admitted(240)];
  // four times the items; a square would be sixteen times the work
  expect(more / some).toBeLessThan(5);
});
