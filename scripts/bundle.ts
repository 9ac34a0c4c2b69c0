import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { errorText } from '../src/api/error-text';
import { checkout } from './generated-files';
import { COMMAND, noteContents, programNames, programOptions } from './programs';
import { writeNpmPackages } from './sbom';

/** Bundles the programs that are named, or all. */
async function main(names: string[]): Promise<void> {
  await Promise.all(
    (names.length > 0 ? names : programNames).map(async (name) => {
      const { metafile, outputFiles } = await build({ ...programOptions(name), metafile: true, write: false });
      outputFiles.forEach(({ path, contents }) => write(path, contents));
      noteContents(name, metafile);
      if (name === COMMAND) removeOthers(Object.keys(metafile.outputs));
    }),
  );
  writeNpmPackages();
  // files of the launcher's image, for `virt8s images build`
  const target = join(checkout, 'build/images/virt-launcher');
  rmSync(target, { recursive: true, force: true });
  cpSync(join(checkout, 'src/launcher-image/files'), target, { recursive: true });
}

/** Replaces a file that differs, as a whole: engines of this checkout may be running from it. */
function write(path: string, contents: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, contents);
  renameSync(`${path}.new`, path);
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
