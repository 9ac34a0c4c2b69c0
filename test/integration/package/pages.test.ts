/** @tier all */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeBlock, codeBlocks } from '../../support/code-blocks';
import { checkout, pack, Project } from './packed';

/** The commands that the guides show for a project with the installed package, run as a reader would. */
const start = 'docs/guides/start.md';
const blocksOf = (page: string): CodeBlock[] => codeBlocks(join(checkout, page), page);
const commandsOf = (page: string): CodeBlock[] => blocksOf(page).filter(({ words }) => words.includes('package'));

const made: Project[] = [];
const emptyProject = (): Project => {
  const project = Project.empty();
  made.push(project);
  return project;
};
afterAll(() => made.forEach((project) => project.remove()));

function run({ where, text }: CodeBlock, cwd: string): void {
  const { CI: _, ...env } = process.env; // a reader is at a terminal: the first run writes snapshots
  const { status, stdout } = spawnSync('sh', ['-e', '-c', `exec 2>&1\n${text}`], {
    cwd,
    encoding: 'utf8',
    env: { ...env, PATH: `${join(cwd, 'node_modules/.bin')}:${env.PATH}` },
  });
  if (status !== 0) throw new Error(`${where} ends with ${status}:\n${stdout}`);
}

test('a new project installs, passes its test, builds, and imports the raw kinds', async () => {
  const project = emptyProject();
  project.install(process.execPath, await pack());
  run(commandsOf(start)[0]!, project.folder);
  const shop = join(project.folder, 'shop');
  expect(existsSync(join(shop, 'dist/shop.k8s.yaml'))).toBe(true);
  run(commandsOf('docs/guides/mistakes.md')[0]!, shop);
  expect(existsSync(join(shop, 'imports/kubevirt.io.ts'))).toBe(true);
});

test("a folder of the reader's own installs the archive and runs the program", async () => {
  const project = emptyProject();
  copyFileSync(await pack(), join(project.folder, 'virt8s-0.0.0.tgz'));
  project.write('main.ts', blocksOf(start).find(({ language }) => language === 'ts')!.text);
  run(commandsOf(start)[1]!, project.folder);
  expect(existsSync(join(project.folder, 'dist/blog.k8s.yaml'))).toBe(true);
});

test("the package's README installs, runs its program and validates what it writes", async () => {
  const project = emptyProject();
  project.install(process.execPath, await pack(), 'tsx');
  project.write('main.ts', blocksOf('PACKAGE.md').find(({ language }) => language === 'ts')!.text);
  run(commandsOf('PACKAGE.md')[0]!, project.folder);
  expect(existsSync(join(project.folder, 'dist/shop.k8s.yaml'))).toBe(true);
  const { engines } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as Record<string, object>;
  expect(engines).toEqual({ node: '>= 22' });
  expect(readFileSync(join(checkout, 'PACKAGE.md'), 'utf8')).toContain('Node.js 22 or newer');
});
