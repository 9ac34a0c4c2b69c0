import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { until } from '../../support/until';

const checkout = resolve(__dirname, '../../..');

/** A folder with suites of its own, on which the test command runs. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'test-command-'));
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'));
  const { jest } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { jest: object };
  const reporters = ['default', join(checkout, 'scripts/strict-reporter.mjs')];
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ jest: { ...jest, reporters } }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function suite(name: string, text: string): void {
  const file = join(folder, 'test/integration', `${name}.test.ts`);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

interface Result {
  readonly code: number;
  readonly lines: readonly string[];
}

/** Starts the test command as `scripts/test` does. */
function start(...args: string[]): ChildProcess {
  const path = `${join(checkout, 'node_modules/.bin')}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path, VIRT8S_CACHE: join(folder, 'cache'), TMPDIR: folder };
  const command = ['--import', 'tsx', join(checkout, 'scripts/test.ts'), 'integration', ...args];
  return spawn(process.execPath, command, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
}

async function run(...args: string[]): Promise<Result> {
  const child = start(...args);
  const ended = once(child, 'close');
  const output = await text(child.stdout!);
  const [code] = (await ended) as [number];
  return { code, lines: output.trimEnd().split('\n') };
}

/** A test that passes from its second run on. */
const flaky = (marker: string): string => `
  import { existsSync, writeFileSync } from 'node:fs';
  test('passes at its second try', () => {
    const again = existsSync('${marker}');
    writeFileSync('${marker}', '');
    if (!again) throw new Error('not yet');
  });`;

test('counts the tests of all suites in its last line', async () => {
  suite('a', "test('one', () => {}); test('two', () => {});");
  suite('b', "test('three', () => {});");
  const { code, lines } = await run();
  expect(lines.at(-1)).toBe('3 passed, 0 failed');
  expect(code).toBe(0);
});

test('fails for a test that fails twice, and prints its error', async () => {
  suite('a', "test('one', () => {}); test('two', () => expect(1).toBe(2));");
  const { code, lines } = await run();
  expect(lines).toContain('✕ test/integration/a.test.ts › two');
  expect(lines.at(-1)).toBe('1 passed, 1 failed');
  expect(code).toBe(1);
});

test('passes with a test that passes when it is repeated, but reports it as flaky', async () => {
  suite('a', flaky(join(folder, 'marker')));
  const { code, lines } = await run();
  expect(lines).toContain('FLAKY test/integration/a.test.ts › passes at its second try');
  expect(lines.slice(-2)).toEqual(['1 flaky: failed, and passed when repeated alone', '1 passed, 0 failed']);
  expect(code).toBe(0);
  expect(readFileSync(join(folder, 'cache/test/flaky.log'), 'utf8')).toMatch(
    /^\S+ test\/integration\/a\.test\.ts › passes at its second try\n {4}Error: not yet/,
  );
});

test('fails for it with --all', async () => {
  suite('a', flaky(join(folder, 'marker')));
  const { code, lines } = await run('--all');
  expect(lines.at(-1)).toBe('1 passed, 0 failed');
  expect(code).toBe(1);
});

test('repeats nothing if seven suites fail', async () => {
  for (let index = 0; index < 7; index++) suite(`s${index}`, flaky(join(folder, `marker-${index}`)));
  const { code, lines } = await run();
  expect(lines).toContain('7 suites failed: they are not repeated');
  expect(lines.at(-1)).toBe('0 passed, 7 failed');
  expect(code).toBe(1);
});

test('fails for a suite that cannot be loaded, one without tests, and a skipped test', async () => {
  suite('broken', "import './missing';");
  suite('empty', '');
  suite('skipped', "test('runs', () => {}); test.skip('does not run', () => {});");
  const { code, lines } = await run();
  expect(lines.at(-1)).toBe('1 passed, 3 failed');
  expect(code).toBe(1);
});

test('runs suites of the tier "all" with --all, and those that are named', async () => {
  // with the commit 000…, the first of each ten is a part of every run
  for (let index = 0; index < 3; index++) suite(`s${index}`, "/** @tier all */\ntest('runs', () => {});");
  expect((await run()).lines.at(-1)).toBe('1 passed, 0 failed');
  expect((await run('--all')).lines.at(-1)).toBe('3 passed, 0 failed');
  expect((await run('test/integration/s2.test.ts')).lines.at(-1)).toBe('2 passed, 0 failed');
});

test('suites mount file systems that no process outside of their worker sees', async () => {
  suite(
    'a',
    `import { execFileSync } from 'node:child_process';
     import { mkdirSync, writeFileSync } from 'node:fs';
     test('mounts', () => {
       mkdirSync('${folder}/mount');
       execFileSync('mount', ['-t', 'tmpfs', 'none', '${folder}/mount']);
       writeFileSync('${folder}/mount/file', '');
     });`,
  );
  expect((await run()).code).toBe(0);
  expect(readFileSync('/proc/mounts', 'utf8')).not.toContain(`${folder}/mount`);
  rmdirSync(join(folder, 'mount')); // fails if the file is in the folder itself, because nothing was mounted
});

test('repeats each suite as often as --repeat requires', async () => {
  suite('a', "test('one', () => {});");
  expect((await run('--repeat', '3')).lines.at(-1)).toBe('3 passed, 0 failed');
});

test('rejects a stage that does not exist, and names the others', async () => {
  suite('a', "test('one', () => {});");
  expect((await run('integratoin')).code).toBe(2);
});

test('ends suites and their engines when it is interrupted, and keeps the durations of those that ended', async () => {
  const begun = join(folder, 'begun');
  suite(
    'a',
    `import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
    test('hangs', () => {
      process.on('SIGTERM', () => undefined);
      const engine = mkdtempSync(process.env.VIRT8S_TEST_ENGINES!);
      writeFileSync('${begun}.new', JSON.stringify({ pid: process.pid, engine }));
      renameSync('${begun}.new', '${begun}');
      return new Promise(() => undefined);
    });`,
  );
  suite('b', "test('passes', () => {});");
  const record = join(folder, 'cache/test/record.json');
  const child = start();
  const ended = once(child, 'exit');
  const { pid, engine } = await until(() => existsSync(begun) && JSON.parse(readFileSync(begun, 'utf8')));
  await until(() => existsSync(record));
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  expect(existsSync(engine)).toBe(false);
  expect(JSON.parse(readFileSync(record, 'utf8')).seconds).toHaveProperty(['test/integration/b.test.ts']);
  expect(readdirSync(folder).filter((name) => name.startsWith('virt8s-test-'))).toEqual([]);
});
