import { writeSync } from 'node:fs';

/** Progress messages from the starting engine to `virt8s up`: JSON lines on file descriptor 3. */
export type Progress =
  { readonly step: string } | { readonly ready: { url: string; kubeconfig: string } } | { readonly error: string };

const fd = 3;

/** Sends a message to `virt8s up` if it still waits. */
export function reportProgress(progress: Progress): void {
  try {
    writeSync(fd, `${JSON.stringify(progress)}\n`);
  } catch {
    // `virt8s up` was interrupted: the engine keeps starting
  }
}
