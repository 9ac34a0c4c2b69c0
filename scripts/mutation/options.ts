import { type LogLevel, type PartialStrykerOptions } from '@stryker-mutator/api/core';
import { globSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type Room } from './rooms';

const checkout = resolve(__dirname, '../..');
const isFile = (path: string): boolean => statSync(join(checkout, path)).isFile();
const below = (pattern: string): string[] => globSync(pattern, { cwd: checkout });
const within = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The sources of a room that were asked for; without a question, all. */
export function sourcesOf({ source }: Room, asked: readonly string[] = []): string[] {
  const path = `src/${source}`;
  const files = isFile(path)
    ? [path]
    : below(`${path}/**/*.ts`).filter((file) => !file.includes('/generated/') && basename(file) !== 'index.ts');
  return files.filter((file) => asked.length === 0 || asked.some((each) => within(file, `src/${each}`))).sort();
}

/** The tests of a room, as patterns for jest. */
const testsOf = ({ tests }: Room): string[] =>
  tests.map((test) => `test/unit/${test}`).map((path) => `<rootDir>/${isFile(path) ? path : `${path}/**/*.test.ts`}`);

/** Options of Stryker for the mutants of these sources of a room; the rest of jest's configuration is in package.json. */
export function optionsOf(room: Room, sources: readonly string[], jobs: number): PartialStrykerOptions {
  return {
    mutate: [...sources],
    ignorers: ['sentences'],
    testRunner: 'reached-files',
    plugins: ['@stryker-mutator/jest-runner', join(__dirname, 'plugins.mts')],
    jest: { projectType: 'custom', enableFindRelatedTests: false, config: { testMatch: testsOf(room) } },
    coverageAnalysis: 'perTest',
    concurrency: jobs,
    // jest keeps a part of what it loaded
    maxTestRunnerReuse: 200,
    // ends a mutant that hangs; on a busy machine a slow run is not one
    timeoutFactor: 4,
    timeoutMS: 60_000,
    // swc does not check types
    disableTypeChecks: false,
    tempDirName: join(tmpdir(), 'virt8s-mutation'),
    cleanTempDir: 'always',
    ignorePatterns: ['lib', 'build', 'dist', 'test-reports', 'cdk8s.out'],
    logLevel: 'warn' as LogLevel,
    warnings: { slow: false, unknownOptions: true, preprocessorErrors: true, unserializableOptions: true },
    reporters: ['clear-text', 'progress'],
    clearTextReporter: { logTests: false, reportTests: false },
    thresholds: { high: room.goal, low: room.goal, break: room.goal },
  };
}
