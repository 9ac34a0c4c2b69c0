import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../src/api/error-text';
import { cacheDir } from '../src/local/engine/cache';
import { addToIndex, type Index, indexFile } from '../src/local/images/cache-index';

/**
 * Builds the container images and guests that are not there yet, into OCI archives that the engine's node reads.
 * An archive is named by the hash of all that its recipe depends on: an unchanged recipe is never built again.
 */
interface Recipe {
  ref: string;
  /** `BUILD OUT.tar REF` makes the archive. */
  build: string;
  /** Files and folders that the result depends on. */
  inputs: string[];
}

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

function run(command: string, args: string[]): string {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 << 20 });
  if (result.error) throw result.error;
  if (result.status !== 0) {
    const tail = `${result.stdout}${result.stderr}`.trim().split('\n').slice(-8).join('\n');
    throw new Error(`${command} ${args.join(' ')} ended with ${result.status ?? result.signal}:\n${tail}`);
  }
  return result.stdout;
}

async function main(): Promise<void> {
  const cache = cacheDir();
  const dir = join(cache, 'images');
  mkdirSync(dir, { recursive: true });
  const file = indexFile(dir);
  const index = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Index;

  const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(recipes);
  for (const name of names) {
    const recipe = recipes[name];
    if (!recipe) throw new Error(`no image is named "${name}"; there are: ${Object.keys(recipes).join(', ')}`);
    const archive = `${name}-${hashOf(recipe.inputs)}.tar`;
    const path = join(dir, archive);
    if (index[recipe.ref]?.archive === archive && existsSync(path)) continue;
    if (!existsSync(path)) {
      const start = Date.now();
      process.stdout.write(`images: building ${name} … `);
      // built beside and renamed: an interrupted build leaves no half image
      const partial = join(dir, `.${archive}.partial`);
      rmSync(partial, { force: true });
      run(recipe.build, [partial, recipe.ref]);
      renameSync(partial, path);
      process.stdout.write(`${((Date.now() - start) / 1000).toFixed(1)} s\n`);
    }
    await addToIndex(dir, recipe.ref, path);
    const stale = readdirSync(dir).filter((file) => file.startsWith(`${name}-`) && file !== archive);
    for (const file of stale) rmSync(join(dir, file), { force: true });
  }
}

main().catch((error: unknown) => {
  console.error(`images: ${errorText(error)}`);
  process.exitCode = 1;
});
