import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { COMMAND, programOptions } from '../../../scripts/programs';
import { checkout } from '../runtime/api-server/platform';

const viz = join(checkout, 'node_modules/@viz-js/viz/dist/viz.cjs');

/** Bundles the command as it is shipped, but without the engine, which has its own tests. */
export function bundleInto(directory: string): string {
  const outdir = join(directory, COMMAND);
  buildSync({
    ...programOptions(COMMAND),
    outdir,
    // the programs that it loads at run time are not built here
    plugins: [],
    alias: { '@viz-js/viz': viz },
    external: ['../local/engine', viz],
  });
  return join(outdir, 'main.mjs');
}
