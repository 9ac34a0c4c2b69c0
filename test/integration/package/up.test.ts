import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/engine';
import { pack, Project } from './packed';

/** The engine of an installed package, whose programs are compressed. */
let project: Project;
let state: string;
beforeAll(() => {
  project = Project.empty();
  project.install(process.execPath, pack());
  state = mkdtempSync('/var/lib/virt8s-test-');
});
afterAll(() => {
  virt8s('down');
  for (const folder of [project.folder, state]) rmSync(folder, { recursive: true, force: true });
});

function virt8s(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync('node_modules/.bin/virt8s', args, {
    cwd: project.folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: project.folder, VIRT8S_STATE_DIR: state },
  });
}

test('virt8s up starts the engine and all components, and down ends them', async () => {
  const up = virt8s('up', '--port', String(await freePort()));
  expect([up.status, up.stderr]).toEqual([0, '']);
  expect(readdirSync(join(project.folder, '.cache/virt8s/programs'))).toHaveLength(1);
  expect(JSON.parse(virt8s('status', '--output', 'json').stdout)).toMatchObject({ running: true });
  expect(virt8s('down').status).toBe(0);
});
