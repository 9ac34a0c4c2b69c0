/** @tier all */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { pack, Project } from './packed';

/** Folder in which virt8s is installed as by a user. */
let project: Project;
beforeAll(async () => {
  const tarball = await pack();
  project = Project.empty();
  project.install(process.execPath, tarball);
});
afterAll(() => project.remove());

const init = (...args: string[]): { stdout: string; stderr: string; status: number | null } =>
  spawnSync('node_modules/.bin/virt8s', ['init', ...args], { cwd: project.folder, encoding: 'utf8' });

/** A made project, installed. */
function made(kind: string, folder: string): Project {
  const { status, stdout, stderr } = init(kind, folder);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`  cd ${folder}\n  npm install\n  npm test\n`);
  const own = new Project(join(project.folder, folder));
  own.install(process.execPath);
  return own;
}
const npm = (own: Project, ...args: string[]): string => own.run('npm', 'run', '--silent', ...args);

test('cdk8s: a new project installs, passes its test, and builds', () => {
  const own = made('cdk8s', 'shop');
  expect(readdirSync(own.folder)).toEqual(expect.arrayContaining(['cdk8s.yaml', 'main.ts', 'README.md', '.gitignore']));
  npm(own, 'test', '--', '--ci=false');
  npm(own, 'build');
  const objects = parseAllDocuments(readFileSync(join(own.folder, 'dist/shop.k8s.yaml'), 'utf8')).map(
    (document) => document.toJS() as { kind: string; metadata: { name: string } },
  );
  expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
    'VirtualMachine/shop-web',
    'Service/shop-web-http',
  ]);
  // its own test and its own types notice a mistake
  const file = join(own.folder, 'machines.ts');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('Cpu.cores(1)', 'Cpu.cores(0)'));
  expect(() => npm(own, 'test')).toThrow(/cores/);
  writeFileSync(file, text.replace('Cpu.cores(1)', "'much'"));
  expect(() => npm(own, 'build')).toThrow(/TS2322/);
});

test('Pulumi: a new project installs, passes its test, and builds', () => {
  const own = made('pulumi', 'farm');
  expect(existsSync(join(own.folder, 'Pulumi.yaml'))).toBe(true);
  npm(own, 'test');
  npm(own, 'build');
  const file = join(own.folder, 'index.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace('Cpu.cores(1)', "'much'"));
  expect(() => npm(own, 'build')).toThrow(/TS2322/);
});

test('does not change a folder that is not empty', () => {
  mkdirSync(join(project.folder, 'full'));
  writeFileSync(join(project.folder, 'full/notes.txt'), 'mine');
  const { status, stderr } = init('cdk8s', 'full');
  expect([status, stderr]).toEqual([1, expect.stringContaining('full is not empty; pass a new folder')]);
  expect(readdirSync(join(project.folder, 'full'))).toEqual(['notes.txt']);
});

test('rejects an unknown kind and lists the known ones', () => {
  expect(init('terraform').stderr).toBe('unknown kind of project "terraform" (allowed: cdk8s, pulumi)\n');
});
