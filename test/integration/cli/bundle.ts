import { join } from 'node:path';
import { build } from 'esbuild';
import { COMMAND, namedExports, programOptions } from '../../../scripts/programs';
import { checkout } from '../runtime/api-server/platform';

const viz = join(checkout, 'node_modules/@viz-js/viz/dist/viz.cjs');

/** Bundles the command as it is shipped, but without the engine, which has its own tests. */
export async function bundleInto(directory: string): Promise<string> {
  const outdir = join(directory, COMMAND);
  await build({
    ...programOptions(COMMAND),
    outdir,
    // without the programs that it loads at run time
    plugins: [namedExports],
    alias: { '@viz-js/viz': viz },
    external: ['../local/engine', viz],
  });
  return join(outdir, 'main.mjs');
}
