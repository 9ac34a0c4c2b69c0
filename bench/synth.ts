import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { type Figure, figure, median } from './figure';

interface Cost {
  readonly ms: number;
  readonly mebibytes: number;
}

/** Synth of many VMs with disks, cloud-init and Services, against the same objects as raw cdk8s ApiObjects, in turn. */
export function benchSynth(vms: number, rounds: number): Figure[] {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-bench-'));
  try {
    // in node_modules, so that it finds the packages that it loads, and bundled, as users import the library
    const child = join(__dirname, '../node_modules/.cache/virt8s-bench-synth.cjs');
    buildSync({
      entryPoints: [join(__dirname, 'synth-child.ts')],
      outfile: child,
      bundle: true,
      platform: 'node',
      external: ['cdk8s', 'constructs'],
      logLevel: 'error',
    });
    const run = (variant: 'construct' | 'raw'): Cost => {
      const args = [child, variant, `${vms}`, join(folder, 'objects')];
      return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    };
    const pairs = Array.from({ length: rounds }, () => ({ construct: run('construct'), raw: run('raw') }));
    const typical = (of: (pair: (typeof pairs)[number]) => number): number => median(pairs.map(of));
    const each = `median of ${rounds} rounds of ${vms} VMs, construct and raw in turn, each in its own process`;
    return [
      figure(
        'synth',
        typical(({ construct, raw }) => construct.ms / raw.ms),
        'x raw cdk8s ApiObjects',
        2,
        `processor time to declare, check and write; ${each}; construct ${typical(({ construct }) => construct.ms).toFixed(0)} ms`,
      ),
      figure(
        'memory of synth',
        typical(({ construct, raw }) => construct.mebibytes / raw.mebibytes),
        'x raw cdk8s ApiObjects',
        2,
        `growth of the resident set to its peak; ${each}; construct ${typical(({ construct }) => construct.mebibytes).toFixed(0)} MiB`,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
