import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../../src/runtime/kube';
import { instance, Platform } from '../runtime/api-server/platform';
import { bundleInto } from './bundle';
import { eventually } from '../../support/patience';

/** The console in a real terminal: tmux is the person. */
let platform: Platform;
let command: string;
// a tmux server for each test: one that is ending refuses the next session
let session = '';
let sessions = 0;

const tmux = (...args: string[]): string =>
  execFileSync('tmux', ['-S', join(platform.api.directory, session), ...args]).toString();
const screen = (): string => tmux('capture-pane', '-p', '-t', session).trimEnd();
const type = (...keys: string[]): string => tmux('send-keys', '-t', session, ...keys);
const shows = (what: string | RegExp): Promise<void> => eventually(async () => expect(screen()).toMatch(what));
/** The process that the shell runs. */
const foreground = (): number => {
  const shell = tmux('display-message', '-p', '-t', session, '#{pane_pid}').trim();
  return Number(readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ')[0]);
};
/** The terminal's settings, as the shell sees them. */
async function settings(): Promise<string> {
  const file = join(platform.api.directory, `stty-${Date.now()}`);
  type(`stty -g > ${file}.new && mv ${file}.new ${file}`, 'Enter');
  return eventually(async () => readFileSync(file, 'utf8'));
}

beforeAll(async () => {
  platform = await Platform.start();
  await platform.client.create(resources.virtualMachineInstances, instance('web'));
  await platform.running('web');
  const bundle = await bundleInto(platform.api.directory);
  command = `${process.execPath} ${bundle} --kubeconfig ${platform.api.kubeconfig}`;
});
afterAll(() => platform?.stop());

beforeEach(() => {
  session = `tmux-${++sessions}`;
  tmux('new-session', '-d', '-s', session, '-x', '120', '-y', '40', 'env PS1="ready> " sh');
  return shows('ready>');
});
afterEach(() => {
  tmux('kill-server');
});

test('keys reach the guest one by one, Ctrl+C too, and Ctrl+] leaves', async () => {
  type(`${command} console web; echo status=$?`, 'Enter');
  await shows('Press Ctrl+] or Ctrl+5 to exit console');
  await shows('hello from the guest');
  type('abc');
  await shows(/^abc/m);
  type('C-c');
  type('def');
  await shows(/def/);
  type('C-]');
  await shows('status=0');
});

test.each([
  ['the escape', () => type('C-]')],
  ['a console that is cut off', () => type('crash')],
  ['a signal', () => process.kill(foreground(), 'SIGTERM')],
])('the terminal is as before after %s', async (_, leave) => {
  const before = await settings();
  type(`${command} console web; echo left-$((1 + 1))`, 'Enter');
  await shows('hello from the guest');
  expect(readFileSync(`/proc/${foreground()}/cmdline`, 'utf8')).toContain('console');
  leave();
  await shows('left-2');
  expect(await settings()).toBe(before);
});
