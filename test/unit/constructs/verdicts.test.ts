import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../../src/api';
import { clusterConfig } from '../../../src/api/cluster-config';
import { emptyWorld, lintObject, worldOf } from '../../../src/api/lint';
import { keys } from '../../../src/api/keys';
import { KeptVerdict } from '../../../src/constructs/verdicts';

const config = clusterConfig();
const spec = {
  runStrategy: 'Always',
  template: {
    spec: {
      domain: {
        memory: { guest: '1Gi' },
        devices: { disks: [{ name: 'root', disk: { bus: 'virtio' } }] },
      },
      volumes: [{ name: 'root', containerDisk: { image: 'registry.example/os:1' } }],
    },
  },
};
const vm = (metadata: object, own: object = spec): KubeObject =>
  ({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata, spec: structuredClone(own) }) as KubeObject;
const rules = (object: KubeObject, by = config): string[] =>
  new KeptVerdict().lint(object, by, emptyWorld).map(({ rule, path }) => `${path} ${rule}`);

describe('an object like one without a mistake', () => {
  beforeEach(() => expect(rules(vm({ name: 'first' }))).toEqual([]));

  test.each<[string, KubeObject]>([
    ['a plain name', vm({ name: 'second' })],
    ['a plain name of 40 letters', vm({ name: 'a'.repeat(40) })],
    ['a name of 41 letters', vm({ name: 'a'.repeat(41) })],
    ['a name that is too long for a label', vm({ name: 'a'.repeat(64) })],
    ['a name in capitals', vm({ name: 'Web' })],
    ['a name with a missing value', vm({ name: 'vm-undefined' })],
    ['no name', vm({})],
    ['a namespace', vm({ name: 'second', namespace: 'Shop' })],
    ['a label that does not fit', vm({ name: 'second', labels: { 'a b': 'c' } })],
    ['another value', vm({ name: 'second' }, { ...spec, runStrategy: 'Sometimes' })],
    ['a further field', vm({ name: 'second' }, { ...spec, running: true })],
    ['a field less', vm({ name: 'second' }, { template: spec.template })],
  ])('gets the findings of its own: %s', (_, object) => {
    const own = lintObject(object, config, emptyWorld).map(({ rule, path }) => `${path} ${rule}`);
    expect(rules(object)).toEqual(own);
  });

  test('gets the findings of its own configuration', () => {
    const gated = structuredClone(spec);
    Object.assign(gated.template.spec.volumes[0], {
      containerDisk: undefined,
      hostDisk: { path: '/disks/root.img', type: 'Disk' },
    });
    const permitting = clusterConfig({
      apiVersion: 'kubevirt.io/v1',
      kind: 'KubeVirt',
      metadata: {},
      spec: { configuration: { developerConfiguration: { featureGates: ['HostDisk'] } } },
    });
    expect(rules(vm({ name: 'second' }, gated), permitting)).toEqual([]);
    expect(rules(vm({ name: 'third' }, gated)).join()).toContain('gate-');
  });
});

describe('a Service like one without a mistake', () => {
  const service = (name: string, selector: object, own: object = {}): KubeObject =>
    ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { selector, ports: [{ port: 80 }], ...own },
    }) as KubeObject;
  beforeEach(() => expect(rules(service('first', { [keys.vmName]: 'first' }))).toEqual([]));

  test.each<[string, KubeObject]>([
    ['another guest', service('second', { [keys.vmName]: 'second' })],
    ['a guest whose name does not fit', service('second', { [keys.vmName]: 'a b' })],
    ['a guest with a missing value', service('second', { [keys.vmName]: 'vm-undefined' })],
    ['a guest as a number', service('second', { [keys.vmName]: 1 })],
    ['another label', service('second', { app: 'first' })],
    ['a further label', service('second', { [keys.vmName]: 'second', 'a b': 'c' })],
    ['another port', service('second', { [keys.vmName]: 'second' }, { ports: [{ port: 0 }] })],
  ])('gets the findings of its own: %s', (_, object) => {
    const own = lintObject(object, config, emptyWorld).map(({ rule, path }) => `${path} ${rule}`);
    expect(rules(object)).toEqual(own);
  });
});

test.each([
  ['web', 'db'],
  ['db', 'web'],
])('a name in the template is compared with that of its VM: %s before %s', (...names) => {
  const template = { ...spec.template, metadata: { name: 'web' } };
  const found = names.map((name) => rules(vm({ name }, { ...spec, template })));
  expect(found).toEqual(names.map((name) => (name === 'web' ? [] : ['spec.template.metadata.name template-metadata'])));
});

test('reports a mistake in data that was right before, and is passed again', () => {
  const shared = structuredClone(spec);
  const sharing = (name: string): KubeObject => ({ ...vm({ name }), spec: shared }) as KubeObject;
  expect(rules(sharing('first'))).toEqual([]);
  shared.template.spec.domain.devices.disks[0].disk.bus = 'floppy';
  expect(rules(sharing('second'))).not.toEqual([]);
});

test('finds a mistake that another object makes possible later', () => {
  const verdict = new KeptVerdict();
  const sized = vm({ name: 'sized' }, { ...spec, preference: { kind: 'VirtualMachinePreference', name: 'large' } });
  expect(verdict.lint(sized, config, emptyWorld)).toEqual([]);
  const large = {
    apiVersion: 'instancetype.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePreference',
    metadata: { name: 'large' },
    spec: { requirements: { memory: { guest: '2Gi' } } },
  };
  const world = worldOf([{ ...large, name: 'large', where: 'app/large', object: () => large }]);
  expect(verdict.lint(sized, config, world).map(({ rule }) => rule)).toEqual(['preference-requires-memory']);
});

/** Kinds that share verdicts. */
const KINDS = ['VirtualMachine', 'Service'];
const golden = join(__dirname, '../examples/golden');
const objects = readdirSync(golden, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) => parseAllDocuments(readFileSync(join(golden, file), 'utf8')).map((doc) => doc.toJS() as KubeObject))
  .filter((object) => KINDS.includes(object?.kind));

test.each(KINDS)('no rule of one %s reads a plain name', (kind) => {
  const ofKind = objects.filter((object) => object.kind === kind);
  for (const object of ofKind) {
    // with a mistake in each field, too
    const broken = { ...object, spec: JSON.parse(JSON.stringify(object, breakValues)).spec as object };
    for (const each of [object, broken]) {
      const findings = ['web', 'database-of-the-shop'].map((name) => lintObject(named(each, name), config, emptyWorld));
      expect(findings[1]).toEqual(findings[0]);
    }
  }
  expect(ofKind.length).toBeGreaterThan(2);
});

/** Writes a name everywhere that verdicts pass over. */
function named(object: KubeObject, name: string): KubeObject {
  const { spec } = object as { readonly spec?: { readonly selector?: Readonly<Record<string, string>> } };
  const selector = spec?.selector;
  const guest = selector && Object.fromEntries([keys.vmName, keys.vmiId].map((label) => [label, name]));
  const renamed = { ...object, metadata: { ...object.metadata, name } };
  const selecting = { ...renamed, spec: { ...spec, selector: { ...selector, ...guest } } };
  return selector ? selecting : renamed;
}

function breakValues(key: string, value: unknown): unknown {
  if (['apiVersion', 'kind'].includes(key)) return value;
  return typeof value === 'string' ? `${value} ` : value;
}
