import {
  findInstancetype,
  findPreference,
  isCurrent,
  revisionName,
  revisionOf,
  sameRevision,
  statusRefOf,
  upgradedRevision,
} from '../../../../src/api/instancetype';
import type { Loose } from '../fixtures';
import { cluster, instancetype, preference, sizedVm } from './fixtures';

const vm = sizedVm();
const name = 'web-small-v1beta1-uid-small-3';

test('a revision has VM, object and generation in its name and its labels', () => {
  const type = {
    ...instancetype(),
    metadata: {
      ...instancetype().metadata,
      labels: { a: 'b' },
      annotations: { a: 'b' },
      finalizers: ['a/b'],
      ownerReferences: [{ kind: 'Pod' }],
      managedFields: [],
    },
  };
  const revision = revisionOf(vm, type);
  expect(revisionName(vm, type)).toBe(name);
  expect(revision).toEqual({
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name,
      namespace: 'default',
      labels: {
        'instancetype.kubevirt.io/object-generation': '3',
        'instancetype.kubevirt.io/object-kind': 'VirtualMachineClusterInstancetype',
        'instancetype.kubevirt.io/object-name': 'small',
        'instancetype.kubevirt.io/object-uid': 'uid-small',
        'instancetype.kubevirt.io/object-version': 'v1beta1',
      },
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachine',
          name: 'web',
          uid: 'uid-web',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    data: {
      apiVersion: 'instancetype.kubevirt.io/v1beta1',
      kind: 'VirtualMachineClusterInstancetype',
      metadata: { name: 'small', uid: 'uid-small', generation: 3 },
      spec: { cpu: { guest: 2 }, memory: { guest: '2Gi' } },
    },
    revision: 0,
  });
  expect(isCurrent(revision)).toBe(true);
});

test('the revision of an object that no API server keeps is of generation 0', () => {
  const type = { ...instancetype(), metadata: { name: 'small' } };
  expect(revisionOf(vm, type).metadata).toMatchObject({
    name: 'web-small-v1beta1--0',
    labels: { 'instancetype.kubevirt.io/object-generation': '0', 'instancetype.kubevirt.io/object-uid': '' },
  });
});

describe('the spec that counts', () => {
  const revision = revisionOf(vm, instancetype({ memory: { guest: '1Gi' } }));
  const other = revisionOf(vm, { ...instancetype({ memory: { guest: '4Gi' } }), metadata: { name: 'large' } });
  other.metadata.name = 'other';
  const objects = [instancetype(), revision, other];
  const ref = { name: 'small', controllerRevisionRef: { name } };
  test.each<[string, (vm: Loose) => void, string | undefined]>([
    ["is the object's at first", () => {}, '2Gi'],
    ["is the revision's that the VM names", (v) => (v.spec.instancetype.revisionName = name), '1Gi'],
    ["is the revision's of the status", (v) => (v.status = { instancetypeRef: ref }), '1Gi'],
    [
      "is not that of another object's revision",
      (v) => {
        v.spec.instancetype = { name: 'big' };
        v.status = { instancetypeRef: ref };
      },
      undefined,
    ],
    [
      "is not the revision's of another object, which the status names without the object",
      (v) => {
        v.spec.instancetype = { name: 'small' };
        v.status = { instancetypeRef: { controllerRevisionRef: { name: 'other' } } };
      },
      '2Gi',
    ],
    ['is undefined when the revision is lost', (v) => (v.spec.instancetype.revisionName = 'lost'), undefined],
    ['is undefined for another kind', (v) => (v.spec.instancetype.kind = 'Pod'), undefined],
  ])('%s', (_, change, guest) => {
    const { spec, problem } = findInstancetype(sizedVm(change), cluster(objects).find);
    expect(spec?.memory.guest).toBe(guest);
    expect(problem === undefined).toBe(guest !== undefined);
  });
});

test("a preference that counts is the revision's of the status, word for word", () => {
  const revision = revisionOf(vm, preference({ preferredSubdomain: 'then' }));
  const preferring = sizedVm((v) => {
    v.spec.preference = { name: 'linux' };
    v.status = { preferenceRef: { name: 'linux', controllerRevisionRef: { name: revision.metadata.name } } };
  });
  const found = (objects: Loose[]): Loose => findPreference(preferring, cluster(objects).find);
  expect(found([preference({ preferredSubdomain: 'now' }), revision])).toEqual({
    spec: { preferredSubdomain: 'then' },
  });
  delete (preferring as Loose).status;
  expect(found([preference({ preferredSubdomain: 'now' })])).toEqual({ spec: { preferredSubdomain: 'now' } });
});

