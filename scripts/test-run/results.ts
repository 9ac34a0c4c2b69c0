import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Result of one test file. */
export interface SuiteResult {
  readonly file: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: readonly Failure[];
}

/** A failed test, or a suite that could not be loaded. */
export interface Failure {
  readonly test: string;
  /** The beginning of the error, indented; the whole is in the suite's output. */
  readonly error: string;
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

/** Lines of an error that are printed at the end. */
const ERROR_LINES = 16;

/** The beginning of an error, without its colours and stack. */
export function beginningOf(error = ''): string {
  const lines = stripVTControlCharacters(error).split('\n');
  const text = lines.filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  return text
    .slice(0, ERROR_LINES)
    .map((line) => `\n    ${line}`)
    .join('');
}

/** Reads jest's report (`--json`); `undefined` if jest ended before it wrote one. */
export function resultsOf(report: string): SuiteResult[] | undefined {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: JestSuite[] };
    return testResults.map(resultOf);
  } catch {
    return undefined;
  }
}

function resultOf({ name, startTime, endTime, status, message, assertionResults }: JestSuite): SuiteResult {
  const file = relative(process.cwd(), name);
  const failed = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages: [error] }) => ({ test: `${file} › ${fullName}`, error: beginningOf(error) }));
  const isBroken = status === 'failed' && failed.length === 0;
  return {
    file,
    seconds: Math.round((endTime - startTime) / 1000),
    passed: assertionResults.filter((test) => test.status === 'passed').length,
    failed: isBroken ? [{ test: file, error: beginningOf(message) }] : failed,
  };
}
