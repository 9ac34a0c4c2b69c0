import { cpSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { errorText } from '../src/api/error-text';
import { ensure, replace, requireDeclared } from './cache';
import { checkout } from './generated-files';
import { COMMAND, noteContents, programNames, programOptions, sourcesOf } from './programs';
import { writeNpmPackages } from './sbom';

const inputs = [
  ...['src', 'api/schema', 'package.json', 'package-lock.json'],
  ...['bundle', 'programs', 'sbom', 'licences'].map((name) => `scripts/${name}.ts`),
];

/** Bundles all programs into build/. */
async function bundle(): Promise<void> {
  await Promise.all(
    programNames.map(async (name) => {
      const { metafile, outputFiles } = await build({ ...programOptions(name), metafile: true, write: false });
      requireDeclared(inputs, sourcesOf(metafile));
      outputFiles.forEach(({ path, contents }) => replace(path, contents));
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

/** Removes parts of earlier builds, whose names have other hashes. */
function removeOthers(outputs: readonly string[]): void {
  const folder = dirname(outputs[0]!);
  const kept = new Set(outputs);
  for (const file of readdirSync(join(checkout, folder))) {
    if (!kept.has(`${folder}/${file}`)) rmSync(join(checkout, folder, file));
  }
}

ensure({
  name: 'bundles',
  inputs,
  outputs: [
    `build/${COMMAND}`,
    'build/images',
    ...programNames.flatMap((name) => (name === COMMAND ? [] : [`build/${name}.cjs`])),
    ...programNames.map((name) => `build/contents/${name}.json`),
  ],
  make: bundle,
}).catch((error: unknown) => {
  console.error(errorText(error));
  process.exitCode = 1;
});
