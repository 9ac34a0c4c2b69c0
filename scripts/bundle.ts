import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { checkout } from './generated-files';
import { noteContents, programNames, programOptions } from './programs';

/** Bundles the programs that are named, or all. */
async function main(names: string[]): Promise<void> {
  await Promise.all(
    (names.length > 0 ? names : programNames).map(async (name) => {
      const { metafile } = await build({ ...programOptions(name), metafile: true });
      noteContents(name, metafile);
    }),
  );
  // files of the launcher's image, for `virt8s images build`
  const target = join(checkout, 'build/images/virt-launcher');
  rmSync(target, { recursive: true, force: true });
  cpSync(join(checkout, 'src/launcher-image/files'), target, { recursive: true });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
