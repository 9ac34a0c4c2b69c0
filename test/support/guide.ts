import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codeBlocks } from './code-blocks';

const checkout = resolve(__dirname, '../..');

/** Declares the tests that a block of the guide about testing shows. Call it where a reader would write them. */
export function runGuide(index: number): void {
  const tests = codeBlocks(join(checkout, 'docs/guides/testing.md')).filter(({ words }) => words.includes('test'));
  // where the sources' modules are found
  const folder = mkdtempSync(join(checkout, 'test/.guide-'));
  try {
    const file = join(folder, 'block.ts');
    writeFileSync(file, tests[index]!.text);
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- tests are declared while a file is loaded
    require(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
