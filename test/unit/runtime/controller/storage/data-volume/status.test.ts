import type { cdi } from '../../../../../../src/api';
import { annotations } from '../../../../../../src/runtime/controller/storage/population/annotations';
import { phaseOf, statusOf } from '../../../../../../src/runtime/controller/storage/data-volume/status';
import { eventOf } from '../../../../../../src/runtime/controller/storage/data-volume/events';
import { claim } from '../fixtures';

const NOW = Date.parse('2026-01-02T00:00:00Z');
const inPhase = (phase: string, given: Record<string, string> = {}) => claim(given, { status: { phase } });
const withPod = (phase: string) => inPhase('Pending', { [annotations.podPhase]: phase });

describe('phase of a DataVolume', () => {
  test.each([
    ['without a claim', undefined, false, 'Pending'],
    ['whose claim waits for a Pod', inPhase('Pending'), true, 'PendingPopulation'],
    ['whose claim waits for nothing', inPhase('Pending'), false, 'Pending'],
    ['whose importer starts', withPod('Pending'), false, 'ImportScheduled'],
    ['whose importer runs', withPod('Running'), false, 'ImportInProgress'],
    ['whose importer runs after its consumer was deleted', withPod('Running'), true, 'ImportInProgress'],
    ['whose volume is handed over', withPod('Succeeded'), false, 'ImportInProgress'],
    ['whose importer is replaced', withPod('Failed'), false, 'ImportScheduled'],
    ['whose importer cannot be reached', withPod('Unknown'), false, 'Unknown'],
    [
      'whose claim was restored from a snapshot',
      inPhase('Bound', { 'cdi.kubevirt.io/storage.populatedFor': 'root' }),
      false,
      'Succeeded',
    ],
    [
      'whose claim was restored for another one',
      inPhase('Bound', { 'cdi.kubevirt.io/storage.populatedFor': 'other' }),
      false,
      'PVCBound',
    ],
    [
      'whose claim is bound and complete',
      inPhase('Bound', { [annotations.podPhase]: 'Succeeded' }),
      false,
      'Succeeded',
    ],
    [
      'whose claim is bound before its importer ends',
      inPhase('Bound', { [annotations.podPhase]: 'Running' }),
      false,
      'PVCBound',
    ],
    ['whose claim is bound to an empty volume', inPhase('Bound'), false, 'PVCBound'],
    ['whose claim lost its volume', inPhase('Lost'), false, 'Failed'],
  ])('%s', (_, of, waitsForConsumer, wanted) => expect(phaseOf({ claim: of, waitsForConsumer })).toBe(wanted));

  test.each([
    ['whose upload server starts', {}, 'UploadScheduled'],
    ['whose upload server does not listen', { [annotations.podReady]: 'false' }, 'UploadScheduled'],
    ['whose upload server listens', { [annotations.podReady]: 'true' }, 'UploadReady'],
  ])('%s', (_, given, wanted) => {
    const of = inPhase('Pending', { [annotations.podPhase]: 'Running', ...given });
    expect(phaseOf({ claim: of, kind: 'VolumeUploadSource', waitsForConsumer: false })).toBe(wanted);
  });

  test('stays Succeeded when another program removes the annotations of its claim', () =>
    expect(phaseOf({ claim: inPhase('Bound'), waitsForConsumer: false }, 'Succeeded')).toBe('Succeeded'));
});

describe('status of a DataVolume', () => {
  const running = inPhase('Pending', {
    [annotations.podPhase]: 'Running',
    [annotations.running]: 'true',
    [annotations.runningReason]: 'Pod is running',
    [annotations.progress]: '12.00%',
    [annotations.restarts]: '2',
  });

  test('reports progress, restarts and conditions', () => {
    expect(statusOf({ claim: running, waitsForConsumer: false }, {}, NOW)).toEqual({
      claimName: 'root',
      phase: 'ImportInProgress',
      progress: '12.00%',
      restartCount: 2,
      conditions: [
        condition({ type: 'Bound', status: 'False', reason: 'Pending', message: 'PVC root Pending' }),
        condition({ type: 'Ready', status: 'False', reason: 'TransferRunning' }),
        condition({ type: 'Running', status: 'True', reason: 'Pod is running' }),
      ],
    });
  });

  test('keeps the times of conditions that do not change', () => {
    const before = statusOf({ claim: running, waitsForConsumer: false }, {}, NOW);
    expect(statusOf({ claim: running, waitsForConsumer: false }, before, NOW + 60_000)).toEqual(before);
    const filled = inPhase('Bound', { [annotations.podPhase]: 'Succeeded' });
    const bound = statusOf({ claim: filled, waitsForConsumer: false }, before, NOW + 60_000);
    expect(bound.conditions?.map(({ type, status, lastTransitionTime }) => [type, status, lastTransitionTime])).toEqual(
      ['Bound True', 'Ready True', 'Running False'].map((text) => [...text.split(' '), '2026-01-02T00:01:00Z']),
    );
    expect(bound).toMatchObject({ phase: 'Succeeded', progress: '100.0%', restartCount: 2 });
  });

  test('reports a volume that its driver did not leave to the populator, as a failure', () => {
    const empty = statusOf({ claim: inPhase('Bound'), waitsForConsumer: false }, {}, NOW);
    const message = expect.stringMatching(/"local" bound PVC root .* without the content .*; delete the DataVolume/);
    expect(empty.conditions?.slice(1)).toMatchObject([
      { type: 'Ready', status: 'False' },
      { type: 'Running', status: 'False', reason: 'NotPopulated', message },
    ]);
    const dataVolume = { metadata: { name: 'root' }, spec: {}, status: {} } as never;
    expect(eventOf(dataVolume, empty)).toEqual({ type: 'Warning', reason: 'NotPopulated', message });
  });

  test('reports why there is no claim', () => {
    const problem = { reason: 'ErrClaimNotValid', message: 'no size' };
    const status = statusOf({ waitsForConsumer: false, problem }, {}, NOW);
    expect(status).toMatchObject({ phase: 'Pending', progress: 'N/A' });
    expect(status.conditions?.[0]).toMatchObject({ type: 'Bound', status: 'False', ...problem });
    const dataVolume = (of?: cdi.DataVolumeStatus) => ({ metadata: { name: 'root' }, spec: {}, status: of }) as never;
    expect(eventOf(dataVolume(), status)).toEqual({ type: 'Warning', ...problem });
    expect(eventOf(dataVolume(status), status)).toBeUndefined();
  });

  const condition = (fields: object) => ({
    ...fields,
    lastTransitionTime: '2026-01-02T00:00:00Z',
    lastHeartbeatTime: '2026-01-02T00:00:00Z',
  });
});
