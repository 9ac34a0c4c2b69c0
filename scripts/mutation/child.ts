import type { Config } from '@jest/types';
import { runCLI } from 'jest';
import { jest as config } from '../../package.json';

/** Runs unit tests of the copy in this process's folder, as often as the parent asks. */
const rootDir = process.cwd();

process.on('message', (tests: readonly string[]) => {
  const argv = {
    _: [...tests],
    $0: 'jest',
    ci: true,
    bail: 1,
    runInBand: true,
    silent: true,
    watchman: false,
    runTestsByPath: true,
    reporters: [],
    config: JSON.stringify({ ...config, reporters: [], rootDir }),
  } as unknown as Config.Argv;
  void runCLI(argv, [rootDir]).then(
    ({ results: { success, numTotalTests } }) => process.send!({ passed: success && numTotalTests > 0 }),
    // sources that do not even load
    () => process.send!({ passed: false }),
  );
});
