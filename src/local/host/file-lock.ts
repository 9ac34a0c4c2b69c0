import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, statSync } from 'node:fs';

/** Exit code of flock when somebody else holds the lock. */
const HELD = 100;

/**
 * Locks a file, which only its owner can open: other users could take a shared name. The kernel releases the lock when
 * this process ends.
 * @returns a function that releases the lock, or undefined if it is held
 */
export function lockFile(file: string): (() => void) | undefined {
  for (;;) {
    const fd = openSync(file, 'a', 0o600);
    try {
      const locked = flock(file, fd);
      // the holder before may have removed the file in between: then the lock excludes nobody
      if (locked && fstatSync(fd).ino === statSync(file, { throwIfNoEntry: false })?.ino) return () => closeSync(fd);
      closeSync(fd);
      if (!locked) return undefined;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }
}

function flock(file: string, fd: number): boolean {
  const { error, status, stderr } = spawnSync('flock', ['--nonblock', '--conflict-exit-code', String(HELD), '3'], {
    stdio: ['ignore', 'ignore', 'pipe', fd],
    encoding: 'utf8',
  });
  if (status === HELD) return false;
  if (error ?? status !== 0) throw new Error(`${file} cannot be locked: ${error?.message ?? stderr.trim()}`);
  return true;
}
