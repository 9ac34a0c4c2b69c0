import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { sleep } from '../support/engine';

jest.setTimeout(900_000);
const demo = resolve(__dirname, '../../scripts/demo');

/** What engines leave on a machine, by the names that they give things. */
function traces(): string[] {
  const run = (command: string, ...args: string[]): string => execFileSync(command, args, { encoding: 'utf8' });
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => (existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''))
    .filter((text) => text.includes('/var/lib/virt8s-demo-'));
  return [
    ...processes.map((text) => text.split('\0').join(' ')),
    ...readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .filter((line) => line.includes('virt8s-demo-')),
    ...run('ip', '-o', 'link')
      .split('\n')
      .map((line) => line.split(': ')[1] ?? '')
      .filter((name) => /^(v8|virt8s)/.test(name)),
    ...run('nft', 'list', 'tables')
      .split('\n')
      .filter((line) => line.includes('virt8s')),
    ...run('losetup', '-a')
      .split('\n')
      .filter((line) => line.includes('virt8s')),
    ...readdirSync('/var/lib').filter((name) => name.startsWith('virt8s-demo-')),
  ].filter(Boolean);
}

function runDemo(interruptAfterMs?: number): Promise<{ code: number | null; output: string }> {
  return new Promise((done) => {
    const child = spawn(demo, ['--once'], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    // as a terminal does: to the whole foreground group
    if (interruptAfterMs) void sleep(interruptAfterMs).then(() => process.kill(-child.pid!, 'SIGINT'));
    child.once('close', (code) => done({ code, output }));
  });
}

test('the demo boots a VM from code, proves it and leaves nothing', async () => {
  const before = traces();
  const { code, output } = await runDemo();
  expect(output).toMatch(/HTTP\s+\S/);
  expect(output).toMatch(/ssh\s+hello/);
  expect(output).toMatch(/console\s+.*cloud-init/);
  expect(code).toBe(0);
  expect(traces()).toEqual(before);
});

test.each([3_000, 8_000, 12_000])('Ctrl-C after %d ms cleans up', async (ms) => {
  const before = traces();
  const { code } = await runDemo(ms);
  expect(code).not.toBe(0);
  expect(traces()).toEqual(before);
});
