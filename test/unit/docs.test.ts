import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type CodeBlock, codeBlocks } from '../support/code-blocks';
import { nameOf, pageBlocks as blocks, pagePrograms, pages } from '../support/page-programs';
import { contains, fileNameOf, isRun, type Scene, scenesOf, undecided, unknownWords, WORDS } from '../support/scenes';

/** Runs the code of the README, the guides and the examples' pages as a reader would; scripts/checks/types.ts compiles it. */
const checkout = resolve(__dirname, '../..');

// in the checkout, where it finds the packages
mkdirSync(join(checkout, 'build'), { recursive: true });
const folder = mkdtempSync(join(checkout, 'build/pages-'));
const output = mkdtempSync(join(tmpdir(), 'virt8s-docs-'));
const fileOf = (block: CodeBlock): string => join(folder, `${nameOf(block)}.ts`);
afterAll(() => [folder, output].forEach((path) => rmSync(path, { recursive: true })));

beforeAll(() => {
  execFileSync(join(checkout, 'node_modules/.bin/tsx'), ['scripts/bundle.ts'], { cwd: checkout, stdio: 'pipe' });
  for (const { name, text } of pagePrograms()) writeFileSync(join(folder, `${name}.ts`), text);
});

/** Paths of a scene's files: its program writes `dist`. */
const folderOf = (scene: Scene): string => join(output, scene.where.replace(/[^\w]/g, '-'));

/** Runs a program as `npx tsx` would, but in this process: a second each. What it throws is the answer. */
function failureOf(program: CodeBlock, cwd: string): string | undefined {
  const { env } = process;
  const before = env.CDK8S_OUTDIR;
  env.CDK8S_OUTDIR = join(cwd, 'dist');
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- each program is a file, which is loaded once
    require(fileOf(program));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    if (before === undefined) delete env.CDK8S_OUTDIR;
    else env.CDK8S_OUTDIR = before;
  }
}

const objectsIn = (folder: string): unknown[] =>
  readdirSync(folder).flatMap((name) =>
    parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map((document) => document.toJSON() as unknown),
  );

/** `virt8s` of the sources: bundles that are older are made again. */
function shell(text: string, cwd: string): { code: number | null; printed: string } {
  const { status, stdout } = spawnSync('sh', ['-e', '-c', `exec 2>&1\n${text}`], {
    cwd,
    encoding: 'utf8',
    // nobody's kubeconfig
    env: { PATH: `${join(checkout, 'bin')}:${process.env.PATH}`, HOME: output, KUBECONFIG: '/dev/null' },
  });
  return { code: status, printed: stdout };
}

test.each(scenesOf(blocks).map((scene) => [scene.where, scene]))('what %s shows is what happens', (_, scene) => {
  const cwd = folderOf(scene);
  mkdirSync(cwd, { recursive: true });
  const given = join(__dirname, 'docs', scene.where.replace(/\W/g, '-').replace(/-md-\d+$/, ''));
  if (existsSync(given)) cpSync(given, cwd, { recursive: true });
  const { program } = scene;
  let thrown: string | undefined;
  if (program && isRun(program)) {
    thrown = failureOf(program, cwd);
    if (program.words.includes('fails')) expect(thrown).toBeDefined();
    else expect(thrown).toBeUndefined();
  }
  let printed = '';
  for (const step of scene.steps) {
    const file = fileNameOf(step);
    if (file) writeFileSync(join(cwd, file), step.text);
    if (step.words.includes('run')) {
      const ran = shell(step.text, cwd);
      printed = ran.printed;
      const fails = step.words.includes('fails');
      if ((ran.code !== 0) !== fails) throw new Error(`${step.where} ends with ${ran.code}:\n${printed}`);
    }
    if (step.words.includes('error')) expect(thrown).toContain(step.text.trim());
    if (step.words.includes('output')) expect(printed).toContain(step.text.trim());
    if (step.words.includes('synth')) {
      const objects = objectsIn(join(cwd, 'dist'));
      for (const document of parseAllDocuments(step.text)) {
        const part = document.toJSON() as unknown;
        if (!contains(objects, part)) expect(objects).toContainEqual(part);
      }
    }
  }
  const shown = scene.steps.flatMap(({ words }) => words);
  if (program?.words.includes('fails')) expect(shown).toContain('error');
});

test('blocks have only known words', () => {
  const marked = blocks.filter(({ language }) => language in WORDS);
  expect(marked.flatMap((block) => unknownWords(block).map((word) => `${block.where}: ${word}`))).toEqual([]);
});

test('every block of commands is marked as run, or with the reason why not', () => {
  expect(blocks.filter(undecided).map(({ where }) => where)).toEqual([]);
});

test('the index of the docs leads to every page and every guide', () => {
  const index = readFileSync(join(checkout, 'docs/README.md'), 'utf8');
  const linked = [...index.matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)].map(([, path]) => join('docs', path!));
  expect(
    pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md' && !linked.includes(page)),
  ).toEqual([]);
});

test("the README's program makes a VM and its Service", () => {
  const [block] = codeBlocks(join(checkout, 'README.md'), 'README.md').filter(({ language }) => language === 'ts');
  const written = join(output, block!.where.replace(/[^\w]/g, '-'), 'dist/web.k8s.yaml');
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
