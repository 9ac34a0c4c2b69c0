import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTicks } from '../../../src/local/engine/record';
import { kubeconfigFiles, resolveConfig } from '../../../src/client/kubeconfig';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'virt8s-kubeconfig-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const none = (): { env: Record<string, string>; home: string } => ({
  env: { VIRT8S_STATE_DIR: join(home, 'state') },
  home,
});
const write = (name: string, text: string): string => {
  const file = join(home, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const config = (server: string, user: object = { token: 't' }, more: object = {}): string =>
  JSON.stringify({
    'current-context': 'one',
    contexts: [
      { name: 'one', context: { cluster: 'c', user: 'u', namespace: 'ns-one' } },
      { name: 'broken', context: { cluster: 'gone', user: 'u' } },
    ],
    clusters: [{ name: 'c', cluster: { server, 'tls-server-name': 'name' } }],
    users: [{ name: 'u', user }],
    ...more,
  });

test('the flag wins over KUBECONFIG, that over the engine, that over the home directory', () => {
  const own = write('.kube/config', config('https://home'));
  const engine = write('state/admin.kubeconfig', config('https://engine'));
  write('state/engine.json', JSON.stringify({ pid: process.pid, startTicks: startTicks(process.pid) }));
  const other = write('other', config('https://other'));
  const { env } = none();
  expect(kubeconfigFiles({ kubeconfig: other }, { env: { ...env, KUBECONFIG: own }, home })).toEqual([other]);
  expect(kubeconfigFiles({}, { env: { ...env, KUBECONFIG: `${other}:/missing:${own}` }, home })).toEqual([other, own]);
  expect(kubeconfigFiles({}, none())).toEqual([engine]);
  write('state/engine.json', JSON.stringify({ pid: process.pid, startTicks: '1' }));
  expect(kubeconfigFiles({}, none())).toEqual([own]);
});

test('without any configuration, the error has a remedy', async () => {
  await expect(resolveConfig({}, none())).rejects.toThrow(/no API server is configured: .* run virt8s up/);
  const env = { ...none().env, KUBECONFIG: '/missing' };
  await expect(resolveConfig({}, { env, home })).rejects.toThrow(/KUBECONFIG contains no readable file \(\/missing\)/);
});

test('context, cluster and user become one configuration, which flags override', async () => {
  const kubeconfig = write('config', config('https://host:6443/'));
  await expect(resolveConfig({ kubeconfig }, none())).resolves.toMatchObject({
    server: 'https://host:6443',
    serverName: 'name',
    token: 't',
    namespace: 'ns-one',
  });
  const flags = { kubeconfig, server: 'https://else/', token: 'mine', namespace: 'two', insecureSkipTlsVerify: true };
  await expect(resolveConfig(flags, none())).resolves.toMatchObject({
    server: 'https://else',
    token: 'mine',
    namespace: 'two',
    insecureSkipTlsVerify: true,
  });
});

test('a server flag alone is enough', async () => {
  await expect(resolveConfig({ server: 'https://x', token: 't' }, none())).resolves.toMatchObject({
    server: 'https://x',
  });
});

test('reads YAML, and files in the same folder', async () => {
  write('ca.pem', 'CA');
  const kubeconfig = write(
    'yaml',
    'current-context: one\ncontexts: [{name: one, context: {cluster: c}}]\nclusters:\n- name: c\n  cluster: {server: "https://y", certificate-authority: ca.pem}\n',
  );
  await expect(resolveConfig({ kubeconfig }, none())).resolves.toMatchObject({ server: 'https://y', ca: 'CA' });
});

test.each([
  [{ context: 'two' }, /context "two" does not exist .*\(known: one, broken\)/],
  [{ context: 'broken' }, /cluster "gone" does not exist \(known: c\)/],
  [{ user: 'nobody' }, /user "nobody" does not exist \(known: u\)/],
])('%j is rejected with what is known', async (flags, message) => {
  const kubeconfig = write('config', config('https://x'));
  await expect(resolveConfig({ kubeconfig, ...flags }, none())).rejects.toThrow(message);
});

test('an unreadable kubeconfig is named', async () => {
  const kubeconfig = write('bad', 'a: [');
  await expect(resolveConfig({ kubeconfig }, none())).rejects.toThrow(/cannot read kubeconfig .*bad/);
});

describe('an exec plugin', () => {
  const plugin = (script: string): string => {
    const file = write('plugin', `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const use = (exec: object): Promise<unknown> =>
    resolveConfig({ kubeconfig: write('config', config('https://x', { exec })) }, none());

  test('is run beside its kubeconfig, with its arguments and environment', async () => {
    plugin('test "$1" = login && printf \'{"kind":"ExecCredential","status":{"token":"%s"}}\' "$WHO"');
    const exec = {
      command: './plugin',
      args: ['login'],
      env: [{ name: 'WHO', value: 'me' }],
      interactiveMode: 'Never',
    };
    await expect(use(exec)).resolves.toMatchObject({ token: 'me' });
  });

  test.each([
    ['fails', 'exit 3', /failed \(exit code 3\)/],
    ['prints something else', 'echo hello', /did not print an ExecCredential/],
    ['knows nobody', 'echo "{}"', /neither a token nor a client certificate/],
  ])('that %s is reported', async (_, script, message) => {
    plugin(script);
    await expect(use({ command: './plugin', interactiveMode: 'Never' })).rejects.toThrow(message);
  });

  test('that is missing is reported with its hint', async () => {
    const exec = { command: 'no-such-plugin', installHint: 'install it from x', interactiveMode: 'Never' };
    await expect(use(exec)).rejects.toThrow(/cannot be run: .*ENOENT; install it from x/);
  });
});
