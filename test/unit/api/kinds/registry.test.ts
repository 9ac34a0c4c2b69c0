import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasSchema } from '../../../../src/api';
import crds from '../../../../src/api/generated/crds.json';
import {
  allKinds,
  collections,
  guestTemplateOf,
  isClusterScoped,
  kindFacts,
  type KindName,
  kindOf,
  machineSpecOf,
  namesOfKind,
} from '../../../../src/api/kinds/registry';
import { validatingWebhooks } from '../../../../src/api/webhook-table';

interface Crd {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string; readonly singular: string };
    readonly versions: readonly { readonly name: string }[];
  };
}
const definitions = crds as unknown as readonly Crd[];

test('the registry serves each kind as its CustomResourceDefinition does', () => {
  expect(definitions.length).toBeGreaterThan(30);
  for (const { spec } of definitions) {
    const name = spec.names.kind as KindName;
    const { group, kind, plural, singular, namespaced, versions } = kindFacts[name];
    expect({ group, kind, plural, singular, namespaced }).toEqual({
      group: spec.group,
      kind: spec.names.kind,
      plural: spec.names.plural,
      singular: spec.names.singular,
      namespaced: spec.scope === 'Namespaced',
    });
    expect([...versions].sort()).toEqual(spec.versions.map(({ name }) => name).sort());
  }
});

test.each(allKinds)('%s is validated by a schema in the version for new objects', (kind) => {
  const { group, version, versions } = kindFacts[kind];
  expect(versions).toContain(version);
  expect(hasSchema(`${group}/${version}`, kind)).toBe(true);
});

test('versions are listed from the oldest to the newest', () => {
  expect(kindFacts.VirtualMachine.versions).toEqual(['v1alpha3', 'v1']);
  expect(kindFacts.VirtualMachineExport.versions).toEqual(['v1beta1', 'v1']);
  expect(kindFacts.VirtualMachineSnapshot.versions).toEqual(['v1alpha1', 'v1beta1']);
});

test.each([
  ['a kind in a deprecated version', { apiVersion: 'kubevirt.io/v1alpha3', kind: 'VirtualMachine' }, 'VirtualMachine'],
  ['a kind of another group', { apiVersion: 'example.com/v1', kind: 'VirtualMachine' }, undefined],
  ['a kind of Kubernetes', { apiVersion: 'v1', kind: 'Pod' }, undefined],
  ['a name of every JavaScript object', { apiVersion: 'v1', kind: 'constructor' }, undefined],
])('kindOf recognises %s', (_, object, kind) => expect(kindOf(object)).toBe(kind));

test.each([
  ['VirtualMachine', false],
  ['VirtualMachineClusterPreference', true],
  ['MigrationPolicy', true],
  ['CDIConfig', true],
  ['Secret', false],
  ['ClusterRole', true],
  ['Unknown', false],
])('isClusterScoped knows the scope of %s', (kind, expected) => expect(isClusterScoped(kind)).toBe(expected));

test('a pool leads to its guests and to its VMs', () => {
  const pool = { apiVersion: 'pool.kubevirt.io/v1beta1', kind: 'VirtualMachinePool' };
  expect(guestTemplateOf(pool)).toEqual(['spec', 'virtualMachineTemplate', 'spec', 'template']);
  expect(machineSpecOf(pool)).toEqual(['spec', 'virtualMachineTemplate', 'spec']);
  expect(machineSpecOf({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance' })).toBeUndefined();
});

test('roles and webhooks name collections by their kinds', () => {
  expect(collections('VirtualMachine/status', 'KubeVirt')).toEqual({
    group: 'kubevirt.io',
    resources: ['virtualmachines/status', 'kubevirts'],
  });
  expect(validatingWebhooks.find(({ path }) => path === '/populator-validate')).toMatchObject({
    group: 'cdi.kubevirt.io',
    versions: ['v1beta1'],
    resources: ['volumeimportsources', 'volumeuploadsources'],
  });
});

test('commands accept short names, the singular and the plural', () =>
  expect(namesOfKind('VirtualMachine')).toEqual(['vm', 'vms', 'virtualmachine', 'virtualmachines']));

/** virt-handler's own protocol. */
const EXCEPT = ['runtime/handler/server/routes.ts', 'runtime/api-server/subresources/handler.ts'];

test('no source spells the plural of a kind by hand', () => {
  const src = join(__dirname, '../../../../src');
  const plurals = allKinds.map((kind) => kindFacts[kind].plural).filter((plural) => plural !== 'plugins');
  const spelt = new RegExp(`['"\`](${plurals.join('|')})(/[\\w/-]+)?['"\`]`);
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('generated') && !EXCEPT.includes(file))
    .flatMap((file) =>
      readFileSync(join(src, file), 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line) && spelt.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});
