import { readFileSync } from 'node:fs';
import { ChangingFiles } from '../kube';
import type { ChangingFilesOptions } from '../kube';

/**
 * Names that the aggregating API server's client certificate may have: from a flag, or from a file that is read again when it
 * changes. An empty list would let every client of that authority act as any user, so it is an error.
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

/** Names separated by commas; at least one. */
export function parseNames(text: string, where: string): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (names.length === 0) throw new Error(`${where}: names no client; give at least one name`);
  return names;
}
