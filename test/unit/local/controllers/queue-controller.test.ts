import { QueueController, type ControllerContext } from '../../../../src/local/controllers/controller';
import type { KubeClient } from '../../../../src/runtime/kube';

/** A cache that shows writes up to the version `seen`. */
class Follower {
  public seen = 0;
  public readonly lists = { begun: 1, held: 1 };
  public hasSeen(version: string | undefined): boolean {
    return Number(version) <= this.seen;
  }
}

class Counter extends QueueController {
  public readonly passes: string[] = [];
  public readonly follower = new Follower();
  private waiting: (() => void)[] = [];

  public constructor() {
    super('counter', { client: {} as KubeClient, log: () => undefined } as unknown as ControllerContext);
  }
  public wake(key: string): void {
    this.enqueue(key);
  }
  public nextPass(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
  protected startInformers(): Promise<void> {
    return Promise.resolve();
  }
  protected reconcile(key: string): Promise<void> {
    this.passes.push(key);
    this.expectations.expect(key, this.follower, '5');
    for (const resolve of this.waiting.splice(0)) resolve();
    return Promise.resolve();
  }
}

test('a key is not reconciled until the cache shows its own writes; others are', async () => {
  const counter = new Counter();
  await counter.start();
  const reconciled = async (key: string): Promise<void> => {
    const pass = counter.nextPass();
    counter.wake(key);
    await pass;
  };
  await reconciled('a');
  counter.wake('a');
  await reconciled('b');
  expect(counter.passes).toEqual(['a', 'b']);
  counter.follower.seen = 5;
  await reconciled('a');
  expect(counter.passes).toEqual(['a', 'b', 'a']);
  await counter.close();
});
