import { KubeClient } from '../../src/runtime/kube';

/** A client whose program is killed at its n-th write: before the request is sent, or before the answer is read. */
export class DyingClient extends KubeClient {
  public writes = Infinity;
  public losesAnswer = false;
  public isDead = false;

  public override async request<T>(
    method: string,
    ...rest: [path: string, body?: unknown, options?: object]
  ): Promise<T> {
    if (method !== 'GET' && this.writes-- <= 1) {
      if (this.losesAnswer && this.writes === 0) await super.request<T>(method, ...rest).catch(() => undefined);
      this.isDead = true;
    }
    // a program that dies while it starts still has to be closed, which needs its first lists
    if (this.writes <= 0 && method !== 'GET') throw new Error('the program was killed');
    return super.request<T>(method, ...rest);
  }
}

/** Numbers that are the same in each run (mulberry32). */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** Endless items in a random order: each once before any again. */
export function* inRandomRounds<T>(items: readonly T[], random: (below: number) => number): Generator<T, never> {
  for (;;) {
    const left = [...items];
    while (left.length > 0) yield left.splice(random(left.length), 1)[0]!;
  }
}
