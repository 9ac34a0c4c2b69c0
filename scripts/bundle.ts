import { build } from 'esbuild';
import { noteContents, programNames, programOptions } from './programs';

/** Bundles the programs that are named, or all. */
async function main(names: string[]): Promise<void> {
  await Promise.all(
    (names.length > 0 ? names : programNames).map(async (name) => {
      const { metafile } = await build({ ...programOptions(name), metafile: true });
      noteContents(name, metafile);
    }),
  );
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
