import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ruleGroups } from '../../../../../src/constructs/platform/rules';
import type { Watched } from '../../../../../src/constructs/platform/rules';

export const installation: Watched = { namespace: 'kubevirt', useEmulation: false };

/** Series with values in the notation of promtool: `1x60`, `0+10x60`. */
export type Series = Readonly<Record<string, string>>;

/** Values of a rule test. */
export interface RuleTest {
  readonly series: Series;
  /** Time between two values. */
  readonly interval?: string;
  readonly checks: readonly Check[];
}

interface Check {
  /** Time at which the result is examined. */
  readonly at: string;
  readonly expr: string;
  readonly want: readonly { readonly labels: string; readonly value: number }[];
}

/** Runs promtool in a folder with the rules; returns its output if it fails. */
function promtool(watched: Watched, test: object | undefined, ...args: string[]): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-rules-'));
  try {
    // JSON is YAML
    writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups: ruleGroups(watched) }));
    if (test) writeFileSync(join(folder, 'test.yaml'), JSON.stringify(test));
    const { status, stdout, stderr, error } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
    if (error) throw new Error(`promtool cannot run (Debian package prometheus): ${error.message}`);
    return status === 0 ? undefined : `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const checkRules = (watched: Watched): string | undefined =>
  promtool(watched, undefined, 'check', 'rules', 'rules.yaml');

/** Returns what promtool reports if the rules do not give the expected result. */
export function testRules({ series, interval = '1m', checks }: RuleTest): string | undefined {
  const test = {
    rule_files: ['rules.yaml'],
    evaluation_interval: interval,
    tests: [
      {
        interval,
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: checks.map(({ at, expr, want }) => ({ expr, eval_time: at, exp_samples: want })),
      },
    ],
  };
  return promtool(installation, test, 'test', 'rules', 'test.yaml');
}
