/**
 * Builds lib/, what users import: jsii compiles the constructs; the entries that jsii does not know (`virt8s/pulumi`,
 * `virt8s/client`, `virt8s/testing`) are compiled over its output, and libraries that they need are bundled.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { checkout } from './generated-files';

const bin = (name: string, ...args: string[]): void =>
  void execFileSync(process.execPath, [join('node_modules/.bin', name), ...args], { cwd: checkout, stdio: 'inherit' });

/** Folders of src/ whose declarations, and where nothing is bundled code, too, come from tsc. */
const entries = ['pulumi', 'client', 'testing', 'runtime/kube'];

bin('jsii', '--silence-warnings=reserved-word');

const compiled = join(checkout, 'build/entries');
rmSync(compiled, { recursive: true, force: true });
bin('tsc', '-p', 'tsconfig.entries.json');
for (const entry of entries.filter((name) => existsSync(join(compiled, name)))) {
  const target = join(checkout, 'lib', entry);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  cpSync(join(compiled, entry), target, { recursive: true });
}
rmSync(compiled, { recursive: true });

// its libraries are ESM, or no peers of ours
if (existsSync(join(checkout, 'src/client/index.ts'))) {
  buildSync({
    absWorkingDir: checkout,
    entryPoints: ['src/client/index.ts'],
    outfile: 'lib/client/index.js',
    bundle: true,
    platform: 'node',
    target: 'node22',
    legalComments: 'none',
    logLevel: 'warning',
  });
}
