import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { checkout } from '../runtime/api-server/platform';

const viz = join(checkout, 'node_modules/@viz-js/viz/dist/viz.cjs');

/** Bundles the command as it is shipped, but without the engine, which has its own tests. */
export function bundleInto(directory: string): string {
  const outfile = join(directory, 'virt8s.cjs');
  buildSync({
    entryPoints: [join(checkout, 'src/cli/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    minify: true,
    keepNames: true,
    logLevel: 'error',
    // a file of its own, as it is when shipped
    alias: { '@viz-js/viz': viz },
    external: ['../local/engine', viz],
  });
  return outfile;
}
