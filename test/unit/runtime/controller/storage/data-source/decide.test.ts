import { decide, type Observed } from '../../../../../../src/runtime/controller/storage/data-source/decide';
import type { DataSource } from '../../../../../../src/runtime/controller/storage/types';
import { claim } from '../fixtures';

const dataSource = (source: object, labels: object = {}): DataSource =>
  ({ metadata: { name: 'fedora', namespace: 'n', labels }, spec: { source } }) as DataSource;
const pvc = { pvc: { namespace: 'n', name: 'root' } };
const snapshot = { snapshot: { namespace: 'n', name: 'snap' } };
const pointer = { dataSource: { namespace: 'n', name: 'other' } };
const ready = (readyToUse: boolean): Observed['snapshot'] =>
  ({ metadata: { name: 'snap' }, spec: { source: {} }, status: { readyToUse } }) as Observed['snapshot'];
const shown = (source: object, more: Partial<Observed> = {}): string => {
  const { conditions = [] } = decide({ dataSource: dataSource(source), now: 0, ...more }).status;
  return `${conditions[0]?.status} ${conditions[0]?.reason}`;
};

test.each<[string, string, object, Partial<Observed>?]>([
  ['without a source', 'False NoSource', {}],
  ['of a claim', 'True Ready', pvc, { claim: claim() }],
  ['of a claim that does not exist', 'False NotFound', pvc],
  [
    'of a claim that is being filled',
    'False ImportInProgress',
    pvc,
    { claim: claim(), importPhase: 'ImportInProgress' },
  ],
  ['of a claim that nobody fills yet', 'False Pending', pvc, { importPhase: '' }],
  ['of a claim that was filled', 'True Ready', pvc, { claim: claim(), importPhase: 'Succeeded' }],
  ['of a snapshot', 'True Ready', snapshot, { snapshot: ready(true) }],
  ['of a snapshot that is not ready', 'False SnapshotNotReady', snapshot, { snapshot: ready(false) }],
  ['of a snapshot that does not exist', 'False NotFound', snapshot],
  ['of another DataSource', 'True Ready', pointer, { target: dataSource(pvc), claim: claim() }],
  ['of a DataSource that does not exist', 'False NotFound', pointer],
  ['of a DataSource of a DataSource', 'False MaxDepthReached', pointer, { target: dataSource(pointer) }],
])('a DataSource %s is %s', (...[, wanted, source, more]) => expect(shown(source, more)).toBe(wanted));

test('a DataSource reports the disk itself, and only a snapshot is checked again', () => {
  const pointed = decide({ dataSource: dataSource(pointer), target: dataSource(pvc), claim: claim(), now: 0 });
  expect(pointed.status.source).toEqual(pvc);
  expect(pointed.retryMs).toBeUndefined();
  expect(decide({ dataSource: dataSource(snapshot), now: 0 }).retryMs).toBe(5000);
});

test('a DataSource takes the recommendations of its disk that it has not', () => {
  const key = 'instancetype.kubevirt.io/default-instancetype';
  const preference = 'instancetype.kubevirt.io/default-preference';
  const { metadata, ...rest } = claim();
  const disk = { ...rest, metadata: { ...metadata, labels: { [key]: 'large', [preference]: 'fedora', app: 'x' } } };
  const given = dataSource(pvc, { [key]: 'small' });
  expect(decide({ dataSource: given, claim: disk, now: 0 }).labels).toEqual({ [preference]: 'fedora' });
});
