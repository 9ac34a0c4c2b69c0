import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file atomically, readable only by root. */
export function writeSecret(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
