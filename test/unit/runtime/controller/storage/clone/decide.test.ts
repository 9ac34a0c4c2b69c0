import { decide, steps, type Observed } from '../../../../../../src/runtime/controller/storage/clone/decide';
import type { Plan } from '../../../../../../src/runtime/controller/storage/clone/plan';
import { begunFrom, clonePrimeOf } from '../../../../../../src/runtime/controller/storage/clone/prime';
import { annotations } from '../../../../../../src/runtime/controller/storage/population/annotations';
import type { CloneFill, StorageClaim } from '../../../../../../src/runtime/controller/storage/types';
import { claim, done, pod, volume } from '../fixtures';

const from = { kind: 'PersistentVolumeClaim', namespace: 'images', name: 'golden' } as const;
const fill: CloneFill = { kind: 'clone', from, isPreallocated: false };
const settings = { image: 'importer', overhead: 0.06 };
const source = { ...claim(), metadata: { name: 'golden', namespace: 'images' } };
const planned = (more: Partial<Plan> = {}): Plan => ({
  strategy: 'csi-clone',
  bytes: 1 << 30,
  needsPod: false,
  ...more,
});
const prime = (made: Plan, given: object = {}, more: Partial<StorageClaim> = {}): StorageClaim => {
  const { metadata, spec, ...rest } = clonePrimeOf(claim(), from, made);
  return {
    ...rest,
    metadata: { ...metadata, uid: 'prime-uid', annotations: { ...metadata.annotations, ...given } },
    spec: { ...spec, ...more.spec },
    ...(more.status && { status: more.status }),
  };
};
const bound = { status: { phase: 'Bound' }, spec: { volumeName: 'pv' } };
const worker = (phase: 'Succeeded' | 'Failed'): ReturnType<typeof pod> => pod({ phase }, { namespace: 'images' });
const copy = planned({ strategy: 'copy' });

/** Actions as text; of annotations, the step and the reason. */
const shown = (more: Partial<Observed>): string[] =>
  decide({ claim: claim(), fill, waitsForConsumer: false, source, settings, ...more }).map((action) => {
    switch (action.do) {
      case 'annotate': {
        const { [annotations.clonePhase]: step, [annotations.runningReason]: reason } = action.annotations;
        return `annotate ${action.claim.metadata.name} ${[step, reason].filter(Boolean).join(' ')}`.trim();
      }
      case 'createPrime':
      case 'deletePrime':
        return `${action.do} ${action.claim.metadata.namespace}`;
      case 'createPod':
      case 'deletePod':
        return `${action.do} ${action.pod.metadata.namespace}`;
      case 'handOver':
        return `handOver ${action.volume.metadata.name} to ${action.to.metadata.name}`;
      case 'warn':
        return `warn ${action.reason}`;
      case 'recheck':
        return `recheck ${action.afterMs}`;
      default:
        return `${action.do} ${action.snapshot.metadata.namespace}`;
    }
  });

