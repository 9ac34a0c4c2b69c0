import { complete } from '../../../src/cli/complete';
import { createProgram } from '../../../src/cli/program';

const names = async (kind: string): Promise<string[]> => (kind === 'vm' ? ['web', 'work', 'db'] : ['web']);
const answer = (...words: string[]): Promise<string> => complete(createProgram(), words, false, names);

test.each([
  [['sta'], ['start', 'status']],
  [
    ['start', 'w'],
    ['web', 'work'],
  ],
  [['start', 'web', ''], []],
  [
    ['pause', ''],
    ['vm', 'vmi'],
  ],
  [['pause', 'vm', 'd'], ['db']],
  [['-n', 'prod', 'console', ''], ['web']],
  [
    ['ssh', 'vm/w'],
    ['vm/web', 'vm/work'],
  ],
  [['start', '--pa'], ['--paused']],
  [['start', '--names'], ['--namespace']],
  [['stop', '--grace-period', ''], []],
])('%j is completed', async (words, expected) => {
  const lines = (await answer(...words)).trim().split('\n');
  expect(lines.at(-1)).toBe(':4');
  expect(lines.slice(0, -1)).toEqual(expected);
});

test('files are left to the shell', async () => {
  expect(await answer('--kubeconfig', '')).toBe(':0\n');
  for (const command of ['scp', 'validate', 'render', 'diff', 'graph']) expect(await answer(command, '')).toBe(':0\n');
  expect(await answer('diff', '--against', '')).toBe(':0\n');
  expect(await answer('diff', '--selector', '')).toBe(':4\n');
});

test('descriptions follow a tab', async () => {
  expect(await complete(createProgram(), ['soft'], true, names)).toBe(
    'soft-reboot\tSoft reboot a virtual machine instance\n:4\n',
  );
});

test('a cluster that does not answer completes nothing', async () => {
  const silent = (): Promise<string[]> => Promise.reject(new Error('down'));
  expect(await complete(createProgram(), ['start', ''], false, silent)).toBe(':4\n');
});

test('arguments are completed by their names in the usage of a command', async () => {
  const program = createProgram();
  program.command('hibernate <vm>').action(() => undefined);
  program.command('inspect <file...>').action(() => undefined);
  const lines = (...words: string[]): Promise<string> => complete(program, words, false, names);
  expect(await lines('hibernate', 'd')).toBe('db\n:4\n');
  expect(await lines('inspect', 'a.yaml', '')).toBe(':0\n');
  // one VM, and no file after it
  expect(await lines('hibernate', 'db', '')).toBe(':4\n');
});
