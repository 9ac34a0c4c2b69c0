import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resources } from '../../../src/runtime/kube';
import { eventually, instance, Platform } from '../runtime/api-server/platform';
import { bundleInto } from './bundle';

/** The console in a real terminal: tmux is the person. */
jest.setTimeout(90_000);
let platform: Platform;
let command: string;
// a tmux server for each test: one that is ending refuses the next session
let session = '';
let sessions = 0;

const tmux = (...args: string[]): string => execFileSync('tmux', ['-L', session, ...args]).toString();
const screen = (): string => tmux('capture-pane', '-p', '-t', session).trimEnd();
const type = (...keys: string[]): string => tmux('send-keys', '-t', session, ...keys);
const shows = (what: string | RegExp): Promise<void> => eventually(async () => expect(screen()).toMatch(what));
/** The process that the shell runs. */
const foreground = (): number => {
  const shell = tmux('display-message', '-p', '-t', session, '#{pane_pid}').trim();
  return Number(readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ')[0]);
};
/** `-echo` and `-icanon` while raw. */
const stty = async (): Promise<void> => {
  type('stty -a | tr " " "\\n" | grep -E "^-?(echo|icanon|isig);?$" | tr -d ";" | paste -sd,', 'Enter');
};

beforeAll(async () => {
  platform = await Platform.start();
  await platform.client.create(resources.virtualMachineInstances, instance('web'));
  await platform.running('web');
  const bundle = bundleInto(platform.api.directory);
  command = `${process.execPath} ${bundle} --kubeconfig ${platform.api.kubeconfig}`;
});
afterAll(() => platform?.stop());

beforeEach(() => {
  session = `virt8s-test-${process.pid}-${++sessions}`;
  tmux('new-session', '-d', '-s', session, '-x', '120', '-y', '40', 'env PS1="ready> " sh');
  return shows('ready>');
});
afterEach(() => {
  tmux('kill-server');
});

test('keys reach the guest one by one, Ctrl+C too, and Ctrl+] leaves', async () => {
  type(`${command} console web`, 'Enter');
  await shows('Press Ctrl+] or Ctrl+5 to exit console');
  await shows('hello from the guest');
  type('abc');
  await shows(/^abc/m);
  type('C-c');
  type('def');
  await shows(/def/);
  type('C-]');
  await shows(/ready> $|ready>$/);
  type('echo status=$?', 'Enter');
  await shows('status=0');
});

test.each([
  ['the escape', () => type('C-]')],
  ['a console that breaks off', () => type('crash')],
  ['a signal', () => process.kill(foreground(), 'SIGTERM')],
])('the terminal is as before after %s', async (_, leave) => {
  await stty();
  await shows(/isig|icanon/);
  const before = /^-?isig.*$/m.exec(screen())?.[0];
  type('clear', 'Enter');
  type(`${command} console web`, 'Enter');
  await shows('hello from the guest');
  leave();
  await shows(/ready>\s*$/);
  type('clear', 'Enter');
  await stty();
  await eventually(async () => expect(/^-?isig.*$/m.exec(screen())?.[0]).toBe(before));
});
