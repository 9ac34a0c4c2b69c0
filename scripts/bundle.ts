import { cpSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { errorText } from '../src/api/error-text';
import { checkout } from './generated-files';
import { COMMAND, noteContents, programNames, programOptions } from './programs';

/** Bundles the programs that are named, or all. */
async function main(names: string[]): Promise<void> {
  await Promise.all(
    (names.length > 0 ? names : programNames).map(async (name) => {
      const { metafile } = await build({ ...programOptions(name), metafile: true });
      noteContents(name, metafile);
      if (name === COMMAND) removeOthers(Object.keys(metafile.outputs));
    }),
  );
  // files of the launcher's image, for `virt8s images build`
  const target = join(checkout, 'build/images/virt-launcher');
  rmSync(target, { recursive: true, force: true });
  cpSync(join(checkout, 'src/launcher-image/files'), target, { recursive: true });
}

/** Removes parts of earlier builds, whose names have other hashes. */
function removeOthers(outputs: readonly string[]): void {
  const folder = dirname(outputs[0]!);
  const kept = new Set(outputs);
  for (const file of readdirSync(join(checkout, folder))) {
    if (!kept.has(`${folder}/${file}`)) rmSync(join(checkout, folder, file));
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(errorText(error));
  process.exitCode = 1;
});
