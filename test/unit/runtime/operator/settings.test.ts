import { settingsOf, usage, UsageError } from '../../../../src/runtime/operator/settings';

const NEEDED = ['--strategy-dir', '/strategy', '--strategy-hash', 'abc'];

test('defaults', () => {
  expect(settingsOf(NEEDED)).toEqual({
    kubeconfig: undefined,
    namespace: 'kubevirt',
    strategyDir: '/strategy',
    strategyHash: 'abc',
    issuesCertificates: true,
    importer: true,
    registry: '',
    port: 0,
  });
});

test.each<[string[], object]>([
  [['--kubeconfig', '/config'], { kubeconfig: '/config' }],
  [['--namespace=other'], { namespace: 'other' }],
  [['--registry=registry.example'], { registry: 'registry.example' }],
  [['--issue-certificates=false'], { issuesCertificates: false }],
  [['--importer=false'], { importer: false }],
  [['--importer=true', '--issue-certificates=true'], { importer: true, issuesCertificates: true }],
  [['--port=65535'], { port: 65535 }],
  [['--port=0'], { port: 0 }],
])('%j', (args, want) => expect(settingsOf([...NEEDED, ...args])).toMatchObject(want));

test.each<[string[], string]>([
  [[], '--strategy-dir is missing'],
  [['--strategy-dir=a'], '--strategy-hash is missing'],
  [['--strategy-hash=a'], '--strategy-dir is missing'],
  [['--strategy-dir=', '--strategy-hash=a'], '--strategy-dir is missing'],
  [[...NEEDED, '--importer=yes'], '--importer yes: must be true or false'],
  [[...NEEDED, '--issue-certificates='], '--issue-certificates : must be true or false'],
  ...['-1', '65536', '1.5', '0x10', '', ' 1', 'http'].map((port): [string[], string] => [
    [...NEEDED, `--port=${port}`],
    `--port ${port}: must be a whole number from 0 to 65535`,
  ]),
])('%j is rejected', (args, want) => {
  expect(() => settingsOf(args)).toThrow(UsageError);
  expect(() => settingsOf(args)).toThrow(want);
});

test.each([['--other'], ['--importer'], ['word']])('%s is not an option', (arg) =>
  expect(() => settingsOf([...NEEDED, arg])).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^ERR_PARSE_ARGS/) }),
  ),
);

test.each([['-h'], ['--help']])('%s asks for help, which names every option', (flag) => {
  expect(settingsOf([flag])).toBe('help');
  for (const option of ['kubeconfig', 'namespace', 'strategy-dir', 'strategy-hash', 'registry', 'importer', 'port']) {
    expect(usage).toMatch(new RegExp(`^  --${option} `, 'm'));
  }
});
