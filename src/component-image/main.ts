/** Builds the importer's image from this checkout: `src/component-image/build OUT.tar`. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buildComponent } from './image';
import { importerRecipe } from './importer';
import { ARCHITECTURES } from '../launcher-image/arch';
import { run } from '../launcher-image/run';

const checkout = resolve(__dirname, '../..');

async function main([out]: string[]): Promise<void> {
  if (!out) throw new Error('usage: src/component-image/build OUT.tar');
  await run(join(checkout, 'node_modules/.bin/tsx'), [join(checkout, 'scripts/bundle.ts')]);
  const node = join(checkout, 'node_modules/node');
  const { version } = JSON.parse(await readFile(join(node, 'package.json'), 'utf8')) as { version: string };
  const { digest } = await buildComponent(
    'virt-importer',
    out,
    {
      bundles: join(checkout, 'build'),
      launcherFiles: join(checkout, 'src/launcher-image/files'),
      architecture: ARCHITECTURES.amd64,
      node: { version, program: join(node, 'bin/node') },
    },
    importerRecipe(ARCHITECTURES.amd64),
  );
  console.log(digest);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
