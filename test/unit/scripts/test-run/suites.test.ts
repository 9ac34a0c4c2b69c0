import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Suite, suiteOf, suitesOfTier } from '../../../../scripts/test-run/suites';

const checkout = resolve(__dirname, '../../../..');

test.each([
  ['a suite without a docblock', "import 'x';", [], 'submission'],
  ['one need', "/** @needs guest */\nimport 'x';", ['guest'], 'submission'],
  ['two needs and a tier', '/** @needs guest checkout @tier all */', ['guest', 'checkout'], 'all'],
  ['tags on lines of their own', '/**\n * What it tests.\n *\n * @needs alone\n * @tier all\n */', ['alone'], 'all'],
  ['a docblock further down', "import 'x';\n/** @needs guest */", [], 'submission'],
])('reads needs and tier of %s', (_, text, needs, tier) => {
  expect(suiteOf('test/integration/engine/x.test.ts', text)).toMatchObject({ needs, tier, stage: 'engine' });
});

test.each([
  ['test/unit/api/x.test.ts', 'unit'],
  ['test/integration/api/x.test.ts', 'integration'],
  ['test/e2e/x.test.ts', 'e2e'],
])('%s belongs to the stage %s', (file, stage) => expect(suiteOf(file, '').stage).toBe(stage));

test.each([
  ['/** @needs gest */', 'no need is named "gest"; there are: guest, checkout, alone'],
  ['/** @tier nightly */', 'no tier is named "nightly"; there is: all'],
])('rejects %s', (text, message) => expect(() => suiteOf('a', text)).toThrow(message));

describe('the suites of a run', () => {
  const suite = (file: string, tier: Suite['tier']): Suite => ({ file, tier, stage: 'integration', needs: [] });
  const all = Array.from({ length: 25 }, (_, index) => suite(`rest-${String(index).padStart(2, '0')}`, 'all'));
  const suites = [suite('always', 'submission'), ...all];
  const filesOf = (commit: string): string[] => suitesOfTier(suites, { all: false, commit }).map(({ file }) => file);

  test('are all with --all', () => expect(suitesOfTier(suites, { all: true, commit: '0' })).toEqual(suites));

  test('contain the submission tier at each commit', () => {
    for (const commit of ['00000000', 'ffffffff']) expect(filesOf(commit)).toContain('always');
  });

  test('contain each of the others once in ten consecutive turns', () => {
    const turns = Array.from({ length: 10 }, (_, turn) => filesOf(turn.toString(16).padStart(8, '0')));
    expect(turns.every((files) => files.length <= 1 + 3)).toBe(true);
    expect(turns.flatMap((files) => files.slice(1)).sort()).toEqual(all.map(({ file }) => file));
  });

  test('are the same ones when a commit is tested again', () => {
    expect(filesOf('97f21678aa')).toEqual(filesOf('97f21678aa'));
  });
});

test('every suite of this checkout that starts an engine states that it needs guests', () => {
  const silent = globSync('test/{integration,e2e}/**/*.test.ts', { cwd: checkout }).filter((file) => {
    const text = readFileSync(resolve(checkout, file), 'utf8');
    return text.includes('TestEngine.start(') && !suiteOf(file, text).needs.includes('guest');
  });
  expect(silent).toEqual([]);
});
