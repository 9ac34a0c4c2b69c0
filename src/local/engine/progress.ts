import { writeSync } from 'node:fs';

/** What the engine tells `virt8s up` while it starts: one JSON line each on file descriptor 3. */
export type Progress =
  { readonly step: string } | { readonly ready: { url: string; kubeconfig: string } } | { readonly error: string };

const fd = 3;

/** Tells the waiting `virt8s up`, if it still waits. */
export function reportProgress(progress: Progress): void {
  try {
    writeSync(fd, `${JSON.stringify(progress)}\n`);
  } catch {
    // it was interrupted: the engine goes on
  }
}
