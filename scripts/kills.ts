import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/**
 * Kills programs of an engine at random moments while it imports, uploads, clones, attaches, snapshots and restores disks.
 *
 *   npm run kills -- [--seed N] [--kills N]
 */
const { values } = parseArgs({ options: { seed: { type: 'string' }, kills: { type: 'string', default: '200' } } });
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}, ${values.kills} kills`);
const { status } = spawnSync('jest', ['--ci', 'test/integration/engine/random-kills.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, VIRT8S_SEED: seed, VIRT8S_KILLS: values.kills },
});
process.exitCode = status ?? 1;
