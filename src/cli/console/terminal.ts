import type { ReadStream } from 'node:tty';

const FATAL = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Puts the terminal into raw mode, so that every key reaches the guest, and returns a function that restores it. It is
 * restored by the function, an exit, a signal and an uncaught error.
 */
export function rawTerminal(input: ReadStream): () => void {
  if (!input.isTTY) return () => undefined;
  let raw = true;
  const restore = (): void => {
    if (!raw) return;
    raw = false;
    process.off('exit', restore);
    for (const signal of FATAL) process.off(signal, onSignal);
    input.setRawMode(false);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    restore();
    process.kill(process.pid, signal);
  };
  process.once('exit', restore);
  for (const signal of FATAL) process.on(signal, onSignal);
  input.setRawMode(true);
  return restore;
}
