import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as cdk8s from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import * as virt8s from '../../src';
import { type CodeBlock, codeBlocks, programOf } from '../support/code-blocks';

/** What the README, the guides and the examples' pages show is compiled, and run as a reader would run it. */
const checkout = resolve(__dirname, '../..');
const pages = [
  'README.md',
  ...readdirSync(join(checkout, 'docs/guides')).map((name) => `docs/guides/${name}`),
  ...readdirSync(join(checkout, 'examples')).map((name) => `examples/${name}/README.md`),
].filter((page) => page.endsWith('.md') && existsSync(join(checkout, page)));
const blocks = pages.flatMap((page) => codeBlocks(join(checkout, page), page));
const programs = blocks.filter(({ language }) => language === 'ts');
const modules = { cdk8s: Object.keys(cdk8s), virt8s: Object.keys(virt8s) };

/** Words that a block of TypeScript may have after its language, and why it is then not run here. */
const notRun: Record<string, string> = {
  'needs-cluster': 'talks to a cluster',
  'needs-engine': 'is run by the engine of Pulumi',
  test: 'is a test of its reader, with expect and test',
};

// beside the other examples, where it finds the packages
const folder = mkdtempSync(join(checkout, 'examples/.docs-'));
const output = mkdtempSync(join(tmpdir(), 'virt8s-docs-'));
const fileOf = (block: CodeBlock): string => join(folder, `${block.where.replace(/[^\w]/g, '-')}.ts`);
afterAll(() => [folder, output].forEach((path) => rmSync(path, { recursive: true })));

beforeAll(() => {
  for (const block of programs) writeFileSync(fileOf(block), programOf(block, modules));
});

test('every program of every page compiles', () => {
  const tsconfig = JSON.parse(readFileSync(join(checkout, 'tsconfig.dev.json'), 'utf8'));
  const { paths } = tsconfig.compilerOptions as { paths: Record<string, string[]> };
  const own = Object.fromEntries(Object.entries(paths).map(([name, [path]]) => [name, [`../../${path}`]]));
  const compilerOptions = { paths: own, noUnusedLocals: false, noUnusedParameters: false };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.dev.json', compilerOptions, include: ['*.ts'], exclude: [] }),
  );
  const { stdout } = spawnSync(join(checkout, 'node_modules/.bin/tsc'), ['--noEmit', '-p', folder], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
}, 120_000);

test.each(programs.filter(({ words }) => !words.some((word) => word in notRun)).map((block) => [block.where, block]))(
  'the program at %s runs',
  (_, block) => {
    const { env } = process;
    const before = env.CDK8S_OUTDIR;
    env.CDK8S_OUTDIR = join(output, block.where.replace(/[^\w]/g, '-'));
    try {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- each anew, and in this process: a second each
      jest.isolateModules(() => require(fileOf(block)));
    } finally {
      if (before === undefined) delete env.CDK8S_OUTDIR;
      else env.CDK8S_OUTDIR = before;
    }
  },
);

test('a program says only by a known word that it cannot be run', () => {
  expect(programs.flatMap(({ words }) => words).filter((word) => !(word in notRun))).toEqual([]);
});

test("the README's program makes a VM and its Service", () => {
  const [block] = codeBlocks(join(checkout, 'README.md'), 'README.md').filter(({ language }) => language === 'ts');
  const written = join(output, block!.where.replace(/[^\w]/g, '-'), 'web.k8s.yaml');
  const objects = parseAllDocuments(readFileSync(written, 'utf8')).map((document) => document.toJSON());
  expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
    'VirtualMachine/web',
    'Service/web',
  ]);
  expect(JSON.stringify(objects[0])).toContain('it works');
});

test.each(pages)('every file and script that %s names is there', (page) => {
  const text = readFileSync(join(checkout, page), 'utf8');
  const links = [...text.matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)].map(([, path]) => join(dirname(page), path));
  const shell = codeBlocks(join(checkout, page)).filter(({ language }) => language === 'sh');
  const scripts = shell.flatMap((block) => block.text.match(/\.\/scripts\/\w+|examples\/[\w-]+(?=[\s/])/g) ?? []);
  const missing = [...links, ...scripts].filter((path) => !existsSync(join(checkout, path)));
  // the README makes a copy of an example
  expect(missing.filter((path) => path !== 'examples/web')).toEqual([]);
});
