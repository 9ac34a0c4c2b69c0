import { percentOf } from '../../../../../../src/runtime/controller/storage/population/progress';

const metric = (value: string, name = 'kubevirt_cdi_import_progress_total'): string =>
  `# TYPE ${name} counter\n${name}{ownerUID="u"} ${value}\n`;

test.each([
  ['0', '0.00%'],
  ['45.2', '45.20%'],
  ['100', '100.00%'],
  ['100.01', undefined],
  ['1000', undefined],
  ['-1', undefined],
  ['NaN', undefined],
  ['1e2', undefined],
])('a metric of %s is %s', (value, wanted) => expect(percentOf(metric(value))).toBe(wanted));

test('another metric is ignored', () => expect(percentOf(metric('5', 'other'))).toBeUndefined());
