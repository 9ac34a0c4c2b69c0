import { affectedBy, dependents } from '../../../../scripts/test-run/affected';
import type { Suite } from '../../../../scripts/test-run/suites';

const inputs = (graph: Record<string, string[]>): Parameters<typeof dependents>[0] =>
  Object.fromEntries(
    Object.entries(graph).map(([file, imported]) => [
      file,
      { bytes: 0, imports: imported.map((path) => ({ path, kind: 'import-statement' as const })) },
    ]),
  );

test.each([
  ['the file itself', ['a.ts'], ['a.ts', 'a.test.ts', 'b.test.ts']],
  ['a file that is imported over another one', ['deep.ts'], ['deep.ts', 'a.ts', 'a.test.ts', 'b.test.ts']],
  ['a test', ['b.test.ts'], ['b.test.ts']],
  ['a file that nothing imports', ['README.md'], ['README.md']],
])('finds what depends on %s', (_, changed, expected) => {
  const graph = { 'a.test.ts': ['a.ts'], 'b.test.ts': ['a.ts'], 'c.test.ts': [], 'a.ts': ['deep.ts'], 'deep.ts': [] };
  expect([...dependents(inputs(graph), new Set(changed))].sort()).toEqual([...expected].sort());
});

test('ends for files that import each other', () => {
  expect(dependents(inputs({ a: ['b'], b: ['a'] }), new Set(['a'])).size).toBe(2);
});

describe('in this checkout', () => {
  const suite = (file: string, values: Partial<Suite> = {}): Suite => ({
    file,
    stage: 'unit',
    needs: [],
    tier: 'submission',
    ...values,
  });
  const quantity = suite('test/unit/api/quantity.test.ts');
  const kill = suite('test/integration/engine/kill.test.ts', { stage: 'engine', needs: ['guest'] });
  const tasks = suite('test/unit/scripts/test-run/tasks.test.ts');

  test.each([
    ['a module', 'src/api/quantity.ts', [quantity.file, kill.file]],
    ['a program that only guests reach', 'src/runtime/launcher/main.ts', [kill.file]],
    ['a script', 'scripts/test-run/tasks.ts', [tasks.file]],
    ['a page', 'README.md', []],
  ])('a change of %s affects the suites that read it', async (_, changed, files) => {
    expect([...(await affectedBy([quantity, kill, tasks], new Set([changed])))].sort()).toEqual([...files].sort());
  });
});
