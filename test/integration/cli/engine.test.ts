/** @needs guest */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from '../../../src/local/engine/cache';
import { checkout } from '../runtime/api-server/platform';
import { newStateDir } from '../../support/engine';
import { eventually } from '../../support/patience';

/** up, status and down as a script uses them: results are printed on stdout, errors on stderr. */
let folder: string;
let state: string;
beforeAll(() => {
  // a link to the command, as npx and kubectl find it, and nothing of the user's but the images
  folder = mkdtempSync(join(tmpdir(), 'virt8s-cli-'));
  state = newStateDir();
});
afterAll(async () => {
  await run('virt8s', 'down');
  for (const directory of [folder, state]) rmSync(directory, { recursive: true, force: true });
});

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, ...args: string[]): Promise<Result> {
  const env = {
    ...process.env,
    HOME: folder,
    KUBECONFIG: '',
    VIRT8S_CACHE: cacheDir(),
    VIRT8S_STATE_DIR: state,
    PATH: `${join(checkout, 'bin')}:${process.env.PATH}`,
  };
  return new Promise((done) =>
    execFile(command, args, { env, cwd: checkout }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    ),
  );
}

test('every command that needs the engine reports that it is down', async () => {
  expect(await run('virt8s', 'status')).toEqual({ code: 1, stdout: `down      ${state}\n`, stderr: '' });
  expect(await run('virt8s', 'status', '--quiet')).toEqual({ code: 1, stdout: '', stderr: '' });
  expect(JSON.parse((await run('virt8s', 'status', '-o=json')).stdout)).toMatchObject({ running: false });
  const { code, stdout, stderr } = await run('virt8s', 'version');
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^Client Version: [^\n]*\n$/)]);
  expect(stderr).toMatch(/^no API server is configured: the local engine is not up, .*; run virt8s up[^\n]*\n$/);
  expect(await run('virt8s', 'down')).toEqual({ code: 0, stdout: `the engine of ${state} is down\n`, stderr: '' });
});

test('up prints its steps, and a second up that there is nothing to do', async () => {
  const first = await run('virt8s', 'up', '--port=0');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/ s {2}API server\n/);
  const [url] = /https:\/\/127\.0\.0\.1:2\d{4}/.exec(first.stdout)!;
  const end = `at ${url}\nuse it with: export KUBECONFIG=${state}/admin.kubeconfig\n`;
  expect(first.stdout).toContain(`the engine is up ${end}`);
  expect(await run('virt8s', 'up')).toEqual({ code: 0, stdout: `the engine is already up ${end}`, stderr: '' });
  expect(await run('virt8s', 'up', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await run('virt8s', 'status')).stdout).toMatch(/^up {8}https:\/\/127\.0\.0\.1:\d+ \(PID \d+, since .*Z\)\n/);
  expect(await run('virt8s', 'status', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('the engine is found without a kubeconfig by npx, and by the plugin of kubectl', async () => {
  const both = /^Client Version: .*GitVersion:"v.*\nServer Version: .*GitVersion:"v.*\n$/;
  expect((await run('virt8s', 'version')).stdout).toMatch(both);
  expect((await run('npx', 'virt8s', 'version')).stdout).toMatch(both);
  const kubeconfig = `--kubeconfig=${join(state, 'admin.kubeconfig')}`;
  expect((await run('kubectl', 'virt', 'version', kubeconfig)).stdout).toMatch(both);
  expect(await run('kubectl', 'virt', 'start', 'nobody', '-n=default', kubeconfig)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Error starting VirtualMachine .*"nobody" not found\n$/),
  });
});

test('doctor finds nothing in an engine that is up', async () => {
  await eventually(async () => {
    const { code, stdout } = await run('virt8s', 'doctor');
    const results = Array.from(stdout.matchAll(/^(\w+) +([\w-]+)$/gm), ([, state, check]) => [check, state]);
    expect(results).toContainEqual(['engine', 'ok']);
    // many machines that run the tests have no usable KVM
    const found = results.filter(([check, state]) => state !== 'ok' && check !== 'kvm');
    if (code !== 0 || found.length > 0) throw new Error(stdout);
  });
});

test('down --keep-state stops the engine, and up restarts it with the same port and objects', async () => {
  const kubectl = (...args: string[]): Promise<Result> =>
    run('kubectl', `--kubeconfig=${join(state, 'admin.kubeconfig')}`, ...args);
  expect((await kubectl('create', 'configmap', 'kept')).code).toBe(0);
  const { url } = JSON.parse((await run('virt8s', 'status', '-o=json')).stdout).record;
  expect((await run('virt8s', 'down', '--keep-state')).code).toBe(0);
  expect((await run('virt8s', 'status')).code).toBe(1);
  expect((await run('virt8s', 'up')).stdout).toContain(`the engine is up at ${url}\n`);
  expect((await kubectl('get', 'configmap', 'kept', '--output=name')).stdout).toBe('configmap/kept\n');
});

test('down ends the engine, and prints nothing with --quiet', async () => {
  expect(await run('virt8s', 'down', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await run('virt8s', 'status')).code).toBe(1);
});
