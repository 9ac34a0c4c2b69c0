import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, matchesGlob, relative, resolve } from 'node:path';

/** Root of the checkout: generators name their files relative to it. */
export const checkout = resolve(__dirname, '..');

/**
 * Where generated files are; `.projenrc.ts` marks them in `.gitattributes`, so that reviews fold them and statistics
 * leave them out. `docs/reference/README.md` is written by hand except for one table.
 */
export const GENERATED = ['src/**/generated/**', 'imports/*.yaml', 'docs/reference/*', 'docs/api/*', 'API.md'];

/** Files that a pattern of `GENERATED` matches although people edit them. */
export const PARTLY_GENERATED = ['docs/reference/README.md'];

/**
 * Writes the files of a generator, or, under `--check`, reports the stale ones and ends with exit code 1.
 * A file is touched only when its content differs, so that builds by time stamp stay quiet.
 */
export function settle(files: ReadonlyMap<string, string>): void {
  const unmarked = [...files.keys()].filter((path) => !GENERATED.some((pattern) => matchesGlob(path, pattern)));
  if (unmarked.length > 0) {
    throw new Error(`${unmarked.join(', ')}: no pattern of GENERATED in scripts/generated-files.ts matches; add one`);
  }
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
