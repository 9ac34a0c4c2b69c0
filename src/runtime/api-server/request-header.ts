import { readFileSync } from 'node:fs';
import { ChangingFiles } from '../kube';
import type { ChangingFilesOptions } from '../kube';

/**
 * Names that the aggregating API server's client certificate may have: those of a flag, or of a file, which is followed
 * while the program runs. An empty list would let every client of that authority pose as any user, so it is an error.
 */
export function allowedNames(
  { file, text }: { readonly file?: string; readonly text?: string },
  options: ChangingFilesOptions,
): () => readonly string[] {
  if (file && text) {
    throw new Error('--requestheader-allowed-names and --requestheader-allowed-names-file: give one of them');
  }
  if (file) {
    const names = new ChangingFiles([file], () => parseNames(readFileSync(file, 'utf8'), file), options);
    return () => names.get();
  }
  if (text === undefined) {
    throw new Error('--requestheader-allowed-names or --requestheader-allowed-names-file is missing');
  }
  const names = parseNames(text, '--requestheader-allowed-names');
  return () => names;
}

/** Names with commas between them; at least one. */
export function parseNames(text: string, where: string): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (names.length === 0) throw new Error(`${where}: names no client; give at least one name`);
  return names;
}
