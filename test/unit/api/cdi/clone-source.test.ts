import { allowedSource, cloneIsAllowed, cloneSourceOf, mayClone } from '../../../../src/api/cdi/clone-source';
import { root } from '../../../../src/api/findings';
import type { DataVolume } from '../../../../src/api/generated/cdi-v1beta1';
import type { Access } from '../../../../src/api/kinds/kind';
import { cluster, context, type Loose, object } from '../kinds/fixtures';

const at = root.at('spec');
const pvc = { kind: 'PersistentVolumeClaim', namespace: 'a', name: 'x' } as const;
const snapshot = { ...pvc, kind: 'VolumeSnapshot' } as const;
const asked = ({ verb, group, resource, subresource, namespace, name }: Access): string =>
  `${verb} ${group}/${resource}${subresource ? `/${subresource}` : ''} ${namespace}/${name}`;
const source = 'create cdi.kubevirt.io/datavolumes/source a/x';
const pods = 'create /pods a/x';
const pvcs = 'create /pvcs a/x';

test.each([
  ['a claim by the right to it', pvc, [source], true],
  ['a claim by the right to Pods', pvc, [pods], true],
  ['a claim by no right', pvc, [], false],
  ['a snapshot by the right to it', snapshot, [source], true],
  ['a snapshot by the right to Pods alone', snapshot, [pods], false],
  ['a snapshot by the right to all', snapshot, [pods, pvcs], true],
  ['a snapshot by the right to claims alone', snapshot, [pvcs], false],
])('who asks may copy %s: %s, %j: %s', (_, from, rights: string[], expected) => {
  expect(mayClone(from, 'b', (access) => rights.includes(asked(access)))).toBe(expected);
});

test('a copy within a namespace needs no right', () => {
  expect(mayClone(pvc, 'a', () => false)).toBe(true);
  expect(mayClone(snapshot, 'a', () => false)).toBe(true);
});

const dataSource = (spec: Loose, status?: Loose): Loose => ({
  ...object('cdi.kubevirt.io/v1beta1', 'DataSource', spec, { name: 'd', namespace: 'a' }),
  status,
});
const reference = (kind = 'DataSource', namespace?: string) => ({ sourceRef: { kind, name: 'd', namespace } });
const of = (spec: Loose, namespace: string, ...objects: Loose[]) =>
  cloneSourceOf(spec, namespace, cluster(...objects).find);

test.each<[string, Loose, string, Loose[], Loose]>([
  ['a claim', { source: { pvc: { namespace: 'a', name: 'x' } } }, 'b', [], pvc],
  ['a claim of its own namespace', { source: { pvc: { name: 'x' } } }, 'a', [], pvc],
  ['a snapshot', { source: { snapshot: { namespace: 'a', name: 'x' } } }, 'b', [], snapshot],
  ['nothing', { source: { blank: {} } }, 'b', [], undefined],
  ['nothing that is named', {}, 'b', [], undefined],
  ['another kind', reference('Pod', 'a'), 'b', [dataSource({ source: { pvc } })], undefined],
  ['a DataSource', reference('DataSource', 'a'), 'b', [dataSource({ source: { pvc } })], pvc],
  ['a DataSource of its own namespace', reference(), 'a', [dataSource({ source: { pvc } })], pvc],
  [
    'a DataSource of another namespace',
    reference(),
    'b',
    [dataSource({ source: { pvc } })],
    { missing: 'datasources.cdi.kubevirt.io "d" not found' },
  ],
  [
    'a DataSource of a DataSource',
    reference(),
    'a',
    [dataSource({ source: { dataSource: { name: 'e' } } }, { source: { snapshot } })],
    snapshot,
  ],
  [
    'a DataSource of a DataSource that is not there',
    reference(),
    'a',
    [dataSource({ source: { dataSource: {} } })],
    undefined,
  ],
])('a DataVolume copies %s', (_, spec, namespace, objects, expected) => {
  expect(of(spec, namespace, ...objects)).toEqual(expected);
});

test.each<[string, Loose, Loose, Loose, string[]]>([
  ['a claim', { pvc: { namespace: 'a', name: 'x' } }, {}, {}, ['clone-permission spec.source.pvc.namespace']],
  [
    'a snapshot',
    { snapshot: { namespace: 'a', name: 'x' } },
    {},
    {},
    ['clone-permission spec.source.snapshot.namespace'],
  ],
  [
    'a namespace that is gone',
    { snapshot: { namespace: 'c', name: 'x' } },
    {},
    {},
    ['clone-source spec.source.snapshot.namespace'],
  ],
  [
    'a disk that is there',
    { pvc: { namespace: 'a', name: 'x' } },
    { 'cdi.kubevirt.io/storage.prePopulated': '' },
    {},
    [],
  ],
  [
    'a volume that is there',
    { pvc: { namespace: 'a', name: 'x' } },
    { 'cdi.kubevirt.io/storage.checkStaticVolume': '' },
    {},
    [],
  ],
  [
    'a disk with other annotations',
    { pvc: { namespace: 'a', name: 'x' } },
    { other: '' },
    {},
    ['clone-permission spec.source.pvc.namespace'],
  ],
  ['nothing', { blank: {} }, {}, {}, []],
  ['a copy whose permissions are unknown', { pvc: { namespace: 'a', name: 'x' } }, {}, { may: undefined }, []],
  [
    'as nobody',
    { pvc: { namespace: 'a', name: 'x' } },
    {},
    { username: undefined },
    ['clone-permission spec.source.pvc.namespace'],
  ],
])('somebody without rights copies %s', (_, given, annotations, by, expected) => {
  const namespace = object('v1', 'Namespace', {}, { name: 'a', namespace: undefined });
  const asking = context({ by: { trusted: false, username: 'jane', may: () => false, ...by }, ...cluster(namespace) });
  const errors = cloneIsAllowed({ name: 'n', namespace: 'b', annotations }, { source: given }, at, asking);
  expect(errors.map(({ rule, path }) => `${rule} ${path}`)).toEqual(expected);
  for (const { rule, cause: message } of errors)
    if (rule === 'clone-permission')
      expect(message).toBe(`User ${asking.by.username ?? ''} has insufficient permissions in clone source namespace a`);
});

test.each<[string, Loose, string, Loose]>([
  ['a user who may copy it', {}, 'b', pvc],
  ['a user without the right', { may: () => false }, 'b', undefined],
  ['a user whose rights are unknown', { may: undefined }, 'b', undefined],
  // virt-controller may create Pods everywhere, and creates the DataVolumes of all users' VMs
  ['a component, for another user', { trusted: true }, 'b', undefined],
  ['a user in the namespace of the source', {}, 'a', undefined],
])('virt-api proves the right of %s', (_, by, namespace, expected) => {
  const dataVolume = object('cdi.kubevirt.io/v1beta1', 'DataVolume', { source: { pvc } }, { namespace }) as DataVolume;
  expect(allowedSource(dataVolume, context({ by: { trusted: false, may: () => true, ...by } }))).toEqual(expected);
});
