/**
 * Checks the types of everything in tsconfig.dev.json, and of the programs in the README, the guides and the pages of the
 * examples, as `npx tsx scripts/checks/types.ts`. What the compiler learned is kept for the next run: only files that a
 * change affects are checked again.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as ts from 'typescript';
import { errorText } from '../../src/api/error-text';
import { pagePrograms } from '../../test/support/page-programs';
import { ensure } from '../cache';
import { checkout } from '../generated-files';
import { checkoutFiles } from './unchecked';

/** In the checkout, where programs find the packages. */
const PAGES = 'build/pages';
const STATE = 'build/types';

/** Codes of TypeScript's errors about declarations that nothing uses. Pages declare what a reader would use. */
const UNUSED = [6133, 6138, 6192, 6196, 6198, 6199, 6205];

/** Writes the programs of the pages, and returns their files. */
function writePrograms(): string[] {
  rmSync(join(checkout, PAGES), { recursive: true, force: true });
  mkdirSync(join(checkout, PAGES), { recursive: true });
  return pagePrograms().map(({ name, text }) => {
    const file = join(checkout, PAGES, `${name}.ts`);
    writeFileSync(file, text);
    return file;
  });
}

function check(): void {
  const { config } = ts.readConfigFile(join(checkout, 'tsconfig.dev.json'), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, checkout);
  const options = {
    ...parsed.options,
    incremental: true,
    tsBuildInfoFile: join(checkout, STATE, 'checked.tsbuildinfo'),
  };
  const rootNames = [...parsed.fileNames, ...writePrograms()];
  const program = ts.createIncrementalProgram({ rootNames, options, configFileParsingDiagnostics: parsed.errors });
  const isOnlyUnused = ({ code, file }: ts.Diagnostic): boolean =>
    file !== undefined && dirname(file.fileName).endsWith(PAGES) && UNUSED.includes(code);
  const found = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getSemanticDiagnostics(),
  ].filter((diagnostic) => !isOnlyUnused(diagnostic));
  program.emit();
  if (found.length === 0) return;
  const host = {
    getCanonicalFileName: (name: string) => name,
    getCurrentDirectory: () => checkout,
    getNewLine: () => '\n',
  };
  throw new Error(ts.formatDiagnostics(found, host));
}

ensure({
  name: 'types',
  inputs: ['package-lock.json', ...checkoutFiles().filter((file) => /\.([cm]?tsx?|json|md)$/.test(file))],
  outputs: [STATE],
  make: check,
  continues: true,
}).catch((error: unknown) => {
  console.error(errorText(error));
  process.exitCode = 1;
});
