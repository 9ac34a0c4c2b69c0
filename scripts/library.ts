/**
 * Builds lib/, what users import: jsii compiles the constructs; the entries that jsii does not know (`virt8s/pulumi`,
 * `virt8s/client`, `virt8s/testing`) are compiled over its output, and libraries that they need are bundled.
 *
 *   tsx scripts/library.ts [--if-stale]     --if-stale: only when its sources changed since
 */
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { errorText } from '../src/api/error-text';
import { JSII_FLAGS } from './assembly/assembly';
import { polishDeclarations } from './declarations';
import { checkout } from './generated-files';
import { libraryBundles, libraryModules, noteContents } from './programs';
import { trimLibrary } from './package-library';

const bin = (name: string, ...args: string[]): void =>
  void execFileSync(process.execPath, [join('node_modules/.bin', name), ...args], { cwd: checkout, stdio: 'inherit' });

/** Folders of src/ whose declarations, and where nothing is bundled code, too, come from tsc. */
const entries = ['pulumi', 'client', 'testing', 'runtime/kube'];

/** Hash of all files that lib/ is built from. */
function sources(): string {
  const hash = createHash('sha256');
  const roots = [
    'src',
    'scripts/declarations.ts',
    'scripts/library.ts',
    'scripts/packed-library.ts',
    'scripts/programs.ts',
    'tsconfig.entries.json',
    'package-lock.json',
  ];
  for (const root of roots) {
    const files = /\.\w+$/.test(root)
      ? [root]
      : readdirSync(join(checkout, root), { recursive: true, encoding: 'utf8' });
    for (const file of files.map((name) => (name === root ? name : join(root, name))).sort()) {
      if (/\.(ts|json)$/.test(file)) hash.update(`${file}\0`).update(readFileSync(join(checkout, file)));
    }
  }
  return hash.digest('hex');
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
    noteContents(`library-${name}`, metafile);
  }
}

async function main(): Promise<void> {
  const stamp = join(checkout, 'build/library.stamp');
  const now = sources();
  const fresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === now && existsSync(join(checkout, 'lib/index.js'));
  if (!(process.argv.includes('--if-stale') && fresh)) {
    rmSync(stamp, { force: true });
    bin('jsii', ...JSII_FLAGS);
    const compiled = join(checkout, 'build/entries');
    rmSync(compiled, { recursive: true, force: true });
    bin('tsc', '-p', 'tsconfig.entries.json');
    for (const entry of entries) {
      const target = join(checkout, 'lib', entry);
      rmSync(target, { recursive: true, force: true });
      mkdirSync(target, { recursive: true });
      cpSync(join(compiled, entry), target, { recursive: true });
    }
    rmSync(compiled, { recursive: true });
    for (const entry of ['client', 'runtime/kube']) hideBundled(join(checkout, 'lib', entry));
    await bundle(libraryBundles);
    writeFileSync(stamp, now);
  }
  // jsii alone may have written these since
  await bundle(libraryModules);
  polishDeclarations(join(checkout, 'lib/constructs'));
  await trimLibrary();
}

main().catch((error: unknown) => {
  console.error(errorText(error));
  process.exitCode = 1;
});
