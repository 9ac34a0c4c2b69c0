import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * Runs all property tests with a random seed and more runs than the test command: every finding becomes a case of its own.
 *
 *   npm run fuzz -- [--seed N] [--runs FACTOR] [PATH…]
 */
const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, runs: { type: 'string', default: '20' } },
  allowPositionals: true,
});
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
const files = globSync('test/{unit,integration}/**/*.test.ts').filter(
  (file) =>
    readFileSync(file, 'utf8').includes('support/fast-check') &&
    (positionals.length === 0 || positionals.some((path) => file.startsWith(path))),
);
console.log(`seed ${seed}, ${values.runs} times the runs of the test command, ${files.length} files`);
const { status } = spawnSync('jest', ['--ci', '--testTimeout', '3600000', ...files], {
  stdio: 'inherit',
  env: { ...process.env, VIRT8S_SEED: seed, VIRT8S_RUNS: values.runs },
});
process.exitCode = status ?? 1;
