import type { StrykerOptions } from '@stryker-mutator/api/core';
import type { MutantRunOptions, TestRunner } from '@stryker-mutator/api/test-runner';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { optionsOf, sourcesOf } from '../../../scripts/mutation/options';
import { reachedFiles, sentences } from '../../../scripts/mutation/plugins.mts';
import { type Room, rooms } from '../../../scripts/mutation/rooms';

jest.mock('@stryker-mutator/jest-runner', () => ({ strykerPlugins: [] }));

const cdi: Room = { source: 'api/cdi', tests: ['api/cdi', 'api/live-update.test.ts'], goal: 85 };

describe('the sources of a run', () => {
  test.each([
    ['a room', [], ['src/api/cdi/claim.ts', 'src/api/cdi/url.ts']],
    ['a folder above the room', ['api'], ['src/api/cdi/claim.ts', 'src/api/cdi/url.ts']],
  ])('%s has all its files', (_, asked, some) => {
    expect(sourcesOf(cdi, asked)).toEqual(expect.arrayContaining(some));
  });

  test.each([
    ['one file', ['api/cdi/url.ts'], ['src/api/cdi/url.ts']],
    ['a name that only begins like the room', ['api/cd'], []],
    ['another room', ['api/admission'], []],
  ])('%s', (_, asked, sources) => expect(sourcesOf(cdi, asked)).toEqual(sources));

  test('a room may be a file', () => {
    expect(sourcesOf({ ...cdi, source: 'api/live-update.ts' })).toEqual(['src/api/live-update.ts']);
  });

  test('neither lists of exports nor generated files are changed', () => {
    const files = sourcesOf({ ...cdi, source: 'runtime/protocol' });
    expect(files).not.toEqual([]);
    expect(files.filter((file) => /generated|index\.ts/.test(file))).toEqual([]);
  });
});

test.each(rooms)('$source has sources and tests', (room) => {
  expect(sourcesOf(room)).not.toEqual([]);
  expect(() => optionsOf(room, [], 1)).not.toThrow();
});

test('jest looks for tests in the folders and files of the room', () => {
  expect(optionsOf(cdi, [], 1).jest).toMatchObject({
    config: { testMatch: ['<rootDir>/test/unit/api/cdi/**/*.test.ts', '<rootDir>/test/unit/api/live-update.test.ts'] },
  });
});

test('a run below the goal of its room fails', () => {
  expect(optionsOf(cdi, [], 1).thresholds).toMatchObject({ break: 85 });
});

const template = (...raws: string[]) => ({ type: 'TemplateLiteral', quasis: raws.map((raw) => ({ value: { raw } })) });

test.each([
  ['a sentence', { type: 'StringLiteral', value: 'write a number' }, 'a sentence'],
  ['a sentence with values', template('"', '" is not a number'), 'a sentence'],
  ['a word', { type: 'StringLiteral', value: 'ReadWriteOnce' }, undefined],
  ['a name with values', template('virt-launcher-', ''), undefined],
  ['an empty text', { type: 'StringLiteral', value: '' }, 'an empty text'],
  ['an empty list', { type: 'ArrayExpression', elements: [] }, 'an empty list'],
  ['a list', { type: 'ArrayExpression', elements: [{}] }, undefined],
  ['a condition', { type: 'BinaryExpression' }, undefined],
])('%s is skipped only if it is noise', (_, node, reason) => {
  expect(sentences.shouldIgnore({ node })).toBe(reason);
});

describe('the test files that jest loads for a mutant', () => {
  let sandbox: string;
  beforeEach(() => void (sandbox = mkdtempSync(join(tmpdir(), 'virt8s-mutation-'))));
  afterEach(() => rmSync(sandbox, { recursive: true }));

  const inFile = (fileName: string, timeSpentMs: number, ...ids: string[]): object[] =>
    ids.map((id) => ({ id, fileName, timeSpentMs }));
  const tests = [
    ...inFile('slow', 500, 'e', 'f'),
    ...inFile('1', 999, 'a'),
    ...inFile('2', 1, 'b'),
    ...inFile('3', 1, 'b'),
    ...inFile('4', 1, 'c', 'd'),
  ];

  /** Files that jest loads for mutants that these tests reach, if a test in one of these files detects each. */
  async function loaded(mutants: { reachedBy?: string[]; noticedIn?: string }[]): Promise<string[][]> {
    const config = { testMatch: ['<rootDir>/test/unit/api/**/*.test.ts'] };
    let read: string[];
    let runs: string[];
    let noticedIn: string | undefined;
    const jest = {
      init: async () => void (read = config.testMatch),
      dryRun: async () => ({ status: 'complete', tests }),
      mutantRun: async () => {
        runs.push(...read);
        return read.includes(noticedIn!) ? { status: 'killed' } : { status: 'survived', nrOfTests: 1 };
      },
    } as unknown as TestRunner;
    const create = (): TestRunner => reachedFiles(jest, { jest: { config } } as unknown as StrykerOptions, sandbox);
    await create().dryRun({} as never);
    // in another process than the first run
    const runner = create();
    const all: string[][] = [];
    for (const mutant of mutants) {
      runs = [];
      noticedIn = mutant.noticedIn;
      const result = await runner.mutantRun({ testFilter: mutant.reachedBy } as MutantRunOptions);
      expect(result).toEqual(noticedIn ? { status: 'killed' } : { status: 'survived', nrOfTests: runs.length });
      all.push(runs);
    }
    return all;
  }

  test.each([
    ['are those with the tests that reach it', ['a', 'c'], ['1', '4']],
    ['are all that have a test of the same name', ['b'], ['2', '3']],
    ['are loaded once', ['c', 'd'], ['4']],
    ['are all for one that runs while a file loads', undefined, ['1', '2', '3', '4', 'slow']],
    ['end with those whose tests take a second', ['a', 'e', 'f'], ['1', 'slow']],
    ['are in their order if the tests that reach it take less', ['a', 'e'], ['slow', '1']],
  ])('%s', async (_, reachedBy, files) => expect(await loaded([{ reachedBy }])).toEqual([files]));

  test('end with the one that noticed it', async () => {
    expect(await loaded([{ noticedIn: '2' }])).toEqual([['1', '2']]);
  });

  test('begin with the one that noticed a mutant last, unless it is slow', async () => {
    const [, ...next] = await loaded([
      { noticedIn: '3' },
      { noticedIn: '4' },
      { noticedIn: 'slow' },
      { noticedIn: '1', reachedBy: ['a', 'b'] },
      {},
    ]);
    expect(next).toEqual([
      ['3', '1', '2', '4'],
      ['4', '3', '1', '2', 'slow'],
      ['3', '1'],
      ['1', '4', '3', '2', 'slow'],
    ]);
  });

  test('count as a test that notices it if they do not load', async () => {
    const jest = {
      dryRun: async () => ({ status: 'complete', tests: inFile('1', 1, 'a', 'b') }),
      mutantRun: async () => ({ status: 'error', errorMessage: 'TypeError' }),
    } as unknown as TestRunner;
    const runner = reachedFiles(jest, { jest: { config: {} } } as unknown as StrykerOptions, sandbox);
    await runner.dryRun({} as never);
    const killed = { status: 'killed', killedBy: ['a', 'b'], failureMessage: 'TypeError', nrOfTests: 0 };
    expect(await runner.mutantRun({} as MutantRunOptions)).toEqual(killed);
  });
});
