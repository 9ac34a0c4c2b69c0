import type { Pod, PodStatus } from '../../../../../src/local/core-v1';
import { StatusWriter } from '../../../../../src/local/node/pods/status-writer';
import type { KubeClient } from '../../../../../src/runtime/kube';

const status = (ready: 'True' | 'False'): PodStatus => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: ready }],
  containerStatuses: [],
});
const pod = (version: number, ready: 'True' | 'False'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name: 'p', uid: 'u', resourceVersion: String(version) },
  spec: { containers: [] },
  status: status(ready),
});

/** Answers each write when it is asked to. */
class Api {
  public readonly writes: (string | undefined)[] = [];
  private pending: { done: (pod: Pod) => void; fail: (error: Error) => void }[] = [];
  public readonly errors: unknown[] = [];
  public readonly writer: StatusWriter;

  public constructor() {
    const client = {
      patch: (_resource: object, _path: object, body: { status: PodStatus }) => {
        this.writes.push(body.status.conditions?.[0]?.status);
        return new Promise<Pod>((done, fail) => this.pending.push({ done, fail }));
      },
    } as unknown as KubeClient;
    this.writer = new StatusWriter(client, pod(1, 'False'), (error) => this.errors.push(error));
    this.writer.observe(pod(1, 'False'));
  }

  public async answer(version: number): Promise<void> {
    this.pending.shift()?.done(pod(version, 'True'));
    await jest.advanceTimersByTimeAsync(0);
  }

  public async fail(): Promise<void> {
    this.pending.shift()?.fail(new Error('away'));
    await jest.advanceTimersByTimeAsync(0);
  }
}

let api: Api;
beforeEach(async () => {
  jest.useFakeTimers();
  api = new Api();
  api.writer.set(status('True'));
  await jest.advanceTimersByTimeAsync(0);
  expect(api.writes).toEqual(['True']);
});
afterEach(() => jest.useRealTimers());

const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

test('a Pod that shows what was written is not written again', async () => {
  await api.answer(10);
  api.writer.observe(pod(10, 'True'));
  api.writer.observe(pod(11, 'True'));
  await pass(60_000);
  expect(api.writes).toHaveLength(1);
});

test('a Pod from before the write is not written again', async () => {
  await api.answer(10);
  api.writer.observe(pod(9, 'False'));
  api.writer.observe(pod(10, 'True'));
  await pass(60_000);
  expect(api.writes).toHaveLength(1);
});

test('conditions that somebody else changes are written again, after a pause', async () => {
  await api.answer(10);
  api.writer.observe(pod(11, 'False'));
  await pass(999);
  expect(api.writes).toHaveLength(1);
  await pass(1);
  expect(api.writes).toEqual(['True', 'True']);
  await api.answer(12);
  api.writer.observe(pod(12, 'True'));
  await pass(60_000);
  expect(api.writes).toHaveLength(2);
});

test('a change that is seen before the answer to our write is not lost', async () => {
  api.writer.observe(pod(11, 'False'));
  await api.answer(10);
  await pass(1_000);
  expect(api.writes).toHaveLength(2);
});

test('somebody who changes them each time is answered once a second', async () => {
  await api.answer(10);
  for (let version = 11; version <= 20; version += 2) {
    api.writer.observe(pod(version, 'False'));
    await pass(1_000);
    await api.answer(version + 1);
  }
  expect(api.writes).toHaveLength(6);
});

test('a write that fails is repeated', async () => {
  await api.answer(10);
  api.writer.observe(pod(11, 'False'));
  await pass(1_000);
  await api.fail();
  expect(api.errors).toHaveLength(1);
  await pass(1_000);
  expect(api.writes).toHaveLength(3);
});

test('a Pod that was deleted is not written', async () => {
  await api.answer(10);
  api.writer.observe(pod(11, 'False'));
  api.writer.close();
  api.writer.observe(pod(12, 'False'));
  await pass(60_000);
  expect(api.writes).toHaveLength(1);
});
