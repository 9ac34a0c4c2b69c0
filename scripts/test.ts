import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JSII_FLAGS } from './assembly/assembly';

/** One stage: a check that passes or fails, or a jest run that counts its tests. */
interface Stage {
  readonly command: readonly string[];
  /** Jest writes its counts here. */
  readonly report?: string;
}

const reports = mkdtempSync(join(tmpdir(), 'virt8s-test-'));

const jest = (name: string, ...args: string[]): Stage => {
  const report = join(reports, `${name}.json`);
  return { command: ['jest', '--ci', '--json', `--outputFile=${report}`, ...args, `test/${name}`], report };
};

const stages: Record<string, Stage> = {
  generated: { command: ['tsx', 'scripts/generate.ts', '--check'] },
  prose: { command: ['tsx', 'scripts/prose.ts'] },
  lint: { command: ['eslint', '.'] },
  format: { command: ['prettier', '--check', '--log-level', 'warn', '.'] },
  types: { command: ['tsc', '--noEmit', '-p', 'tsconfig.dev.json'] },
  jsii: { command: ['jsii', ...JSII_FLAGS] },
  unit: jest('unit'),
  // one at a time: they share the machine's CPUs, bridges and cgroups
  integration: jest('integration', '--runInBand'),
  e2e: jest('e2e', '--runInBand'),
};

function main(): number {
  const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(stages);
  let passed = 0;
  let failed = 0;
  const times: string[] = [];
  const failedStages: string[] = [];
  for (const name of names) {
    const stage = stages[name];
    if (!stage) throw new Error(`no stage is named "${name}"; there are: ${Object.keys(stages).join(', ')}`);
    console.log(`\n== ${name}`);
    const start = Date.now();
    const [command, ...args] = stage.command;
    // jest --json writes stdout to the file; people read its report on stderr
    const stdio = ['ignore', stage.report ? 'ignore' : 'inherit', 'inherit'] as const;
    const { status } = spawnSync(command!, args, { stdio: [...stdio] });
    times.push(`${name} ${Math.round((Date.now() - start) / 1000)} s`);
    if (status !== 0) failedStages.push(name);
    // a passing stage is not a test; one that fails without a failed test must not end in "0 failed"
    const counts = stage.report ? countsOf(stage.report) : { passed: 0, failed: 0 };
    passed += counts.passed;
    failed += status !== 0 ? Math.max(counts.failed, 1) : counts.failed;
  }
  console.log(`\n${times.join(', ')}`);
  if (failedStages.length > 0) console.log(`failed stages: ${failedStages.join(', ')}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failedStages.length === 0 ? 0 : 1;
}

function countsOf(report: string): { passed: number; failed: number } {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 0 };
  }
}

try {
  process.exitCode = main();
} finally {
  rmSync(reports, { recursive: true, force: true });
}
