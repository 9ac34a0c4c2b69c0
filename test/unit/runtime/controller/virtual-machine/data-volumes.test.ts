import { dataVolumeState, fillOf } from '../../../../../src/runtime/controller/virtual-machine/data-volumes';
import type { DataVolume, DataVolumes } from '../../../../../src/runtime/controller/virtual-machine/observed';
import { slimDataVolume } from '../../../../../src/runtime/controller/trim';
import { vm } from '../fixtures';

test.each([
  ['Succeeded', 'filled'],
  ['WaitForFirstConsumer', 'needs a consumer'],
  ['PendingPopulation', 'filled for a Pod'],
  ['Failed', 'failed'],
  ['ImportInProgress', 'being filled'],
  ['Paused', 'being filled'],
  ['', 'being filled'],
  [undefined, 'being filled'],
])('a DataVolume in phase %s is %s', (phase, want) => {
  expect(fillOf(phase)).toBe(want);
});

describe('a VM with two disks, of which CDI deleted the DataVolume of the first after it was filled', () => {
  const of = vm('Always', (v) => {
    v.spec.dataVolumeTemplates = ['root', 'data'].map((name) => ({ metadata: { name }, spec: {} }));
  });
  const volume = (name: string, phase: string): [string, DataVolume] => [
    name,
    { apiVersion: '', kind: 'DataVolume', metadata: { name }, status: { phase } },
  ];
  const state = (dataVolumes: DataVolumes, ...collected: string[]) => {
    const { missing, isProvisioning, problem } = dataVolumeState({
      vm: of,
      dataVolumes,
      collected: new Set(collected),
    });
    return [missing.map(({ metadata }) => metadata.name), isProvisioning, problem?.reason];
  };
  test.each<[string, DataVolumes, unknown[]]>([
    ['is filled when the second is', new Map([volume('data', 'Succeeded')]), [[], false, undefined]],
    ['is filled only when the second is', new Map([volume('data', 'ImportInProgress')]), [[], true, undefined]],
    ['gets the second', new Map(), [['data'], true, undefined]],
    [
      'is not failed by a new DataVolume of the first',
      new Map([volume('root', 'Failed'), volume('data', 'Succeeded')]),
      [[], false, undefined],
    ],
  ])('%s', (_, known, want) => expect(state(known, 'root')).toEqual(want));

  test('is created again if its claim is no longer marked', () => {
    expect(state(new Map([volume('data', 'Succeeded')]))).toEqual([['root'], true, undefined]);
  });

  test.each<[string, DataVolumes]>([
    ['is not installed any more', 'not installed'],
    ['cannot be listed', { unknown: 'why' }],
  ])('needs no CDI once both were deleted: it %s', (_, known) => {
    expect(state(known, 'root', 'data')).toEqual([[], false, undefined]);
    expect(state(known, 'root')).toEqual([[], false, expect.stringMatching(/^DataVolumes/)]);
  });
});

describe('an existing DataVolume of a template', () => {
  const of = vm('Always', (v) => {
    v.spec.dataVolumeTemplates = [{ metadata: { name: 'data' }, spec: {} }];
  });
  const created = { labels: { 'kubevirt.io/created-by': 'earlier-uid' } };
  const controlled = { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: 'u', controller: true }] };

  test.each<[string, object, string[]]>([
    ['becomes a disk of the VM if an earlier VM has left it', created, ['data']],
    ['stays that of its owner', { ...created, ...controlled }, []],
    ['stays that of the user who created it', {}, []],
    ['is not adopted while it is being deleted', { ...created, deletionTimestamp: 'now' }, []],
  ])('%s', (_, metadata, want) => {
    const existing = slimDataVolume({
      apiVersion: '',
      kind: 'DataVolume',
      metadata: { name: 'data', ...metadata },
      status: { phase: 'Succeeded' },
    });
    const { abandoned = [] } = dataVolumeState({
      vm: of,
      dataVolumes: new Map([['data', existing]]),
      collected: new Set(),
    });
    expect(abandoned.map((each) => each.metadata.name)).toEqual(want);
  });
});
