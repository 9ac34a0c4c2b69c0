import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { checkout } from './generated-files';

/**
 * Joins the modules of lib/ that all entries share into one file. Node needs about 0.2 ms to find and load a module, and
 * a program that imports `virt8s` needs 400 of them.
 */

const lib = join(checkout, 'lib');
const PACKED = 'modules.js';
/** Data that few programs need. */
const DATA = 'api/generated/crds.json';

/** Whether lib/index.js is what `packLibrary` wrote, and not what jsii wrote since. */
const isPacked = (): boolean =>
  existsSync(join(lib, PACKED)) && readFileSync(join(lib, 'index.js'), 'utf8').includes(PACKED);

/**
 * Writes lib/modules.js, and replaces each of these modules by a line that reads it from there: other entries require
 * some of them, and share their state with `virt8s`. Does nothing the second time.
 *
 * @param modules files of lib/, such as `constructs/index.js`
 */
export async function packLibrary(modules: readonly string[]): Promise<void> {
  if (isPacked()) return;
  const contents = modules.map((file) => `exports['${file}'] = () => require('./${file}');`).join('\n');
  await build({
    absWorkingDir: lib,
    stdin: { contents, resolveDir: lib },
    outfile: join(lib, PACKED),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    legalComments: 'none',
    treeShaking: false,
    plugins: [
      {
        name: 'data',
        setup: ({ onResolve }) => onResolve({ filter: /\/crds\.json$/ }, () => ({ path: `./${DATA}`, external: true })),
      },
    ],
    logLevel: 'warning',
  });
  for (const file of modules) {
    const at = relative(dirname(file), PACKED);
    const from = at.startsWith('.') ? at : `./${at}`;
    writeFileSync(join(lib, file), `module.exports = require('${from}')['${file}']();\n`);
  }
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the names that the entry exports
  const names = Object.keys(require(join(lib, 'index.js')) as object);
  writeFileSync(
    join(lib, 'index.js'),
    `const modules = require('./${PACKED}');
module.exports = modules['index.js']();
// the names for \`import { … }\`, which Node reads without running the module
0 && (module.exports = { ${names.join(', ')} });
`,
  );
}
