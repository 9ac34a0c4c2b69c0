/** @needs guest */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { TestEngine } from '../support/engine';
import { isComplete } from '../support/tier';
const demo = resolve(__dirname, '../../scripts/demo');

/** Runs the demo with a state directory of its own, and interrupts it once its output matches. */
async function runDemo(interruptAt?: RegExp): Promise<{ code: number | null; output: string; left: string[] }> {
  const stateDir = mkdtempSync('/var/lib/virt8s-demo-');
  rmSync(stateDir, { recursive: true });
  const child = spawn(demo, ['--once'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, VIRT8S_STATE_DIR: stateDir },
  });
  let output = '';
  let interrupted = false;
  const heard = (data: Buffer): void => {
    output += data;
    if (interrupted || !interruptAt?.test(output)) return;
    interrupted = true;
    // as a terminal does: to the whole foreground group
    process.kill(-child.pid!, 'SIGINT');
  };
  child.stdout.on('data', heard);
  child.stderr.on('data', heard);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  expect(interrupted).toBe(interruptAt !== undefined);
  return { code, output, left: await TestEngine.at(stateDir).leftovers() };
}

// the README runs the whole demo as well
if (isComplete) {
  test('the demo boots a VM from code, proves it and leaves nothing', async () => {
    const { code, output, left } = await runDemo();
    expect(output).toMatch(/HTTP\s+\S/);
    expect(output).toMatch(/ssh\s+hello/);
    expect(output).toMatch(/console\s+.*cloud-init/);
    expect(code).toBe(0);
    expect(left).toEqual([]);
  });
}

const MOMENTS: [string, RegExp][] = [
  ['while the guest boots', /kubectl apply\n/],
  ['before the engine starts', /synthesize examples\/hello-vm\n/],
  ['while the engine starts', /start the engine: \S/],
];

test.each(isComplete ? MOMENTS : MOMENTS.slice(0, 1))('Ctrl-C %s cleans up', async (_, moment) => {
  const { code, left } = await runDemo(moment);
  expect(code).not.toBe(0);
  expect(left).toEqual([]);
});

test('--once rejects an existing state directory and does not change it', async () => {
  const stateDir = mkdtempSync('/var/lib/virt8s-demo-');
  mkdirSync(`${stateDir}/mine`);
  const { code, stderr } = await TestEngine.at(stateDir).run(demo, ['--once']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('exists: --once needs a new state') });
  rmSync(`${stateDir}/mine`, { recursive: true });
  rmSync(stateDir, { recursive: true });
});
