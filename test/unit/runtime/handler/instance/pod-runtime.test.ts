import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PodRuntime } from '../../../../../src/runtime/handler/instance/pod-runtime';
import { PodVolumes } from '../../../../../src/runtime/handler/paths/pod-volumes';
import type { DomainState } from '../../../../../src/runtime/protocol';
import { GrpcClient, NotifyDefinition } from '../../../../../src/runtime/protocol';
import { NOW, pod, runningDomain, vmi } from '../fixtures';

const off: DomainState = { status: 'Shutoff', reason: 'Shutdown' };
const paused: DomainState = { ...runningDomain, status: 'Paused', reason: 'User' };

let kubelet: string;
let runtime: PodRuntime;
let launcher: GrpcClient;

beforeEach(async () => {
  kubelet = mkdtempSync(join(tmpdir(), 'handler-'));
  const volumes = join(kubelet, 'pods/pod-uid/volumes/kubernetes.io~empty-dir');
  for (const name of ['sockets', 'public', 'private']) mkdirSync(join(volumes, name), { recursive: true });
  runtime = new PodRuntime(pod(), {
    volumes: new PodVolumes(kubelet),
    procDir: '/proc',
    wake: () => {},
    event: () => {},
    now: () => NOW,
  });
  await runtime.listen();
  launcher = new GrpcClient(join(volumes, 'public/domain-notify-pipe.sock'));
});

afterEach(async () => {
  launcher.close();
  await runtime.detach();
  rmSync(kubelet, { recursive: true });
});

/** The launcher reports; resolves when the handler has taken note. */
async function report(state: DomainState): Promise<void> {
  const domainJSON = Buffer.from(JSON.stringify(state));
  await launcher.service(NotifyDefinition).handleDomainEvent({ domainJSON, eventType: 'MODIFIED' });
}

/** What the launcher answers to the next question, once that is allowed. */
function answers(state: DomainState): () => void {
  const { promise, resolve } = Promise.withResolvers<DomainState>();
  jest.spyOn(runtime.launcher, 'domain').mockReturnValueOnce(promise);
  return () => resolve(state);
}

test('the answer to a question is the state when nothing else was reported', async () => {
  answers(runningDomain)();
  await runtime.readDomain();
  expect(runtime.facts).toMatchObject({ domain: { status: 'Running' }, domainStale: false });
});

test('an answer that was under way when a report came does not replace it', async () => {
  const answer = answers(runningDomain);
  const reading = runtime.readDomain();
  await report(paused);
  answer();
  await reading;
  expect(runtime.facts).toMatchObject({ domain: { status: 'Paused' }, domainStale: false });
});

test('the same holds for the state that is asked for after a start', async () => {
  await report({ status: 'NoState', reason: 'Unknown' });
  jest.spyOn(runtime.launcher, 'sync').mockResolvedValueOnce([]);
  const answer = answers({ status: 'NoState', reason: 'Unknown' });
  const syncing = runtime.sync(vmi(), 'h1');
  await report(runningDomain);
  answer();
  await syncing;
  expect(runtime.facts).toMatchObject({ domain: { status: 'Running' }, syncedSpec: 'h1' });
});

test.each([
  ['Running', runningDomain],
  ['nothing', { status: 'NoState', reason: 'Unknown' } as const],
  ['another end', { status: 'Shutoff', reason: 'Crashed' } as const],
])('%s is not believed of a guest that has ended: a launcher starts its guest once', async (_, later) => {
  await report(runningDomain);
  await report(off);
  await report(later);
  expect(runtime.facts.domain).toMatchObject(off);
  answers(later)();
  await runtime.readDomain();
  expect(runtime.facts.domain).toMatchObject(off);
});

test('what a sync did not apply is known until the next one', async () => {
  const sync = jest.spyOn(runtime.launcher, 'sync');
  sync.mockResolvedValueOnce(['spec.volumes[data]']);
  await runtime.sync(vmi(), 'h1');
  expect(runtime.facts.notApplied).toEqual(['spec.volumes[data]']);
  sync.mockResolvedValueOnce([]);
  await runtime.sync(vmi(), 'h2');
  expect(runtime.facts.notApplied).toBeUndefined();
});

describe('devices that cannot be looked at', () => {
  const withoutNics = (phase: string) => vmi(phase, { spec: { domain: { devices: {} } } });
  const noProcess = 'container 0123456789abcdef has no process; it ended or runs on another node';

  test('keep a guest from starting, with the cause', async () => {
    await expect(runtime.setUpNetwork(withoutNics('Scheduled'), pod())).rejects.toThrow(noProcess);
    expect(runtime.facts.failure).toMatchObject({ step: 'devices', reason: 'DevicesNotUsable' });
    expect(runtime.facts.network).toBeUndefined();
  });

  test('are told of a guest that runs, and hinder nothing', async () => {
    await runtime.setUpNetwork(withoutNics('Running'), pod());
    expect(runtime.facts).toMatchObject({ deviceDifferences: [noProcess], network: [] });
    expect(runtime.facts.failure).toBeUndefined();
  });
});

describe('a launcher that does not listen', () => {
  const since = (ms: number) => pod({ running: { startedAt: new Date(NOW - ms).toISOString() } });

  test('is given a minute', async () => {
    await runtime.findLauncher(since(60_000));
    expect(runtime.facts).toMatchObject({ launcherUp: false });
    expect(runtime.facts.failure).toBeUndefined();
  });

  test('is a failure after that, with where to look', async () => {
    await expect(runtime.findLauncher(since(60_001))).rejects.toThrow(
      `the launcher does not listen 60 s after its container started; look at "kubectl logs -n ns ${pod().metadata.name} -c compute"`,
    );
    expect(runtime.facts.failure).toMatchObject({ step: 'connect', reason: 'LauncherNotReady', attempts: 1 });
  });
});
