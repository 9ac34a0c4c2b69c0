import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PodRuntime, specHashOf } from '../../../../../src/runtime/handler/instance/pod-runtime';
import { PodVolumes } from '../../../../../src/runtime/handler/paths/pod-volumes';
import type { DomainState } from '../../../../../src/runtime/protocol';
import { LauncherRefusal } from '../../../../../src/runtime/handler/launcher/launcher';
import { GrpcClient, NotifyDefinition } from '../../../../../src/runtime/protocol';
import { NOW, pod, runningDomain, vmi } from '../fixtures';

const off: DomainState = { status: 'Shutoff', reason: 'Shutdown' };
const paused: DomainState = { ...runningDomain, status: 'Paused', reason: 'User' };

const warn = jest.fn();
let clock: number;
let kubelet: string;
let runtime: PodRuntime;
let launcher: GrpcClient;

beforeEach(async () => {
  warn.mockClear();
  clock = NOW;
  kubelet = mkdtempSync(join(tmpdir(), 'handler-'));
  const volumes = join(kubelet, 'pods/pod-uid/volumes/kubernetes.io~empty-dir');
  for (const name of ['sockets', 'public', 'private']) mkdirSync(join(volumes, name), { recursive: true });
  runtime = new PodRuntime(pod(), {
    volumes: new PodVolumes(kubelet),
    procDir: '/proc',
    wake: () => {},
    event: () => {},
    now: () => clock,
    log: { warn },
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

/** Response of the launcher to the next request, once that is allowed. */
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

test('a response to an earlier request does not replace a newer report', async () => {
  const answer = answers(runningDomain);
  const reading = runtime.readDomain();
  await report(paused);
  answer();
  await reading;
  expect(runtime.facts).toMatchObject({ domain: { status: 'Paused' }, domainStale: false });
});

test('the same applies to the state that is requested after a start', async () => {
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

test.each([
  ['that did not exist before is requested', { status: 'NoState', reason: 'Unknown' } as const, 1],
  ['that runs already is not', runningDomain, 0],
])('after a sync a guest %s', async (_, before, asked) => {
  await report(before);
  jest.spyOn(runtime.launcher, 'sync').mockResolvedValueOnce([]);
  const domain = jest.spyOn(runtime.launcher, 'domain').mockResolvedValue(runningDomain);
  await runtime.sync(vmi(), 'h1');
  expect(domain).toHaveBeenCalledTimes(asked);
  expect(runtime.facts.domain).toMatchObject({ status: 'Running' });
});

test('fields that a sync did not apply are known until the next sync', async () => {
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
  const noProcess = 'container 0123456789abcdef has no process; it has exited or runs on another node';

  test('keep a guest from starting, with the cause', async () => {
    await expect(runtime.setUpNetwork(withoutNics('Scheduled'), pod())).rejects.toThrow(noProcess);
    expect(runtime.facts.failure).toMatchObject({ step: 'devices', reason: 'DevicesNotUsable' });
    expect(runtime.facts.network).toBeUndefined();
  });

  test('do not count as different from a running guest’s, and do not block it', async () => {
    await runtime.setUpNetwork(withoutNics('Running'), pod());
    expect(runtime.facts.network).toEqual([]);
    expect(runtime.facts.deviceDifferences).toBeUndefined();
    expect(runtime.facts.failure).toBeUndefined();
    const seen = { err: expect.objectContaining({ message: noProcess }), vm: 'ns/web', uid: 'vmi-uid' };
    expect(warn.mock.calls).toEqual([[seen, 'the devices of a running guest cannot be looked at']]);
  });
});

describe('a step that fails', () => {
  const sync = (error: unknown) => {
    jest.spyOn(runtime.launcher, 'sync').mockRejectedValueOnce(error);
    return runtime.sync(vmi(), 'h1');
  };
  const failure = () => runtime.facts.failure;

  test('is known with its cause, and is tried again later and later, up to a minute', async () => {
    const waits: number[] = [];
    for (let attempts = 1; attempts <= 8; attempts++) {
      clock = NOW + attempts;
      await expect(sync(new Error('no disk; import it'))).rejects.toThrow('no disk; import it');
      expect(failure()).toMatchObject({ step: 'sync', reason: 'SyncFailed', attempts, since: NOW + 1 });
      waits.push(failure()!.retryAt - clock);
    }
    expect(failure()!.message).toBe('no disk; import it');
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  test.each([
    ['the launcher’s own reason', new LauncherRefusal('DiskMissing', 'no disk'), 'DiskMissing', 'no disk'],
    ['the text of a value that is not an error', 'broken', 'SyncFailed', 'broken'],
  ])('carries %s', async (_, error, reason, message) => {
    await expect(sync(error)).rejects.toThrow(message);
    expect(failure()).toMatchObject({ reason, message });
  });

  test('is cleared when it succeeds, and not when another one does', async () => {
    await expect(sync(new Error('no'))).rejects.toThrow('no');
    answers(runningDomain)();
    await runtime.readDomain();
    expect(failure()).toMatchObject({ step: 'sync' });
    jest.spyOn(runtime.launcher, 'sync').mockResolvedValueOnce([]);
    await runtime.sync(vmi(), 'h1');
    expect(failure()).toBeUndefined();
  });

  test('starts again after another step failed', async () => {
    await expect(sync(new Error('no'))).rejects.toThrow('no');
    clock = NOW + 5;
    jest.spyOn(runtime.launcher, 'domain').mockRejectedValueOnce(new Error('gone'));
    await expect(runtime.readDomain()).rejects.toThrow('gone');
    expect(failure()).toMatchObject({ step: 'connect', reason: 'LauncherUnreachable', attempts: 1, since: NOW + 5 });
    expect(failure()!.retryAt).toBe(NOW + 25);
    expect(runtime.facts.launcherUp).toBe(false);
  });

  test('leaves a launcher alone for ten seconds at most', async () => {
    for (let attempts = 1; attempts <= 10; attempts++) {
      jest.spyOn(runtime.launcher, 'domain').mockRejectedValueOnce(new Error('gone'));
      await expect(runtime.readDomain()).rejects.toThrow('gone');
    }
    expect(failure()!.retryAt).toBe(NOW + 10_000);
  });
});

describe('requests to a launcher', () => {
  const ask = async (action: 'shutdown' | 'kill' | 'end'): Promise<object> => {
    const act = jest.spyOn(runtime.launcher, 'act').mockResolvedValueOnce(undefined);
    await runtime.ask(action, vmi());
    expect(act).toHaveBeenLastCalledWith(action, vmi());
    const { shutdownRequestedAt, shutdownRepeatedAt, killedAt, endedAt } = runtime.facts;
    return { shutdownRequestedAt, shutdownRepeatedAt, killedAt, endedAt };
  };

  test('is noted with its time: the first and the last press of the button, the kill, the end', async () => {
    expect(await ask('shutdown')).toEqual({ shutdownRequestedAt: NOW, shutdownRepeatedAt: NOW });
    clock = NOW + 5;
    expect(await ask('shutdown')).toEqual({ shutdownRequestedAt: NOW, shutdownRepeatedAt: NOW + 5 });
    clock = NOW + 6;
    expect(await ask('kill')).toMatchObject({ shutdownRepeatedAt: NOW + 5, killedAt: NOW + 6, endedAt: undefined });
    clock = NOW + 7;
    expect(await ask('end')).toMatchObject({ killedAt: NOW + 6, endedAt: NOW + 7 });
  });
});

test('known facts change nothing when they are learned again', () => {
  const before = runtime.facts;
  runtime.learn({ listening: true });
  expect(runtime.facts).toBe(before);
});

test('a change of the spec changes its hash, a change of other fields does not', () => {
  const hash = specHashOf(vmi());
  expect(hash).toMatch(/^[\w-]{22}$/);
  expect(specHashOf(vmi('Failed'))).toBe(hash);
  const changed = vmi();
  changed.spec.hostname = 'other';
  expect(specHashOf(changed)).not.toBe(hash);
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
      `the launcher does not listen 60 s after its container started; run "kubectl logs -n ns ${pod().metadata.name} -c compute"`,
    );
    expect(runtime.facts.failure).toMatchObject({ step: 'connect', reason: 'LauncherNotReady', attempts: 1 });
  });
});
