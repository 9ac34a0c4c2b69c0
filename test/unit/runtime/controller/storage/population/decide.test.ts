import { keys } from '../../../../../../src/api/keys';
import { annotations } from '../../../../../../src/runtime/controller/storage/population/annotations';
import { decide, type Observed } from '../../../../../../src/runtime/controller/storage/population/decide';
import { claim, done, fill, pod, prime, storageClass, volume } from '../fixtures';

const settings = { image: 'importer', overhead: 0.06 };
const late = storageClass('WaitForFirstConsumer');
const running = pod({ phase: 'Running', containerStatuses: [{ name: 'importer', state: { running: {} } }] });
const bound = (given = {}) => claim(given, { spec: { volumeName: 'pv' } });
const leaving = { name: 'root', namespace: 'n', uid: 'claim-uid', deletionTimestamp: '2026-01-01T00:00:00Z' };

/** Actions as text: what is done to which object. */
const shown = (observed: Partial<Observed>): string[] =>
  decide({ claim: claim(), fill, settings, ...observed }).map((action) => {
    switch (action.do) {
      case 'createPod':
      case 'deletePod':
        return `${action.do} ${action.pod.metadata.name}`;
      case 'handOver':
        return `handOver ${action.volume.metadata.name} to ${action.to.metadata.name}`;
      default:
        return `${action.do} ${action.claim.metadata.name}`;
    }
  });

describe('population of a claim', () => {
  test.each([
    ['starts', false],
    ['listens', true],
  ])('reports whether the upload server %s', (_, ready) => {
    const server = pod({ phase: 'Running', containerStatuses: [{ name: 'importer', ready, state: { running: {} } }] });
    const uploadFill = { kind: 'upload', contentType: 'kubevirt', isPreallocated: false } as const;
    const [action] = decide({ claim: claim(), fill: uploadFill, settings, prime: prime(), pod: server });
    expect(action).toMatchObject({
      do: 'annotate',
      annotations: { [annotations.podReady]: String(ready), [annotations.uploadPod]: server.metadata.name },
    });
    expect(action).not.toHaveProperty(['annotations', annotations.importPod]);
  });

  test('the Pod belongs to the claim of the user, so that both are deleted at once', () => {
    const [action] = decide({ claim: claim(), fill, settings, prime: prime() });
    expect(action).toMatchObject({ do: 'createPod', pod: { metadata: { ownerReferences: [{ uid: 'claim-uid' }] } } });
  });

  test.each<[string, Partial<Observed>, string[]]>([
    ['begins with a claim of its own', {}, ['createPrime prime-claim-uid']],
    ['waits for its source', { fill: undefined }, []],
    ['waits for the first consumer', { storageClass: late }, []],
    [
      'begins when a node was selected',
      { storageClass: late, claim: claim({ [annotations.selectedNode]: 'a' }) },
      ['createPrime prime-claim-uid'],
    ],
    [
      'begins when binding was requested, with any value',
      { storageClass: late, claim: claim({ [keys.bindImmediate]: '' }) },
      ['createPrime prime-claim-uid'],
    ],
    [
      'does not wait for a class that binds at once',
      { storageClass: storageClass('Immediate') },
      ['createPrime prime-claim-uid'],
    ],
    [
      'ends with a bound claim, without its importer',
      { claim: bound(), prime: prime(done), pod: pod({ phase: 'Succeeded' }) },
      ['deletePod importer-prime-claim-uid', 'deletePrime prime-claim-uid'],
    ],
    [
      'keeps the importer on request',
      { claim: bound({ [annotations.podRetained]: '' }), prime: prime(done), pod: pod({ phase: 'Succeeded' }) },
      ['deletePrime prime-claim-uid'],
    ],
    ['runs an importer', { prime: prime() }, ['createPod importer-prime-claim-uid']],
    [
      'keeps its importer when the consumer is gone',
      { prime: prime(), storageClass: late },
      ['createPod importer-prime-claim-uid'],
    ],
    ['reports its importer', { prime: prime(), pod: running }, ['annotate root']],
    [
      'records that the importer succeeded',
      { prime: prime(), pod: pod({ phase: 'Succeeded' }) },
      ['annotate root', 'annotate prime-claim-uid'],
    ],
    [
      'replaces an importer that failed',
      { prime: prime(), pod: pod({ phase: 'Failed' }) },
      ['annotate root', 'deletePod importer-prime-claim-uid'],
    ],
    [
      'does not delete an importer twice',
      { prime: prime(), pod: pod({ phase: 'Failed' }, { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
      ['annotate root'],
    ],
    ['hands the volume over', { prime: prime(done, 'pv'), volume: volume('prime-uid') }, ['handOver pv to root']],
    [
      'hands it over without the source and the Pod',
      { prime: prime(done, 'pv'), volume: volume('prime-uid'), fill: undefined },
      ['handOver pv to root'],
    ],
    ['hands it over once', { prime: prime(done, 'pv'), volume: volume('claim-uid') }, []],
    ['never takes the volume of another claim', { prime: prime(done, 'pv'), volume: volume('other') }, []],
    ['waits until it sees the volume', { prime: prime(done, 'pv') }, []],
    [
      'never hands over an unfinished volume',
      { prime: prime({}, 'pv'), volume: volume('prime-uid'), pod: running },
      ['annotate root'],
    ],
    [
      'ends with the deletion of its own claim',
      { claim: claim({}, { spec: { volumeName: 'pv' } as never }), prime: prime(done, 'pv') },
      ['deletePrime prime-claim-uid'],
    ],
    ['does nothing for a bound claim', { claim: claim({}, { spec: { volumeName: 'pv' } as never }) }, []],
    ['does nothing for a claim that is being deleted', { claim: claim({}, { metadata: leaving }), prime: prime() }, []],
  ])('%s', (_, observed, wanted) => expect(shown(observed)).toEqual(wanted));

  test('writes only annotations that change', () => {
    const [first] = decide({
      claim: claim(),
      fill,
      settings,
      prime: prime(),
      pod: running,
      progress: { percent: '12.50%' },
    });
    const written = (first as { annotations: Record<string, string> }).annotations;
    expect(written).toEqual({
      [annotations.podPhase]: 'Running',
      [annotations.importPod]: 'importer-prime-claim-uid',
      [annotations.running]: 'true',
      [annotations.runningReason]: 'Pod is running',
      [annotations.runningMessage]: '',
      [annotations.restarts]: '0',
      [annotations.progress]: '12.50%',
    });
    const after = { claim: claim(written), fill, settings, prime: prime(), pod: running };
    expect(decide({ ...after, progress: { percent: '12.50%' } })).toEqual([]);
    expect(decide({ ...after, progress: { percent: '12.51%', pace: '1 MiB/s' } })).toMatchObject([
      { annotations: { [annotations.progress]: '12.51%', [annotations.runningMessage]: '1 MiB/s' } },
    ]);
  });
});
