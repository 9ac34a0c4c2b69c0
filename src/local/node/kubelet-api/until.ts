import type { EventEmitter } from 'node:events';

/** Resolves at an event or when the signal aborts the wait; removes its listeners. */
export function until(source: EventEmitter, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      source.off(event, done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    if (signal.aborted) return resolve();
    source.on(event, done);
    signal.addEventListener('abort', done);
  });
}
