import { keys } from '../../../../../../src/api/keys';
import { annotations } from '../../../../../../src/runtime/controller/storage/population/annotations';
import {
  decideUpload,
  startsUpload,
  usedBy,
} from '../../../../../../src/runtime/controller/storage/population/upload-target';
import type { StorageClaim } from '../../../../../../src/runtime/controller/storage/types';
import { claim, pod, storageClass } from '../fixtures';

const settings = { image: 'importer', overhead: 0.06 };
const late = storageClass('WaitForFirstConsumer');
const leaving = { name: 'root', namespace: 'n', uid: 'claim-uid', deletionTimestamp: '2026-01-01T00:00:00Z' };
const full = { [annotations.podPhase]: 'Succeeded' };

const target = (given = {}, spec: Partial<StorageClaim['spec']> = {}): StorageClaim =>
  claim({ [keys.uploadTarget]: '', ...given }, { spec: { dataSourceRef: undefined, ...spec } as never });
const deleted = (): StorageClaim => {
  const { metadata, ...rest } = target();
  return { ...rest, metadata: { ...metadata, ...leaving } };
};
const listening = pod({
  phase: 'Running',
  containerStatuses: [{ name: 'importer', ready: true, state: { running: {} } }],
});

/** Actions as text: what is done to which object. */
const shown = (observed: Partial<Parameters<typeof decideUpload>[0]>): string[] =>
  decideUpload({ claim: target(), settings, ...observed }).map((action) =>
    'pod' in action ? `${action.do} ${action.pod.metadata.name}` : action.do,
  );

describe('an upload into the volume of a claim', () => {
  test.each<[string, Parameters<typeof shown>[0], string[]]>([
    ['begins with a Pod of its own', {}, ['createPod importer-prime-claim-uid']],
    ['waits for the first consumer', { storageClass: late }, []],
    [
      'does not wait for a consumer of a claim that is bound',
      { storageClass: late, claim: target({}, { volumeName: 'pv' }) },
      ['createPod importer-prime-claim-uid'],
    ],
    [
      'begins when binding was requested',
      { storageClass: late, claim: target({ [keys.bindImmediate]: '' }) },
      ['createPod importer-prime-claim-uid'],
    ],
    ['reports its Pod', { pod: listening }, ['annotate']],
    ['reports that it succeeded', { pod: pod({ phase: 'Succeeded' }) }, ['annotate']],
    [
      'ends without its Pod',
      { claim: target(full), pod: pod({ phase: 'Succeeded' }) },
      ['deletePod importer-prime-claim-uid'],
    ],
    [
      'keeps its Pod on request',
      { claim: target({ ...full, [keys.podRetained]: '' }), pod: pod({ phase: 'Succeeded' }) },
      ['annotate'],
    ],
    ['does not begin again', { claim: target(full) }, []],
    [
      'replaces a Pod that failed',
      { pod: pod({ phase: 'Failed' }) },
      ['annotate', 'deletePod importer-prime-claim-uid'],
    ],
    ['does not begin for a claim that is being deleted', { claim: deleted() }, []],
    [
      'ends when the claim is deleted, which its Pod would keep',
      { claim: deleted(), pod: listening },
      ['deletePod importer-prime-claim-uid'],
    ],
    ['deletes a Pod once', { claim: deleted(), pod: pod({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }) }, []],
  ])('%s', (_, observed, want) => expect(shown(observed)).toEqual(want));

  test('is written by the Pod into the claim itself, and reported as CDI does', () => {
    const [created] = decideUpload({ claim: target({ [keys.contentType]: 'archive' }), settings });
    const { metadata, spec } = (created as Extract<typeof created, { do: 'createPod' }>).pod;
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'PersistentVolumeClaim', uid: 'claim-uid' }]);
    expect(spec.volumes).toContainEqual({ name: 'cdi-data-vol', persistentVolumeClaim: { claimName: 'root' } });
    expect(JSON.stringify(spec.containers)).toContain('\\"contentType\\":\\"archive\\"');
    expect(decideUpload({ claim: target(), settings, pod: listening })).toMatchObject([
      {
        annotations: {
          'cdi.kubevirt.io/storage.pod.phase': 'Running',
          'cdi.kubevirt.io/storage.pod.ready': 'true',
          'cdi.kubevirt.io/storage.uploadPodName': 'importer-prime-claim-uid',
        },
      },
    ]);
  });

  test('waits until no Pod uses the claim', () => {
    expect(startsUpload({ claim: target() })).toBe(true);
    expect(startsUpload({ claim: target(), pod: listening })).toBe(false);
    expect(usedBy([])).toBeUndefined();
    expect(usedBy(['n/web'])).toEqual({
      reason: 'UploadTargetInUse',
      message: 'the upload begins when no Pod uses the claim; these use it: n/web',
      retryMs: expect.any(Number),
    });
  });
});
