import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorText } from '../src/api/error-text';
import { cacheDir } from '../src/local/engine/cache';
import { addToIndex, type Index, indexFile } from '../src/local/images/cache-index';

/**
 * Builds the container images and guests that are not there yet, into OCI archives that the engine's node reads:
 *
 *   tsx scripts/images.ts [NAME…]      without a name: all that most tests need
 *   tsx scripts/images.ts --layers     only the layers of packages, before anything is bundled
 *
 * An archive is named by the hash of all that its recipe depends on: an unchanged recipe is never built again.
 */
interface Recipe {
  ref: string;
  /** `BUILD OUT.tar REF` makes the archive. */
  build: string;
  /** Files and folders that the result depends on. */
  inputs: string[];
}

/** Guests that one suite needs, which builds them itself. */
const RARE = ['debian'];

/** Each folder of `guests` with a program `build` is a guest. */
const guests = readdirSync('guests').filter((name) => existsSync(join('guests', name, 'build')));

const recipes: Record<string, Recipe> = {
  ...Object.fromEntries(
    guests.map((name) => [
      name,
      {
        ref: `localhost/virt8s/${name}:latest`,
        build: `guests/${name}/build`,
        inputs: ['guests/lib', `guests/${name}`],
      },
    ]),
  ),
  'virt-launcher': {
    ref: 'localhost/virt8s/virt-launcher:dev',
    build: 'src/launcher-image/build',
    inputs: [
      'src/launcher-image',
      'build/virt-launcher.cjs',
      'build/node-capabilities.cjs',
      'node_modules/node/package.json',
    ],
  },
  'virt-importer': {
    ref: 'localhost/virt8s/virt-importer:dev',
    build: 'src/component-image/build',
    inputs: ['src/launcher-image', 'src/component-image', 'build/virt-importer.cjs', 'node_modules/node/package.json'],
  },
};

function hashOf(paths: string[]): string {
  const hash = createHash('sha256');
  const add = (path: string): void => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name));
    } else {
      hash.update(`${path}\0`).update(readFileSync(path));
    }
  };
  paths.forEach(add);
  return hash.digest('hex').slice(0, 12);
}

const runFile = promisify(execFile);

async function run(command: string, args: string[]): Promise<void> {
  await runFile(command, args, { maxBuffer: 64 << 20 }).catch((error: Partial<Record<string, unknown>>) => {
    const tail = `${String(error.stdout)}${String(error.stderr)}`.trim().split('\n').slice(-8).join('\n');
    throw new Error(`${command} ${args.join(' ')} ended with ${String(error.code ?? error.signal)}:\n${tail}`);
  });
}

async function ensureImage(name: string, dir: string): Promise<void> {
  const recipe = recipes[name]!;
  const file = indexFile(dir);
  const index = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Index;
  const archive = `${name}-${hashOf(recipe.inputs)}.tar`;
  const path = join(dir, archive);
  if (index[recipe.ref]?.archive === archive && existsSync(path)) return;
  if (!existsSync(path)) {
    const start = Date.now();
    // built beside and renamed: an interrupted build leaves no half image
    const partial = join(dir, `.${archive}.partial`);
    rmSync(partial, { force: true });
    await run(recipe.build, [partial, recipe.ref]);
    renameSync(partial, path);
    console.log(`images: ${name} built in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
  await addToIndex(dir, recipe.ref, path);
  const stale = readdirSync(dir).filter((file) => file.startsWith(`${name}-`) && file !== archive);
  for (const file of stale) rmSync(join(dir, file), { force: true });
}

async function main(args: string[]): Promise<void> {
  if (args[0] === '--layers') return run('src/launcher-image/build', ['--layers']);
  const dir = join(cacheDir(), 'images');
  mkdirSync(dir, { recursive: true });
  const names = args.length > 0 ? args : Object.keys(recipes).filter((name) => !RARE.includes(name));
  const unknown = names.find((name) => !recipes[name]);
  if (unknown) throw new Error(`no image is named "${unknown}"; there are: ${Object.keys(recipes).join(', ')}`);
  // guests beside the platform's images, of which the second shares layers with the first
  const lanes = [guests, Object.keys(recipes).filter((name) => !guests.includes(name))];
  await Promise.all(
    lanes.map(async (lane) => {
      for (const name of lane.filter((each) => names.includes(each))) await ensureImage(name, dir);
    }),
  );
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`images: ${errorText(error)}`);
  process.exitCode = 1;
});
