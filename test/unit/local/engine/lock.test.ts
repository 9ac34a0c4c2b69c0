import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockEngine } from '../../../../src/local/engine/lock';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-lock-'));
  file = join(dir, 'engine.lock');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const REFUSAL =
  'an engine of this state directory is running or starting; check it with virt8s status, or stop it with virt8s down';

test('one process is the engine of a state directory; another is rejected until the first releases it', () => {
  const release = lockEngine(file);
  expect(() => lockEngine(file)).toThrow(REFUSAL);
  lockEngine(join(dir, 'other.lock'))();
  release();
  lockEngine(file)();
});

test('a process that the engine has started does not keep the lock', async () => {
  const release = lockEngine(file);
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  await once(child, 'spawn');
  release();
  lockEngine(file)();
  child.kill('SIGKILL');
});

test('a killed engine does not block the next one', async () => {
  const child = spawn('flock', [file, 'sh', '-c', 'echo held; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  expect(() => lockEngine(file)).toThrow(REFUSAL);
  child.stdin.destroy();
  await once(child, 'exit');
  lockEngine(file)();
});

test('no other user can open the lock', () => {
  lockEngine(file)();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a file that cannot be opened is named', () => {
  expect(() => lockEngine(join(dir, 'missing', 'engine.lock'))).toThrow(join(dir, 'missing', 'engine.lock'));
});
