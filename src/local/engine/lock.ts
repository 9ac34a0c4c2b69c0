import { lockFile } from '../host/file-lock';

/**
 * Makes this process the only engine of a state directory; returns a function that releases the lock. Without it, two
 * simultaneous `up` would both find no engine, and the record of the second would hide the first.
 */
export function lockEngine(file: string): () => void {
  const release = lockFile(file);
  if (release) return release;
  throw new Error(
    'an engine of this state directory is running or starting; check it with virt8s status, or stop it with virt8s down',
  );
}
