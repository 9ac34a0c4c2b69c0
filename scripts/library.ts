/**
 * Builds lib/, what users import: jsii compiles the constructs; the entries that jsii does not know (`virt8s/pulumi`,
 * `virt8s/client`, `virt8s/testing`) are compiled over its output, and libraries that they need are bundled.
 * Does nothing if the sources did not change.
 *
 *   tsx scripts/library.ts [--programs]     --programs: without declarations, which takes a second, if there is nothing
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { errorText } from '../src/api/error-text';
import { JSII_FLAGS } from './assembly/assembly';
import { ensure, requireDeclared, type Origin } from './cache';
import { polishDeclarations } from './declarations';
import { checkout } from './generated-files';
import { libraryBundles, libraryModules, libraryPrograms, noteContents, sourcesOf } from './programs';
import { trimLibrary } from './package-library';

const bin = (name: string, ...args: string[]): void =>
  void execFileSync(process.execPath, [join('node_modules/.bin', name), ...args], { cwd: checkout, stdio: 'inherit' });

/** Folders of src/ whose declarations, and where nothing is bundled code, too, come from tsc. */
const entries = ['pulumi', 'client', 'testing', 'runtime/kube'];

const inputs = [
  // rooms that users import, and what these import
  ...['index.ts', 'api', 'constructs', 'pulumi', 'client', 'testing', 'runtime/kube', 'local/engine'].map(
    (path) => `src/${path}`,
  ),
  ...['library', 'declarations', 'package-library', 'packed-library', 'programs', 'assembly/assembly'].map(
    (name) => `scripts/${name}.ts`,
  ),
  // the assembly contains the package's description and README
  ...['package.json', 'package-lock.json', 'README.md', 'tsconfig.json', 'tsconfig.entries.json'],
];

/** Sources of the files that a compiler wrote. */
function sourcesIn(folder: string): string[] {
  const written = readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' });
  return written.flatMap((file) => (file.endsWith('.js') ? [join('src', file.replace(/\.js$/, '.ts'))] : []));
}

/** Types of libraries that are bundled: users do not have them, and no entry hands out such a value. */
function hideBundled(folder: string): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.d.ts'))) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const hidden = text.replace(/^import type \{ (\w+) \} from 'ws';$/m, 'type $1 = unknown;');
    if (hidden !== text) writeFileSync(path, hidden);
  }
}

async function bundle(bundles: Readonly<Record<string, BuildOptions>>): Promise<void> {
  for (const [name, options] of Object.entries(bundles)) {
    const { metafile } = await build({ ...options, metafile: true });
    requireDeclared(inputs, sourcesOf(metafile));
    noteContents(`library-${name}`, metafile);
  }
}

async function make(): Promise<void> {
  rmSync(join(checkout, 'lib'), { recursive: true, force: true });
  const compiled = join(checkout, 'build/entries');
  rmSync(compiled, { recursive: true, force: true });
  bin('jsii', ...JSII_FLAGS);
  bin('tsc', '-p', 'tsconfig.entries.json');
  requireDeclared(inputs, [...sourcesIn('lib'), ...sourcesIn('build/entries')]);
  for (const entry of entries) {
    const target = join(checkout, 'lib', entry);
    mkdirSync(target, { recursive: true });
    cpSync(join(compiled, entry), target, { recursive: true });
  }
  rmSync(compiled, { recursive: true });
  for (const entry of ['client', 'runtime/kube']) hideBundled(join(checkout, 'lib', entry));
  await bundle({ ...libraryBundles, ...libraryModules });
  polishDeclarations(join(checkout, 'lib/constructs'));
  await trimLibrary();
}

/** Makes sure that lib/ and jsii's assembly are those of the sources. jsii runs nowhere else. */
export const ensureLibrary = (work = make): Promise<Origin> =>
  ensure({
    name: 'library',
    inputs,
    outputs: [
      ...['lib', '.jsii', '.jsii.gz'],
      ...Object.keys({ ...libraryBundles, ...libraryModules }).map((name) => `build/contents/library-${name}.json`),
    ],
    make: work,
  });

/** As ensureLibrary, but a library that neither the checkout nor the cache has consists of programs without declarations. */
async function ensurePrograms(): Promise<void> {
  const absent = new Error('no library');
  await ensureLibrary(() => Promise.reject(absent)).catch(async (error: unknown) => {
    if (error !== absent) throw error;
    rmSync(join(checkout, 'lib'), { recursive: true, force: true });
    await Promise.all(Object.values(libraryPrograms).map((options) => build(options)));
  });
}

if (require.main === module) {
  const work = process.argv.includes('--programs') ? ensurePrograms() : ensureLibrary();
  work.catch((error: unknown) => {
    console.error(errorText(error));
    process.exitCode = 1;
  });
}
