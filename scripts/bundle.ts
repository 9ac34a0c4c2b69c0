import { existsSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';

/** Entry of each program -> its bundle in build/. One file each, so that an image needs nothing but node and it. */
const programs: Record<string, string> = {
  virt8s: 'src/cli/main.ts',
  engine: 'src/local/engine/main.ts',
  'virt-controller': 'src/runtime/controller/main.ts',
  'virt-api': 'src/runtime/api-server/main.ts',
  'virt-handler': 'src/runtime/handler/main.ts',
  'virt-launcher': 'src/runtime/launcher/main.ts',
  // Graphviz, a megabyte that few commands need
  viz: 'node_modules/@viz-js/viz/dist/viz.cjs',
};

/** Libraries that are files of their own beside the bundle, and read when they are needed. */
const beside: Plugin = {
  name: 'beside',
  setup: ({ onResolve }) => onResolve({ filter: /^@viz-js\/viz$/ }, () => ({ path: './viz.cjs', external: true })),
};

async function main(): Promise<void> {
  const only = process.argv.slice(2);
  const entries = Object.entries(programs).filter(([name]) => only.length === 0 || only.includes(name));
  await Promise.all(
    entries
      .filter(([, entry]) => existsSync(entry))
      .map(([name, entry]) =>
        build({
          entryPoints: [entry],
          outfile: `build/${name}.cjs`,
          bundle: true,
          plugins: [beside],
          platform: 'node',
          target: 'node24',
          format: 'cjs',
          // names stay as they are: keeping them beside shorter ones costs half the speed of small closures
          minifyWhitespace: true,
          minifySyntax: true,
          legalComments: 'none',
          logLevel: 'warning',
        }),
      ),
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
