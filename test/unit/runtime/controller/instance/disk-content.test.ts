import type { KubeObject, OwnerReference, Volume } from '../../../../../src/api';
import { decide } from '../../../../../src/runtime/controller/instance/decide';
import type { Observed } from '../../../../../src/runtime/controller/instance/observed';
import { slimClaim } from '../../../../../src/runtime/controller/trim';
import { dataVolumes, seen, vmi } from '../fixtures';

type Kind = 'dataVolume' | 'persistentVolumeClaim' | 'ephemeral';
const volumes: Record<Kind, Omit<Volume, 'name'>> = {
  dataVolume: { dataVolume: { name: 'dv' } },
  persistentVolumeClaim: { persistentVolumeClaim: { claimName: 'dv' } },
  ephemeral: { ephemeral: { persistentVolumeClaim: { claimName: 'dv' } } },
};
const naming = (kind: Kind) => vmi({}, (v) => (v.spec.volumes = [{ name: 'root', ...volumes[kind] }]));

const controller = (more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  name: 'dv',
  uid: 'dv-uid',
  controller: true,
  ...more,
});

/** The claim as the cache holds it, with annotations of CDI. */
function claimsOf(
  owner?: OwnerReference,
  ofStorage: Record<string, string> = {},
  said: Record<string, string> = {},
): Observed['claims'] {
  const all = [...Object.entries(ofStorage).map(([k, v]) => [`storage.${k}`, v]), ...Object.entries(said)];
  const annotations = Object.fromEntries(all.map(([k, v]) => [`cdi.kubevirt.io/${k}`, v]));
  const claim: KubeObject = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'dv', namespace: 'web', annotations, ownerReferences: owner && [owner] },
  };
  return new Map([['dv', { uid: 'claim-uid', ...slimClaim(claim).spec }]]);
}

const starts = (kind: Kind, facts: Partial<Observed>): boolean =>
  decide(seen(naming(kind), facts)).some((action) => action.do === 'createPod');

const kinds: Kind[] = ['dataVolume', 'persistentVolumeClaim', 'ephemeral'];

describe.each(kinds)('a volume of kind %s on a claim that a DataVolume controls', (kind) => {
  test.each<[string, Observed['dataVolumes'], Record<string, string>, boolean]>([
    ['has succeeded', dataVolumes('Succeeded'), {}, true],
    ['waits for a consumer', dataVolumes('WaitForFirstConsumer'), {}, false],
    ['waits for the Pod whose node gets the disk', dataVolumes('PendingPopulation'), {}, true],
    ['is being imported', dataVolumes('ImportInProgress'), {}, false],
    ['has no phase', dataVolumes(), {}, false],
    ['failed', dataVolumes('Failed'), {}, false],
    [
      'is being imported, with any annotations of the claim',
      dataVolumes('ImportInProgress'),
      { populatedFor: 'dv' },
      false,
    ],
    ['is not in the cache', new Map(), {}, false],
    ['is not in the cache, and its importer runs', new Map(), { 'pod.phase': 'Running' }, false],
    ['is not in the cache, and its importer has succeeded', new Map(), { 'pod.phase': 'Succeeded' }, true],
    ['is not in the cache, and has filled the claim', new Map(), { populatedFor: 'dv' }, true],
    ['is not in the cache, and another one has filled the claim', new Map(), { populatedFor: 'other' }, false],
    [
      'is not in the cache, and the importer of a checkpoint has succeeded',
      new Map(),
      { 'pod.phase': 'Succeeded', 'checkpoint.current': 'one' },
      false,
    ],
    [
      'is not in the cache, and the importer of the last checkpoint has succeeded',
      new Map(),
      { 'pod.phase': 'Succeeded', 'checkpoint.current': 'two', 'checkpoint.done': 'true' },
      true,
    ],
    ['is in the cache only as an older one of its name', dataVolumes('Succeeded', 'old-uid'), {}, false],
  ])('which %s', (_, known, said, want) =>
    expect(starts(kind, { claims: claimsOf(controller(), said), dataVolumes: known })).toBe(want),
  );

  test('is not used while DataVolumes cannot be listed, and the instance reports why', () => {
    const facts = { claims: claimsOf(controller()), dataVolumesUnknown: 'virt-controller cannot list them (why)' };
    expect(decide(seen(naming(kind), facts))).toEqual([
      expect.objectContaining({ do: 'patchStatus' }),
      expect.objectContaining({
        do: 'recordEvent',
        reason: 'DataVolumePending',
        message: expect.stringMatching(/"dv" is filled: .*\(why\)/),
      }),
    ]);
  });
});