describe('a revision of an older version', () => {
  const spec = { cpu: { guest: 2 }, memory: { guest: '2Gi' } };
  const kept = (data: Loose): Loose => ({
    metadata: { name: 'old', namespace: 'default' },
    kind: 'ControllerRevision',
    data,
  });
  const object = {
    kind: 'VirtualMachineInstancetype',
    metadata: { name: 'small', uid: 'uid-small', generation: 3 },
    spec,
  };
  const readable: [string, Loose][] = [
    ['v1alpha2', { apiVersion: 'instancetype.kubevirt.io/v1alpha2', ...object }],
    ['v1alpha1', { apiVersion: 'instancetype.kubevirt.io/v1alpha1', ...object }],
    [
      'the first one, a bare spec in base64',
      {
        apiVersion: 'instancetype.kubevirt.io/v1alpha1',
        spec: Buffer.from(JSON.stringify(spec)).toString('base64'),
      },
    ],
  ];
  test.each(readable)('%s is read, and upgraded', (_, data) => {
    const named = sizedVm((v) => (v.spec.instancetype = { name: 'small', revisionName: 'old' }));
    const old = kept(data);
    expect(findInstancetype(named, cluster([old]).find).spec).toEqual(spec);
    expect(isCurrent(old)).toBe(false);
    const upgraded = upgradedRevision(named, old, 'instancetype') as Loose;
    expect(upgraded.data.apiVersion).toBe('instancetype.kubevirt.io/v1beta1');
    expect(upgraded.metadata.labels['instancetype.kubevirt.io/object-name']).toBe('small');
    expect(upgraded.metadata.labels['instancetype.kubevirt.io/object-kind']).toBe(
      data.kind ?? 'VirtualMachineClusterInstancetype',
    );
    expect(sameRevision(old, upgraded, 'instancetype')).toBe(true);
  });

  test.each<[string, Loose]>([
    ['nothing', undefined],
    ['another group', { apiVersion: 'apps/v1', kind: 'Deployment', spec: {} }],
    ['a preference', { ...object, apiVersion: 'instancetype.kubevirt.io/v1beta1', kind: 'VirtualMachinePreference' }],
    ['text that is not a spec', { apiVersion: 'instancetype.kubevirt.io/v1alpha1', spec: 'e30x' }],
  ])('with %s in it is reported', (_, data) => {
    const named = sizedVm((v) => (v.spec.instancetype = { name: 'small', revisionName: 'old' }));
    const { problem } = findInstancetype(named, cluster([kept(data)]).find);
    expect(problem?.cause).toContain('ControllerRevision "old"');
    expect(upgradedRevision(named, kept(data), 'instancetype')).toContain('ControllerRevision "old"');
  });
});

test.each<[string, Loose, Loose, boolean]>([
  ['another way to write an amount is the same', { memory: { guest: '2048Mi' } }, {}, true],
  ['an empty list is equal to no list', { gpus: [] }, {}, true],
  ['an empty string is equal to no string', { schedulerName: '' }, {}, true],
  ['zero is equal to no number', { memory: { guest: '2Gi', overcommitPercent: 0 } }, {}, true],
  ['one is one', { memory: { guest: '2Gi', overcommitPercent: 1 } }, {}, false],
  ['another device is another', { gpus: [{ name: 'a' }] }, { gpus: [{ name: 'b' }] }, false],
  ['a switch is a switch', { cpu: { guest: 2, dedicatedCPUPlacement: true } }, {}, false],
  ['another size is another', { memory: { guest: '4Gi' } }, {}, false],
])('compared: %s', (_, a, b, want) => {
  expect(sameRevision(revisionOf(vm, instancetype(a)), revisionOf(vm, instancetype(b)), 'instancetype')).toBe(want);
});

test('revisions that cannot be read are not the same, not even as themselves', () => {
  const read = revisionOf(vm, instancetype());
  const broken = { ...read, data: {} };
  expect(sameRevision(read, broken, 'instancetype')).toBe(false);
  expect(sameRevision(broken, read, 'instancetype')).toBe(false);
  expect(sameRevision(broken, broken, 'instancetype')).toBe(false);
});

describe('the status of a reference', () => {
  const ref = { name: 'small', controllerRevisionRef: { name } };
  test.each<[string, Loose, Loose, Loose]>([
    ['is its name at first', { name: 'small' }, undefined, { name: 'small' }],
    ['keeps the revision', { name: 'small' }, ref, ref],
    ['drops the revision of another name', { name: 'big' }, ref, { name: 'big' }],
    ['drops the revision of another kind', { name: 'small', kind: 'X' }, ref, { name: 'small', kind: 'X' }],
    [
      'names no revision without a name',
      { name: 'small' },
      { name: 'small', controllerRevisionRef: {} },
      { name: 'small' },
    ],
    [
      'is the volume that it follows from, and what holds when nothing does',
      { inferFromVolume: 'root', inferFromVolumeFailurePolicy: 'Ignore' },
      ref,
      { name: 'small', inferFromVolume: 'root', inferFromVolumeFailurePolicy: 'Ignore' },
    ],
    ['is nothing without a reference', undefined, ref, undefined],
    [
      'takes the revision that the user names',
      { name: 'small', revisionName: 'mine' },
      ref,
      { name: 'small', controllerRevisionRef: { name: 'mine' } },
    ],
  ])('%s', (_, matcher, before, want) => {
    const each = sizedVm((v) => {
      v.spec.instancetype = matcher;
      v.status = { instancetypeRef: before };
    });
    expect(statusRefOf(each, 'instancetype')).toStrictEqual(want);
  });

  test('is of its own reference', () => {
    const each = sizedVm((v) => {
      v.spec.preference = { name: 'linux' };
      v.status = { instancetypeRef: { name: 'small', kind: 'X' }, preferenceRef: { name: 'linux', kind: 'Y' } };
    });
    expect(statusRefOf(each, 'preference')).toEqual({ name: 'linux', kind: 'Y' });
  });
});
