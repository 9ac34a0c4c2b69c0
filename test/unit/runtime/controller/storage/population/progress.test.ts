import {
  isNews,
  sampleOf,
  shownOf,
  windowOf,
  type Sample,
} from '../../../../../../src/runtime/controller/storage/population/progress';
import { metricsText } from '../../../../../../src/runtime/importer/metrics';

const metric = (value: string, name = 'kubevirt_cdi_import_progress_total'): string =>
  `# TYPE ${name} counter\n${name}{ownerUID="u"} ${value}\n`;

test.each([
  ['0', 0],
  ['45.2', 45.2],
  ['100', 100],
  ['100.01', undefined],
  ['1000', undefined],
  ['-1', undefined],
  ['NaN', undefined],
  ['1e2', undefined],
])('a metric of %s is %s percent', (value, wanted) => expect(sampleOf(metric(value), 0)?.percent).toBe(wanted));

test('another metric is ignored', () => expect(sampleOf(metric('5', 'other'), 0)).toBeUndefined());

const MIB = 1 << 20;
const bytes = (done: number, total = 100): Sample['bytes'] => ({ done: done * MIB, total: total * MIB });
const at = (seconds: number, done: number, total?: number): Sample => ({
  at: seconds * 1000,
  percent: done,
  bytes: bytes(done, total),
});

test('the metrics of an importer are read', () => {
  const text = metricsText('u', { percent: 45.2, bytes: bytes(45) });
  expect(sampleOf(text, 7)).toEqual({ at: 7, percent: 45.2, bytes: bytes(45) });
  expect(sampleOf(metricsText('u', { percent: undefined, bytes: undefined }), 7)).toEqual({ at: 7, percent: 0 });
});

test.each([
  ['more than there is', 6, 5],
  ['nothing of nothing', 0, 0],
  ['a negative number', -1, 5],
  ['a number of 16 digits', 1, 1e15],
])('of bytes that are %s, only the percentage is shown', (_, done, total) => {
  expect(sampleOf(metricsText('u', { percent: 5, bytes: { done, total } }), 0)).toEqual({ at: 0, percent: 5 });
});

test.each<[string, Sample[], string | undefined]>([
  ['before there is a rate', [at(0, 10)], 'received 10.0 MiB of 100.0 MiB'],
  ['with rate and remaining time', [at(0, 10), at(2, 20)], 'received 20.0 MiB of 100.0 MiB, 5.0 MiB/s, 16 s left'],
  ['while nothing arrives', [at(0, 20), at(30, 20)], 'received 20.0 MiB of 100.0 MiB'],
  ['without bytes', [{ at: 0, percent: 5 }], undefined],
])('%s', (_, samples, pace) => expect(shownOf(samples).pace).toBe(pace));

test.each<[string, Sample, Sample, boolean]>([
  ['one of this import', at(0, 10), at(30, 20), true],
  ['an old one', at(0, 10), at(31, 20), false],
  ['one of an importer that started again', at(0, 10), at(2, 5), false],
  ['one of another source', at(0, 10, 50), at(2, 20), false],
])('the rate %s counts', (_, sample, next, counts) => expect(windowOf([sample], next)).toEqual(counts ? [sample] : []));

test.each<[string, number, string, string, boolean]>([
  ['nothing new', 60, '5.00%', 'a', false],
  ['a small step at once', 2, '5.10%', 'b', false],
  ['a small step after a while', 5, '5.10%', 'b', true],
  ['a large step at once', 2, '15.00%', 'b', true],
  ['that the rate is lower', 5, '5.00%', 'b', false],
  ['that nothing has arrived for long', 30, '5.00%', 'b', true],
])('%s', (_, seconds, percent, pace, wanted) => {
  expect(isNews({ at: 0, percent: '5.00%', pace: 'a' }, { at: seconds * 1000, percent, pace })).toBe(wanted);
});