test.each<[string, Kind, OwnerReference | undefined]>([
  ['CDI deleted its DataVolume after it was filled', 'dataVolume', undefined],
  ['no DataVolume ever made it', 'persistentVolumeClaim', undefined],
  ['another object controls it', 'persistentVolumeClaim', controller({ apiVersion: 'apps/v1', kind: 'StatefulSet' })],
  ['a DataVolume of another group controls it', 'ephemeral', controller({ apiVersion: 'cdi.kubevirt.io.evil/v1' })],
  ['a DataVolume owns it, but does not control it', 'persistentVolumeClaim', controller({ controller: false })],
])('a claim is used when %s', (_, kind, owner) =>
  expect(starts(kind, { claims: claimsOf(owner), dataVolumes: new Map() })).toBe(true),
);

describe('a claim whose DataVolume CDI collected', () => {
  const collected = { garbageCollected: 'true' };
  const ofVm = controller({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'fedora' });
  test.each<[string, OwnerReference | undefined, Record<string, string>, Partial<Observed>, boolean]>([
    ['is used, as its VM has it', ofVm, collected, { dataVolumes: new Map() }, true],
    ['also while a new DataVolume of its name does nothing', ofVm, collected, { dataVolumes: dataVolumes('') }, true],
    ['also when DataVolumes cannot be listed', ofVm, collected, { dataVolumesUnknown: 'why' }, true],
    ['is used only once it is filled again', controller(), collected, { dataVolumes: dataVolumes('Pending') }, false],
    ['must be "true"', ofVm, { garbageCollected: 'no' }, { dataVolumesUnknown: 'why' }, false],
  ])('%s', (_, owner, said, facts, want) =>
    expect(starts('dataVolume', { claims: claimsOf(owner, {}, said), ...facts })).toBe(want),
  );
});

test('a claim that no DataVolume controls needs no list of DataVolumes', () => {
  expect(starts('persistentVolumeClaim', { claims: claimsOf(), dataVolumesUnknown: 'why' })).toBe(true);
  expect(starts('dataVolume', { claims: claimsOf(), dataVolumesUnknown: 'why' })).toBe(false);
});

describe.each<Kind>(['persistentVolumeClaim', 'ephemeral'])(
  'a volume of kind %s on a claim that requests an upload',
  (kind) => {
    test.each<[string, Observed['claims'], boolean]>([
      ['waits for the upload', claimsOf(undefined, { 'upload.target': '' }), false],
      ['waits for its end', claimsOf(undefined, { 'upload.target': '', 'pod.phase': 'Running' }), false],
      ['is used when it is complete', claimsOf(undefined, { 'upload.target': '', 'pod.phase': 'Succeeded' }), true],
    ])('%s', (_, claims, want) => expect(starts(kind, { claims, dataVolumes: new Map() })).toBe(want));
  },
);

test('a claim that requests an upload and has a DataVolume is filled when the DataVolume reports it', () => {
  const claims = claimsOf(controller(), { 'upload.target': '' });
  expect(starts('dataVolume', { claims, dataVolumes: dataVolumes('Succeeded') })).toBe(true);
});

test('each claim of an instance is looked at, not only the first', () => {
  const of = vmi({}, (v) => {
    v.spec.volumes = [
      { name: 'a', persistentVolumeClaim: { claimName: 'plain' } },
      { name: 'b', persistentVolumeClaim: { claimName: 'dv' } },
    ];
  });
  const claims = new Map([['plain', {}], ...claimsOf(controller())]);
  const does = (phase: string) => decide(seen(of, { claims, dataVolumes: dataVolumes(phase) })).map((a) => a.do);
  expect(does('ImportInProgress')).not.toContain('createPod');
  expect(does('Succeeded')).toContain('createPod');
});

test.each<[string, Partial<Observed>, RegExp]>([
  [
    'waits for a consumer',
    { claims: claimsOf(controller()), dataVolumes: dataVolumes('WaitForFirstConsumer') },
    /^DataVolume "dv" is filled only when a Pod uses its claim .*bind\.immediate/,
  ],
  [
    'is missing',
    { claims: claimsOf(controller()), dataVolumes: new Map() },
    /^PersistentVolumeClaim "dv" belongs to DataVolume "dv" \(uid dv-uid\), which was not found.*ownerReference$/,
  ],
  [
    'cannot be listed, and its claim does not exist',
    { dataVolumesUnknown: 'why' },
    /^virt-controller cannot determine whether DataVolume "dv" is filled: why; the VM will start automatically/,
  ],
])('an instance whose DataVolume %s gets a remedy', (_, facts, message) =>
  expect(decide(seen(naming('dataVolume'), facts))[1]).toMatchObject({
    do: 'recordEvent',
    reason: 'DataVolumePending',
    message: expect.stringMatching(message),
  }),
);
