import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { JSII_FLAGS } from './assembly/assembly';

/** One stage: a check that passes or fails, or a jest run that counts its tests. */
interface Stage {
  readonly command: readonly string[];
  /** Jest writes its counts here. */
  readonly report?: string;
}

const reports = mkdtempSync(join(tmpdir(), 'virt8s-test-'));

const jest = (name: string, ...args: string[]): Stage => {
  const report = join(reports, `${name.replaceAll('/', '-')}.json`);
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
  // one suite at a time: a stage's suites share what they build, and the engines' guests need the CPUs
  engine: jest('integration/engine', '--runInBand'),
  integration: jest('integration', '--testPathIgnorePatterns=test/integration/engine', '--runInBand'),
  e2e: jest('e2e', '--runInBand'),
};

/** Groups run one after the other; the lanes of a group run at the same time, since suites with engines mostly wait. */
const groups: readonly (readonly (readonly string[])[])[] = [
  [
    ['generated', 'jsii', 'prose', 'format'],
    ['types', 'lint'],
  ],
  [['unit']],
  [['engine'], ['integration', 'e2e']],
];

interface Outcome {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  readonly suites: readonly Suite[];
}

/** One test file. */
interface Suite {
  readonly file: string;
  readonly seconds: number;
  /** Its failed tests with the beginning of their errors, or its own name if it could not be loaded. */
  readonly failed: readonly string[];
}

/** Number of suites whose durations are printed: where time can be saved. */
const SLOWEST = 24;

async function run(name: string): Promise<Outcome> {
  const { command, report } = stages[name]!;
  console.log(`\n== ${name}`);
  const start = Date.now();
  const [program, ...args] = command;
  // jest --json writes stdout to the file; people read its report on stderr
  const child = spawn(program!, args, { stdio: ['ignore', report ? 'ignore' : 'inherit', 'inherit'] });
  const [status] = (await once(child, 'exit')) as [number | null];
  const ok = status === 0;
  const seconds = Math.round((Date.now() - start) / 1000);
  console.log(`\n== ${name} ${ok ? 'passed' : 'failed'} after ${seconds} s`);
  // a passing stage is not a test; one that fails without a failed test must not end in "0 failed"
  const { passed, failed, suites } = report ? resultOf(report) : NO_RESULT;
  return { name, ok, seconds, passed, failed: ok ? failed : Math.max(failed, 1), suites };
}

async function inOrder(names: readonly string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const name of names) outcomes.push(await run(name));
  return outcomes;
}

async function main(wanted: readonly string[]): Promise<number> {
  const unknown = wanted.find((name) => !stages[name]);
  if (unknown) throw new Error(`no stage is named "${unknown}"; there are: ${Object.keys(stages).join(', ')}`);
  const outcomes: Outcome[] = [];
  for (const group of groups) {
    const lanes = group.map((lane) => lane.filter((name) => wanted.length === 0 || wanted.includes(name)));
    outcomes.push(...(await Promise.all(lanes.map(inOrder))).flat());
  }
  const failed = outcomes.filter(({ ok }) => !ok).map(({ name }) => name);
  const sum = (count: (outcome: Outcome) => number): number => outcomes.map(count).reduce((a, b) => a + b, 0);
  const slowest = outcomes.flatMap(({ suites }) => suites).sort((a, b) => b.seconds - a.seconds);
  if (slowest.length > 0) {
    const lines = slowest.slice(0, SLOWEST).map(({ file, seconds }) => `${String(seconds).padStart(5)} s  ${file}`);
    console.log(`\nslowest suites:\n${lines.join('\n')}`);
  }
  console.log(`\n${outcomes.map(({ name, seconds }) => `${name} ${seconds} s`).join(', ')}`);
  if (failed.length > 0) console.log(`failed stages: ${failed.join(', ')}`);
  for (const test of outcomes.flatMap(({ suites }) => suites.flatMap((suite) => suite.failed)))
    console.log(`✕ ${test}`);
  console.log(`${sum((outcome) => outcome.passed)} passed, ${sum((outcome) => outcome.failed)} failed`);
  return failed.length === 0 ? 0 : 1;
}

/** A test file in jest's report. */
interface JestSuite {
  readonly name: string;
  readonly status: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

/** Lines of an error that are printed at the end; the whole is printed where the test failed. */
const ERROR_LINES = 16;

/** The beginning of an error, without its colours and stack. */
function beginningOf(error = ''): string {
  const lines = stripVTControlCharacters(error).split('\n');
  const text = lines.filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  return text
    .slice(0, ERROR_LINES)
    .map((line) => `\n    ${line}`)
    .join('');
}

type Result = Pick<Outcome, 'passed' | 'failed' | 'suites'>;
const NO_RESULT: Result = { passed: 0, failed: 0, suites: [] };

function resultOf(report: string): Result {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      numPassedTests: number;
      numFailedTests: number;
      testResults: JestSuite[];
    };
    const suites = testResults.map(({ name, startTime, endTime, status, message, assertionResults }) => {
      const file = relative(process.cwd(), name);
      const failed = assertionResults
        .filter((test) => test.status === 'failed')
        .map(({ fullName, failureMessages: [error] }) => `${file} › ${fullName}${beginningOf(error)}`);
      const seconds = Math.round((endTime - startTime) / 1000);
      const isBroken = status === 'failed' && failed.length === 0;
      return { file, seconds, failed: isBroken ? [`${file}${beginningOf(message)}`] : failed };
    });
    return { passed: numPassedTests, failed: numFailedTests, suites };
  } catch {
    return NO_RESULT;
  }
}

main(process.argv.slice(2))
  .then((code) => void (process.exitCode = code))
  .finally(() => rmSync(reports, { recursive: true, force: true }));
