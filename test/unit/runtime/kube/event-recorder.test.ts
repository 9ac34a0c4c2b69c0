import type { KubeObject } from '../../../../src/api';
import { EventRecorder } from '../../../../src/runtime/kube';
import type { KubeClient } from '../../../../src/runtime/kube';

const pod = (uid: number): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `p${uid}`, uid: `${uid}` },
});

describe('while the API server hangs', () => {
  let writes: number;
  let recorder: EventRecorder;
  beforeEach(() => {
    jest.useFakeTimers();
    writes = 0;
    const create = (): Promise<never> => (writes++, new Promise(() => {}));
    recorder = new EventRecorder({ create } as unknown as KubeClient, { component: 'test' });
  });
  afterEach(() => jest.useRealTimers());

  test('a bounded number of events waits to be written', () => {
    for (let i = 0; i < 199; i++) recorder.warning(pod(i), 'Failed', 'words');
    expect(writes).toBe(199);
    for (let i = 199; i < 1000; i++) recorder.warning(pod(i), 'Failed', 'words');
    expect(writes).toBe(200);
  });

  test('a program that ends waits five seconds for its events, and no longer', async () => {
    recorder.warning(pod(1), 'Failed', 'words');
    let isDone = false;
    const stopped = recorder.stop().then(() => (isDone = true));
    await jest.advanceTimersByTimeAsync(4_999);
    expect(isDone).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await stopped;
    expect(isDone).toBe(true);
  });
});
