/**
 * A jest reporter that fails a run in which a test did not run: skipped, focused elsewhere in its file, or only planned.
 * A run of tests by name (`-t`) leaves out the others on purpose.
 */
export default class StrictReporter {
  #byName;
  #error;

  constructor({ testNamePattern }) {
    this.#byName = Boolean(testNamePattern);
  }

  onRunComplete(_contexts, { testResults }) {
    if (this.#byName) return;
    const left = testResults.flatMap(({ testResults: tests, skipped, testFilePath }) =>
      (skipped ? [{ fullName: 'every test of the file' }] : tests)
        .filter(({ status }) => status !== 'passed' && status !== 'failed')
        .map(({ fullName }) => `${testFilePath}: ${fullName}`),
    );
    if (left.length === 0) return;
    this.#error = new Error(`${left.length} tests did not run; run them or delete them:\n  ${left.join('\n  ')}`);
    process.stderr.write(`${this.#error.message}\n`);
  }

  getLastError() {
    return this.#error;
  }
}
