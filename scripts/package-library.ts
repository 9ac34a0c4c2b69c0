import { readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import * as ts from 'typescript';
import { checkout } from './generated-files';
import { packLibrary } from './packed-library';

/** Modules that users may import, as in `exports` of package.json. */
const entries = ['index', 'pulumi/index', 'client/index', 'testing/index'];
const lib = join(checkout, 'lib');

const allFiles = (): string[] =>
  readdirSync(lib, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(lib, join(entry.parentPath, entry.name)));

/** Programs that an entry runs, by what they require. */
function required(): string[] {
  const { metafile } = buildSync({
    absWorkingDir: lib,
    entryPoints: entries.map((entry) => `./${entry}.js`),
    bundle: true,
    packages: 'external',
    external: ['bufferutil', 'utf-8-validate'],
    platform: 'node',
    write: false,
    outdir: 'unused',
    metafile: true,
    treeShaking: false,
    ignoreAnnotations: true,
    logLevel: 'error',
  });
  return Object.keys(metafile.inputs);
}

/** Declarations that an entry's types are made of. */
function declared(): string[] {
  const roots = entries.map((entry) => join(lib, `${entry}.d.ts`));
  const options = { module: ts.ModuleKind.Node16, target: ts.ScriptTarget.ES2022, types: [], noLib: true };
  const program = ts.createProgram(roots, { ...options, noResolve: false });
  return program
    .getSourceFiles()
    .map(({ fileName }) => relative(lib, resolve(fileName)))
    .filter((file) => !file.startsWith('..'));
}

/**
 * Drops what no entry of lib/ reaches (jsii compiles all of src/api; older builds leave files), and jsii's source maps:
 * they hold the sources once more, three quarters of all bytes. Does nothing the second time.
 */
export async function trimLibrary(): Promise<void> {
  await packLibrary(required().filter((file) => /^(index|(api|constructs)\/.*)\.js$/.test(file)));
  const wanted = new Set([...required(), ...declared()]);
  for (const file of allFiles()) {
    const path = join(lib, file);
    if (!wanted.has(file)) {
      rmSync(path);
      continue;
    }
    if (!file.endsWith('.js')) continue;
    const text = readFileSync(path, 'utf8');
    const trimmed = text.replace(/^\/\/# sourceMappingURL=data:.*\n?/m, '');
    if (trimmed !== text) writeFileSync(path, trimmed);
  }
  dropEmptyFolders(lib);
}

function dropEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    dropEmptyFolders(path);
    if (readdirSync(path).length === 0) rmdirSync(path);
  }
}
