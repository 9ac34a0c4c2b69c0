import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/**
 * Kills programs of an engine at random moments while it imports, uploads, clones, attaches, snapshots and restores disks.
 * With --fleet, kills programs and disconnects nodes of an engine with three nodes, the platform as Pods, and many VMs.
 *
 * Afterwards, --outage makes its API server unreachable for a time.
 *
 *   npm run kills -- [--seed N] [--kills N] [--fleet [--vms N] [--outage SECONDS]]
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    kills: { type: 'string', default: '200' },
    fleet: { type: 'boolean', default: false },
    vms: { type: 'string', default: '20' },
    outage: { type: 'string', default: '0' },
  },
});
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}, ${values.kills} kills`);
const suite = values.fleet ? 'fleet-faults' : 'random-kills';
const { status } = spawnSync('jest', ['--ci', `test/integration/engine/${suite}.test.ts`], {
  stdio: 'inherit',
  env: {
    ...process.env,
    VIRT8S_SEED: seed,
    VIRT8S_KILLS: values.kills,
    VIRT8S_VMS: values.vms,
    VIRT8S_OUTAGE: values.outage,
  },
});
process.exitCode = status ?? 1;
