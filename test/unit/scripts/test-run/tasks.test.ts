import type { Suite } from '../../../../scripts/test-run/suites';
import { jestTasks, type Known } from '../../../../scripts/test-run/tasks';

const suite = (file: string, values: Partial<Suite> = {}): Suite => ({
  file,
  stage: 'integration',
  needs: [],
  tier: 'submission',
  ...values,
});
const unit = (file: string): Suite => suite(file, { stage: 'unit' });
const nothing: Known = { seconds: () => undefined, affected: () => false };
const filesOf = (tasks: ReturnType<typeof jestTasks>): string[][] =>
  tasks.map(({ suites }) => suites!.map(({ file }) => file).sort());

test('a suite with a guest is a task of its own, with the needs and the recorded seconds of the suite', () => {
  const [task] = jestTasks([suite('a', { needs: ['guest'] })], { ...nothing, seconds: () => 42 });
  expect(task).toMatchObject({ name: 'a', needs: ['guest'], seconds: 42, affected: false });
});

test('a suite without a record is expected to take longer if it boots guests', () => {
  const [boots, light] = jestTasks([suite('a', { needs: ['guest'] }), suite('b')], nothing);
  expect(boots!.seconds).toBeGreaterThan(light!.seconds);
});

test('unit suites are dealt into eight groups of similar duration', () => {
  const files = Array.from({ length: 40 }, (_, index) => unit(String(index)));
  const tasks = jestTasks(files, { ...nothing, seconds: (file) => (file === '0' ? 30 : 1) });
  expect(tasks).toHaveLength(8);
  expect(filesOf(tasks).flat().sort()).toEqual(files.map(({ file }) => file).sort());
  expect(tasks.find(({ suites }) => suites!.some(({ file }) => file === '0'))!.suites).toHaveLength(1);
});

test('unit suites that a change affects are a group of their own', () => {
  const files = Array.from({ length: 20 }, (_, index) => unit(String(index)));
  const tasks = jestTasks(files, { ...nothing, affected: (file) => file === '3' || file === '4' });
  expect(filesOf(tasks.filter(({ affected }) => affected))).toEqual([['3', '4']]);
});

test('if a change affects most unit suites, they are dealt as without it', () => {
  const files = Array.from({ length: 20 }, (_, index) => unit(String(index)));
  expect(jestTasks(files, { ...nothing, affected: () => true })).toHaveLength(8);
});
