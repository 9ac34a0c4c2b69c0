import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, statSync } from 'node:fs';

/** Exit code of flock when another process holds the lock. */
const HELD = 100;

/**
 * Makes this process the only engine of a state directory; returns a function that releases the lock. Without it, two
 * simultaneous `up` would both find no engine, and the record of the second would hide the first. The lock is a file
 * that only its owner can open: other users could take a shared name. The kernel releases it when this process ends.
 */
export function lockEngine(file: string): () => void {
  for (;;) {
    const fd = openSync(file, 'a', 0o600);
    try {
      flock(file, fd);
      // a `down` may have removed the file in between: then the lock excludes nobody
      if (fstatSync(fd).ino === statSync(file, { throwIfNoEntry: false })?.ino) return () => closeSync(fd);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    closeSync(fd);
  }
}

function flock(file: string, fd: number): void {
  const { error, status, stderr } = spawnSync('flock', ['--nonblock', '--conflict-exit-code', String(HELD), '3'], {
    stdio: ['ignore', 'ignore', 'pipe', fd],
    encoding: 'utf8',
  });
  if (status === HELD) {
    throw new Error(
      'an engine of this state directory is running or starting; check it with virt8s status, or stop it with virt8s down',
    );
  }
  if (error ?? status !== 0) throw new Error(`${file} cannot be locked: ${error?.message ?? stderr.trim()}`);
}
