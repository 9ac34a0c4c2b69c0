import type { StrykerOptions } from '@stryker-mutator/api/core';
import type { Ignorer } from '@stryker-mutator/api/ignore';
import {
  commonTokens,
  declareFactoryPlugin,
  declareValuePlugin,
  type Injector,
  type PluginContext,
  PluginKind,
  tokens,
} from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, type TestResult, type TestRunner } from '@stryker-mutator/api/test-runner';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
  readonly elements?: readonly unknown[];
}

/** Skips texts for people, which contain spaces; words that programs read do not. Empty texts and lists have no mutants either. */
export const sentences: Ignorer = {
  shouldIgnore(path) {
    const { type, value, quasis, elements } = (path as { readonly node: Node }).node;
    if (type === 'ArrayExpression' && elements?.length === 0) return 'an empty list';
    const text = type === 'StringLiteral' ? String(value) : quasis?.map(({ value: { raw } }) => raw).join('');
    if (type === 'StringLiteral' && text === '') return 'an empty text';
    return text !== undefined && /\s/.test(text) ? 'a sentence' : undefined;
  },
};

/**
 * Stryker's runner for jest has jest load every test file to find the tests that reach a mutant, and run all of these.
 * This one loads only the files that contain them, one after the other, until a test notices the mutant; slow ones last.
 */
export function reachedFiles(runner: TestRunner, { jest }: StrykerOptions, sandbox = process.cwd()): TestRunner {
  // which tests are in which file, and how long they take; the processes of a run share it
  const record = join(sandbox, 'tests.json');
  const { config } = jest as { readonly config: { testMatch: readonly string[] } };
  const init = async (): Promise<void> => runner.init?.();
  // what noticed the last mutant is likely to notice the next
  let noticed: readonly string[] = [];
  return {
    init,
    capabilities: () => runner.capabilities(),
    dispose: async () => runner.dispose?.(),
    async dryRun(options) {
      const result = await runner.dryRun(options);
      if (result.status === DryRunStatus.Complete) {
        const tests = result.tests.map(({ id, fileName, timeSpentMs }) => ({ id, fileName, timeSpentMs }));
        writeFileSync(record, JSON.stringify(tests));
      }
      return result;
    },
    async mutantRun(options) {
      const tests = JSON.parse(readFileSync(record, 'utf8')) as TestResult[];
      // a mutant of what runs while a file loads is reached by no test in particular
      const reached = options.testFilter && new Set(options.testFilter);
      const seconds = new Map<string, number>();
      for (const { id, fileName, timeSpentMs } of tests) {
        if (reached?.has(id) ?? true) seconds.set(fileName!, (seconds.get(fileName!) ?? 0) + timeSpentMs / 1000);
      }
      const rank = (file: string): number => Math.floor(seconds.get(file)!);
      const likely = [...new Set([...noticed.filter((file) => seconds.has(file)), ...seconds.keys()])];
      let nrOfTests = 0;
      for (const file of likely.sort((a, b) => rank(a) - rank(b))) {
        config.testMatch = [file];
        // reads the configuration again
        await init();
        const result = await runner.mutantRun(options);
        if (result.status === MutantRunStatus.Survived) {
          nrOfTests += result.nrOfTests;
          continue;
        }
        noticed = [file, ...noticed.filter((each) => each !== file)];
        if (result.status !== MutantRunStatus.Error) return result;
        // a file that the mutant keeps from loading; Stryker would leave the mutant out of the score
        const killedBy = tests.filter(({ fileName }) => fileName === file).map(({ id }) => id);
        return { status: MutantRunStatus.Killed, killedBy, failureMessage: result.errorMessage, nrOfTests };
      }
      return { status: MutantRunStatus.Survived, nrOfTests };
    },
  };
}

const create = (injector: Injector<PluginContext>): TestRunner =>
  reachedFiles(injector.injectFunction(jestPlugins[0]!.factory), injector.resolve(commonTokens.options));
create.inject = tokens(commonTokens.injector);

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'sentences', sentences),
  declareFactoryPlugin(PluginKind.TestRunner, 'reached-files', create),
];
