import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../runtime/api-server/platform';

/** bin/ of an installation of its own, called through links as npm makes them. */
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'virt8s bin-'));
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'links'));
  for (const name of ['virt8s', 'kubectl-virt']) {
    copyFileSync(join(checkout, 'bin', name), join(root, 'bin', name));
    symlinkSync(join('..', 'bin', name), join(root, 'links', name));
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const bundle = (text: string): void => {
  mkdirSync(join(root, 'build/virt8s'), { recursive: true });
  writeFileSync(join(root, 'build/virt8s/main.mjs'), text);
};

test('a missing bundle is reported in one line, with the remedy', () => {
  const { status, stderr } = spawnSync(join(root, 'links/virt8s'), ['start', 'x'], { encoding: 'utf8' });
  expect(stderr).toBe(
    `virt8s: ${root}/build/virt8s/main.mjs is missing; run: cd ${root} && npm ci && npm run bundle\n`,
  );
  expect(status).toBe(1);
});

test('words and the exit code pass through as they are', () => {
  bundle('console.log(JSON.stringify(process.argv.slice(2))); process.exit(7);');
  const { status, stdout } = spawnSync(join(root, 'links/virt8s'), ['a b', '', '$x'], { encoding: 'utf8' });
  expect([status, JSON.parse(stdout)]).toEqual([7, ['a b', '', '$x']]);
});

test("kubectl's plugin uses the name of the plugin", () => {
  bundle('console.log(process.env.VIRT8S_PROGRAM);');
  expect(execFileSync(join(root, 'links/kubectl-virt')).toString()).toBe('kubectl virt\n');
});
