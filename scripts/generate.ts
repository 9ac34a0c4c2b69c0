/**
 * Regenerates everything that is derived: each `scripts/generate-*.ts` is a program of its own that
 * writes its files, or with `--check` fails when one is stale.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './generated-files';

const generators = readdirSync(join(checkout, 'scripts'))
  .filter((name) => /^generate-[a-z0-9-]+\.ts$/.test(name))
  .sort();
const failed = generators.filter((name) => {
  const run = spawnSync(process.execPath, ['--import', 'tsx', join('scripts', name), ...process.argv.slice(2)], {
    cwd: checkout,
    stdio: 'inherit',
  });
  return run.status !== 0;
});
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
