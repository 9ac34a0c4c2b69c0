import { ProgramMetrics } from '../../../../../src/runtime/kube/metrics';
import { metricsText } from '../../../../support/metrics';

const NAME = 'kubevirt_console_active_connections';

test('a computed metric has the help and the type of the table, and keeps no value between scrapes', async () => {
  let value: number | undefined = 2;
  const metrics = new ProgramMetrics();
  metrics.computed(NAME, () => (value === undefined ? [] : [{ labels: { namespace: 'web', vmi: 'a' }, value }]));
  expect(await metricsText(metrics)).toBe(
    `# HELP ${NAME} Open serial consoles.\n# TYPE ${NAME} gauge\n${NAME}{namespace="web",vmi="a"} 2\n`,
  );
  value = undefined;
  expect(await metricsText(metrics)).toBe(`# HELP ${NAME} Open serial consoles.\n# TYPE ${NAME} gauge\n`);
});

test('labels are escaped, and empty ones are left out', async () => {
  const metrics = new ProgramMetrics();
  metrics.computed(NAME, () => [{ labels: { namespace: '', vmi: 'a"b\\c\nd' }, value: 1 }]);
  expect(await metricsText(metrics)).toContain(`${NAME}{vmi="a\\"b\\\\c\\nd"} 1\n`);
});

test('a metric that cannot be computed leaves the others', async () => {
  const failed: string[] = [];
  const metrics = new ProgramMetrics((name) => failed.push(name));
  metrics.computed(NAME, () => {
    throw new Error('broken');
  });
  metrics.gauge('kubevirt_virt_api_ready_status').set(1);
  expect(await metricsText(metrics)).toMatch(/kubevirt_virt_api_ready_status 1\n$/);
  expect(failed).toEqual([NAME]);
});

test('many values are printed in parts, and the help and the type once', async () => {
  const metrics = new ProgramMetrics();
  const numbers = Array.from({ length: 1_200 }, (_, i) => i);
  metrics.computed(NAME, () => numbers.map((i) => ({ labels: { vmi: String(i) }, value: i })));
  const parts: string[] = [];
  for await (const part of metrics.text()) parts.push(part);
  expect(parts.length).toBe(3);
  const lines = parts.join('').trimEnd().split('\n');
  expect(lines.slice(0, 2)).toEqual([`# HELP ${NAME} Open serial consoles.`, `# TYPE ${NAME} gauge`]);
  expect(lines.slice(2)).toEqual(numbers.map((i) => `${NAME}{vmi="${i}"} ${i}`));
});

test('as many values as a part has are printed once', async () => {
  const metrics = new ProgramMetrics();
  metrics.computed(NAME, () => Array.from({ length: 500 }, (_, i) => ({ labels: { vmi: String(i) }, value: i })));
  expect((await metricsText(metrics)).trimEnd().split('\n')).toHaveLength(502);
});

test('a metric is declared with the type of the table', () => {
  expect(() => new ProgramMetrics().counter(NAME)).toThrow(`${NAME} is a gauge, not a counter`);
});
