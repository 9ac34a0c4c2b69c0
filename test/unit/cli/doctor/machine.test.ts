import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineFacts } from '../../../../src/cli/doctor/machine';
import { examine } from '../../../../src/cli/doctor/run';
import { startTicks } from '../../../../src/local/engine/record';
import { ago, NOW } from './healthy';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'virt8s-doctor-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const record = (ticks: string | undefined): void =>
  writeFileSync(
    join(dir, 'engine.json'),
    JSON.stringify({
      ...{ pid: process.pid, startTicks: ticks, version: '0.9.0', node: 'n', ready: true, startedAt: 'today' },
      url: 'https://127.0.0.1:1',
    }),
  );
const facts = (path = dir): ReturnType<typeof engineFacts> =>
  engineFacts(path, { isRequested: true, commandVersion: '1.0.0', now: NOW });

test('an engine that runs is alive, and the ends of its programs are in its log', async () => {
  record(startTicks(process.pid));
  mkdirSync(join(dir, 'logs'));
  const message = 'virt-api ended (SIGKILL); starting it again in 100 ms';
  writeFileSync(join(dir, 'logs/engine.log'), `${JSON.stringify({ time: ago(1), message })}\n`);
  expect(await facts()).toMatchObject({
    ...{ stateDir: dir, isAlive: true, commandVersion: '1.0.0', record: { version: '0.9.0' } },
    ...{ restarts: { 'virt-api': 1 }, leftProcesses: 0, leftLinks: [], stoppedNodes: [] },
  });
});

test('another process with its PID is not the engine', async () => {
  record('1');
  expect(await facts()).toMatchObject({ isAlive: false, restarts: {} });
});

test('a folder that does not exist has the space of the file system that it would be on', async () => {
  const found = await facts(join(dir, 'a/b'));
  expect(found.record).toBeUndefined();
  expect(found.totalBytes).toBeGreaterThan(0);
  expect(found.freeBytes).toBeLessThanOrEqual(found.totalBytes);
});

test('an engine that the user names is examined without an API server', async () => {
  record('1');
  const { subject, results } = await examine({ stateDir: dir });
  expect(subject).toEqual({});
  expect(results).toMatchObject([{ name: 'engine', state: 'error' }]);
  expect(results[0]!.findings[0]).toMatchObject({ subject: `Engine in ${dir}`, cause: 'it does not run' });
});

test('a cluster that the user names is not replaced by an engine', async () => {
  await expect(examine({ kubeconfig: join(dir, 'missing') })).rejects.toThrow('cannot read kubeconfig');
});
