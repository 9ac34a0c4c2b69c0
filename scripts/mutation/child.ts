import { runCLI } from 'jest';
import type { Config } from '@jest/types';
import { jest as config } from '../../package.json';

/** Runs the tests of a room against one mutant after another, as the parent sends them. */
export interface Order {
  readonly mutant?: {
    readonly file: string;
    readonly start: number;
    readonly end: number;
    readonly replacement: string;
  };
  readonly tests: readonly string[];
}

const rootDir = process.cwd();
const [pattern, [, options]] = Object.entries(config.transform)[0] as unknown as [string, [string, object]];
const transform = { [pattern]: [`${rootDir}/scripts/mutation/transform.cjs`, options] };

process.on('message', (order: Order) => {
  (globalThis as { virt8sMutant?: Order['mutant'] }).virt8sMutant = order.mutant;
  const argv = {
    _: [...order.tests],
    $0: 'jest',
    ci: true,
    bail: 1,
    runInBand: true,
    silent: true,
    watchman: false,
    runTestsByPath: true,
    reporters: [],
    config: JSON.stringify({ ...config, reporters: [], transform, rootDir }),
  } as unknown as Config.Argv;
  void runCLI(argv, [rootDir]).then(
    ({ results: { success } }) => process.send!({ noticed: !success }),
    // a mutant that does not even load
    () => process.send!({ noticed: true }),
  );
});
