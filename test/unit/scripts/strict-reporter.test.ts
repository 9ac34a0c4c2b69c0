import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const checkout = resolve(__dirname, '../../..');

/** Runs jest with the reporter over one file with these tests. */
function run(tests: string, ...args: string[]): { status: number | null; stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-reporter-'));
  try {
    writeFileSync(join(folder, 'a.test.js'), tests);
    const config = { rootDir: folder, reporters: [join(checkout, 'scripts/strict-reporter.mjs')], transform: {} };
    const jest = join(checkout, 'node_modules/.bin/jest');
    const { status, stderr } = spawnSync(jest, ['--ci', '--config', JSON.stringify(config), ...args], {
      encoding: 'utf8',
      cwd: folder,
    });
    return { status, stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const passing = "test('one', () => {});\n";

test('a run in which every test ran passes', () => expect(run(passing)).toEqual({ status: 0, stderr: '' }));

test.each([
  ['skipped', "test.skip('two', () => {});"],
  ['only planned', "test.todo('two');"],
  ['left out because another test has the focus', "test.only('three', () => {});"],
])('a run fails when a test was %s', (_, second) => {
  const { status, stderr } = run(passing + second);
  expect(status).toBe(1);
  expect(stderr).toContain('1 tests did not run; run them or delete them');
});

test('a run of tests by name may leave out the others', () => {
  expect(run(`${passing}test('two', () => {});`, '-t', 'two').status).toBe(0);
});
