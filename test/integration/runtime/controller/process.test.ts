import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { KubeObject } from '../../../../src/api';
import { resources } from '../../../../src/runtime/kube';
import { World } from './world';

const directory = mkdtempSync(join(tmpdir(), 'virt8s-controller-'));
const bundle = join(directory, 'virt-controller.cjs');
let world: World;
const children: ChildProcess[] = [];

beforeAll(async () => {
  const entryPoints = ['src/runtime/controller/main.ts'];
  await build({ entryPoints, outfile: bundle, bundle: true, platform: 'node', format: 'cjs', target: 'node24' });
  world = await World.start();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await world.stop();
  rmSync(directory, { recursive: true });
});

function run(...args: string[]): { child: ChildProcess; end: Promise<{ code: number | null; stderr: string }> } {
  const child = spawn(process.execPath, [bundle, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return { child, end: new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr }))) };
}
const flags = (): string[] => ['--kubeconfig', world.server.kubeconfig, '--launcher-image', 'launcher:1'];
const holder = async (): Promise<string | undefined> => {
  type Lease = KubeObject & { spec: { holderIdentity: string } };
  const lease = await world.client.find<Lease>(resources.leases, { namespace: 'kubevirt', name: 'virt-controller' });
  return lease?.spec.holderIdentity;
};

test.each([
  [[], /--launcher-image is missing/],
  // eslint-disable-next-line virt8s/patience-of-programs -- no port at all
  [['--launcher-image', 'x', '--port', '70000'], /--port 70000: must be a whole number from 0 to 65535/],
  [['--frobnicate'], /Unknown option '--frobnicate'[\s\S]*usage: virt-controller/],
])('invalid flags %j end it with exit code 2 and are reported', async (args, want) => {
  const { code, stderr } = await run(...args).end;
  expect(code).toBe(2);
  expect(stderr).toMatch(want);
});

test('a killed controller is followed by the next within seconds, SIGTERM ends it well, and the VM runs on', async () => {
  const first = run(...flags());
  await world.createVm('one');
  await world.vmShows('one', 'Running');
  const uid = (await world.vmi('one'))?.metadata.uid;
  first.child.kill('SIGKILL');
  await first.end;
  await world.patchVm('one', { spec: { runStrategy: 'Halted' } });
  const second = run(...flags());
  await world.vmShows('one', 'Stopped');
  expect((await world.vmi('one'))?.metadata.uid).not.toBe(uid);
  second.child.kill('SIGTERM');
  expect((await second.end).code).toBe(0);
  expect(await holder()).toBe('');
});
