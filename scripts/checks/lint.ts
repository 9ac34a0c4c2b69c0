/**
 * Runs ESLint or Prettier over the files that have not passed them:
 *
 *   tsx scripts/checks/lint.ts eslint|prettier
 *
 * No rule of eslint.config.mjs reads another file or its types, so the result of a file depends on nothing else.
 */
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { errorText } from '../../src/api/error-text';
import { checkout } from '../generated-files';
import { checkFiles, checkoutFiles, type FileCheck } from './unchecked';

const files = checkoutFiles();
const configuration = (pattern: RegExp): string[] => [
  ...['package-lock.json', 'scripts/checks/lint.ts'],
  ...files.filter((file) => pattern.test(basename(file))),
];

function run(program: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [join('node_modules/.bin', program), ...args], {
    cwd: checkout,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`${program} found mistakes`);
}

const checks: Record<string, FileCheck> = {
  eslint: {
    name: 'eslint',
    configuration: configuration(/^eslint\.config\./),
    files: files.filter((file) => /\.[cm]?[jt]sx?$/.test(file)),
    run: (unchecked) => run('eslint', '--no-warn-ignored', ...unchecked),
  },
  prettier: {
    name: 'prettier',
    // no package.json of the checkout configures it
    configuration: configuration(/^(\.prettier.*|prettier\.config\..*|\.editorconfig|\.gitignore)$/),
    // it skips those that it does not know or that .prettierignore names
    files,
    run: (unchecked) => run('prettier', '--check', '--ignore-unknown', '--log-level', 'warn', ...unchecked),
  },
};

try {
  for (const name of process.argv.slice(2)) {
    const check = checks[name];
    if (!check) throw new Error(`no check is named "${name}"; there are: ${Object.keys(checks).join(', ')}`);
    console.log(`${name}: ${checkFiles(check)} of ${check.files.length} files were checked; the others had passed`);
  }
} catch (error) {
  console.error(errorText(error));
  process.exitCode = 1;
}
