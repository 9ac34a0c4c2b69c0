import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, statSync } from 'node:fs';

/** flock's answer when another process holds the lock. */
const HELD = 100;

/**
 * Makes this process the only engine of a state directory; answers how to let go. Two `up` at the same time both find no
 * engine, and the record of the second would hide the first. A lock of a file that only its owner can open, since other
 * users could take a name that all share. flock locks what we have opened, and the kernel frees it with our process.
 */
export function lockEngine(file: string): () => void {
  for (;;) {
    const fd = openSync(file, 'a', 0o600);
    try {
      flock(file, fd);
      // a `down` may have removed the file between: then the lock keeps nobody out
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
      'an engine of this state directory runs or is starting; see: virt8s status, end it with: virt8s down',
    );
  }
  if (error ?? status !== 0) throw new Error(`${file} cannot be locked: ${error?.message ?? stderr.trim()}`);
}