describe('a clone', () => {
  const fallback = { reason: 'NoVolumeExpansion', message: 'no' };
  test.each<[string, Partial<Observed>, string[]]>([
    ['begins in the namespace of its source', { start: planned() }, ['annotate root CSIClone', 'createPrime images']],
    [
      'reports why the storage does not clone',
      { start: planned({ strategy: 'copy', fallback }) },
      ['annotate root HostClone', 'warn NoVolumeExpansion', 'createPrime images'],
    ],
    ['waits for its description', { fill: undefined, start: planned() }, []],
    ['waits for the first consumer', { waitsForConsumer: true, start: planned() }, []],
    [
      'reports why it does not begin, and tries again',
      { start: { reason: 'CloneSourceInUse', message: 'stop it', retryMs: 3000 } },
      ['annotate root Pending CloneSourceInUse', 'warn CloneSourceInUse', 'recheck 3000'],
    ],
    [
      'reports it once',
      {
        start: { reason: 'Busy', message: 'stop it', retryMs: 3000 },
        claim: claim({
          [annotations.clonePhase]: steps.waiting,
          [annotations.running]: 'false',
          [annotations.runningReason]: 'Busy',
          [annotations.runningMessage]: 'stop it',
        }),
      },
      ['recheck 3000'],
    ],
    ['of the storage needs no Pod', { prime: prime(planned()) }, ['annotate root CSIClone']],
    [
      'of the storage is complete when it is bound',
      { prime: prime(planned(), {}, bound) },
      ['annotate root Rebind Completed', 'annotate prime-claim-uid'],
    ],
    [
      'that is larger is bound before its disk is',
      { prime: prime(planned({ needsPod: true }), {}, bound) },
      ['createPod images'],
    ],
    ['is copied by a Pod beside its source', { prime: prime(copy) }, ['createPod images']],
    [
      'that was copied is recorded',
      { prime: prime(copy), pod: worker('Succeeded') },
      ['annotate root HostClone Completed', 'annotate prime-claim-uid'],
    ],
    [
      'replaces a Pod that failed',
      { prime: prime(copy), pod: worker('Failed') },
      ['annotate root HostClone Failed', 'deletePod images'],
    ],
    [
      'hands its volume over',
      { prime: prime(planned(), done, bound), volume: volume('prime-uid') },
      ['annotate root Rebind Completed', 'handOver pv to root'],
    ],
    [
      'takes no volume of a namespace that it cannot tell',
      { fill: undefined, prime: prime(planned(), done, bound), volume: volume('prime-uid') },
      [],
    ],
    [
      'ends without Pod and claim',
      { claim: claim({}, { spec: { volumeName: 'pv' } }), prime: prime(copy, done, bound), pod: worker('Succeeded') },
      ['deletePod images', 'deletePrime images'],
    ],
    [
      'snapshots its source',
      { prime: prime(planned({ strategy: 'snapshot' })), snapshotClass: 'snaps' },
      ['createSnapshot images', 'annotate root SnapshotClone'],
    ],
    [
      'takes no snapshot of what is restored',
      { prime: prime(planned({ strategy: 'snapshot' }), {}, bound), snapshotClass: 'snaps' },
      ['annotate root Rebind Completed', 'annotate prime-claim-uid'],
    ],
  ])('%s', (_, more, wanted) => expect(shown(more)).toEqual(wanted));

  test('its claim names what it is filled for, because an owner cannot be in another namespace', () => {
    expect(prime(planned()).metadata).toMatchObject({
      namespace: 'images',
      annotations: { [annotations.cloneTarget]: 'n/root' },
      ownerReferences: [],
    });
    expect(clonePrimeOf(claim(), { ...from, namespace: 'n' }, planned()).metadata.ownerReferences).toHaveLength(1);
  });

  test.each(['PersistentVolumeClaim', 'VolumeSnapshot'] as const)(
    'that has begun from a %s keeps its source when its VolumeCloneSource has changed',
    (kind) => {
      const begun = clonePrimeOf(claim(), { ...from, kind }, copy);
      const changed = { kind: 'PersistentVolumeClaim', namespace: 'images', name: 'secrets' } as const;
      expect(begunFrom(begun, changed)).toEqual({ ...from, kind });
    },
  );

  test.each([undefined, '', 'PersistentVolumeClaim', 'PersistentVolumeClaim/', 'Secret/a'])(
    'of a claim that names no source (%j) has the described one',
    (given) => {
      const { metadata, ...rest } = prime(copy);
      const { [annotations.cloneSource]: _named, ...others } = metadata.annotations ?? {};
      const claimed = { ...others, ...(given !== undefined && { [annotations.cloneSource]: given }) };
      expect(begunFrom({ ...rest, metadata: { ...metadata, annotations: claimed } }, from)).toBe(from);
    },
  );
});
