/** Builds the launcher's image from this checkout: `src/launcher-image/build OUT.tar`, or `--layers` to cache its packages. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ARCHITECTURES } from './arch';
import { baseLayer, buildLauncher } from './image';
import { run } from './run';

const checkout = resolve(__dirname, '../..');

async function main([out]: string[]): Promise<void> {
  if (!out) throw new Error('usage: src/launcher-image/build OUT.tar|--layers');
  if (out === '--layers') return void (await baseLayer({ architecture: ARCHITECTURES.amd64 }));
  await run(join(checkout, 'node_modules/.bin/tsx'), [join(checkout, 'scripts/bundle.ts')]);
  const node = join(checkout, 'node_modules/node');
  const { version } = JSON.parse(await readFile(join(node, 'package.json'), 'utf8')) as { version: string };
  const { digest } = await buildLauncher(out, {
    bundles: join(checkout, 'build'),
    launcherFiles: join(checkout, 'src/launcher-image/files'),
    architecture: ARCHITECTURES.amd64,
    node: { version, program: join(node, 'bin/node') },
  });
  console.log(digest);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
