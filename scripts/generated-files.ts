import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

/** Root of the checkout: generators name their files relative to it. */
export const checkout = resolve(__dirname, '..');

/**
 * Writes what a generator made, or, under `--check`, says what is stale and ends with exit code 1.
 * A file is touched only when its content differs, so that builds by time stamp stay quiet.
 */
export function settle(files: ReadonlyMap<string, string>): void {
  const check = process.argv.includes('--check');
  const stale = [...files].filter(([path, text]) => {
    const file = resolve(checkout, path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
  for (const [path, text] of stale) {
    if (check) {
      console.error(
        `stale: ${relative(checkout, resolve(checkout, path))}; run "npm run generate" and commit the result`,
      );
      process.exitCode = 1;
      continue;
    }
    const file = resolve(checkout, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
