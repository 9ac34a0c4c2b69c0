import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { settle } from '../../../scripts/generated-files';

const checkout = resolve(__dirname, '../../..');
const read = (path: string): string => readFileSync(join(checkout, path), 'utf8');
const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).split('\0').filter(Boolean);
const tracked = (...paths: string[]): string[] =>
  git('ls-files', '-z', ...paths).filter((path) => existsSync(join(checkout, path)));

test('git marks every generated file as generated, and no other', () => {
  const files = tracked('src', 'docs', 'imports', 'API.md', 'scripts');
  const attributes = git('check-attr', '-z', 'linguist-generated', '--', ...files);
  const marked = files.filter((_, index) => attributes[index * 3 + 2] === 'set');
  const generated = files.filter((path) => {
    const [first = ''] = read(path).split('\n', 1);
    return path.includes('/generated/') || /^(<!--|#|\/\/) .*[Gg]enerated (from|by)/.test(first);
  });
  expect(marked).toEqual(generated);
  expect(marked.length).toBeGreaterThan(60);
});

test('every generated module is imported by a source', () => {
  const sources = tracked('src').filter((path) => path.endsWith('.ts'));
  const imported = new Set(
    sources.flatMap((path) =>
      [...read(path).matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, target]) => join(dirname(path), target!)),
    ),
  );
  const generated = sources.filter((path) => path.includes('/generated/'));
  expect(generated.filter((path) => !imported.has(path.replace(/\.ts$/, '')))).toEqual([]);
});

test('a generator cannot write a file that git does not mark', () => {
  expect(() => settle(new Map([['src/api/new.ts', '']]))).toThrow(
    'src/api/new.ts: no pattern of GENERATED in scripts/generated-files.ts matches; add one',
  );
});

test("the CI workflow runs the README's two commands", () => {
  const section = read('README.md').split('\n## Two commands\n')[1]!.split('\nAfter the demo')[0]!;
  const commands = [...section.matchAll(/^(\.\/scripts\/\w+)/gm)].map(([, command]) => command!);
  const { jobs } = parse(read('.github/workflows/ci.yml')) as {
    jobs: Record<string, { strategy: { matrix: { command: string[] } }; steps: { run?: string }[] }>;
  };
  const [job] = Object.values(jobs);
  expect(job!.strategy.matrix.command.map((command) => command.split(' ')[0]).sort()).toEqual(commands.sort());
  expect(job!.steps.map(({ run }) => run)).toContain('${{ matrix.command }}');
});

test('every issue form is valid and has a question', () => {
  const folder = join(checkout, '.github/ISSUE_TEMPLATE');
  const forms = readdirSync(folder).filter((name) => name !== 'config.yml');
  expect(forms.length).toBeGreaterThan(1);
  for (const form of forms) {
    const { name, description, body } = parse(readFileSync(join(folder, form), 'utf8')) as Record<string, unknown>;
    expect([typeof name, typeof description]).toEqual(['string', 'string']);
    expect((body as { id?: string }[]).filter(({ id }) => id).length).toBeGreaterThan(1);
  }
});
