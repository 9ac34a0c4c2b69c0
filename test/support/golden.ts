import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Whether this run writes goldens instead of comparing with them: `UPDATE_GOLDENS=1 npm test -- PATH`, by a person who
 * then reviews the difference.
 * @throws in CI, where nobody reviews the files.
 */
export function updatesGoldens(): boolean {
  if (!process.env.UPDATE_GOLDENS) return false;
  if (process.env.CI) throw new Error('UPDATE_GOLDENS is set in CI; update goldens by hand and review the difference');
  return true;
}

/** Compares a text with the reviewed file, which must exist. */
export function expectGolden(file: string, text: string): void {
  if (updatesGoldens()) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readGolden(file));
}

/** The text of a reviewed file. */
export function readGolden(file: string): string {
  if (!existsSync(file)) {
    throw new Error(`golden ${file} is missing; write it with UPDATE_GOLDENS=1 npm test -- PATH, then review it`);
  }
  return readFileSync(file, 'utf8');
}
