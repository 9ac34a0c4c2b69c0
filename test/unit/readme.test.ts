import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** What the README shows is run as its reader would run it. */
const checkout = resolve(__dirname, '../..');
const bin = (name: string): string => join(checkout, 'node_modules/.bin', name);
const readme = readFileSync(join(checkout, 'README.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, found, text]) => (found === language ? [text] : []));

describe("the README's program", () => {
  // beside the other examples, where it finds the packages
  const folder = mkdtempSync(join(checkout, 'examples/.readme-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('compiles, and synthesizes the VM and its Service', () => {
    const [program, ...others] = blocks('ts');
    expect(others).toEqual([]);
    writeFileSync(join(folder, 'main.ts'), program);
    const tsconfig = readFileSync(join(checkout, 'examples/hello-vm/tsconfig.json'));
    writeFileSync(join(folder, 'tsconfig.json'), tsconfig);
    execFileSync(bin('tsc'), ['--noEmit', '-p', folder], { stdio: 'pipe' });
    execFileSync(bin('node'), ['--import', 'tsx', 'main.ts'], { cwd: folder, stdio: 'pipe' });
    const objects = parseAllDocuments(readFileSync(join(folder, 'dist/web.k8s.yaml'), 'utf8')).map((document) =>
      document.toJSON(),
    );
    expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      'VirtualMachine/web',
      'Service/web',
    ]);
    expect(JSON.stringify(objects[0])).toContain('it works');
  }, 60_000);
});

test('every file and script that the README names is there', () => {
  const links = [...readme.matchAll(/\]\(([^):]+)\)/g)].map(([, path]) => path);
  const scripts = blocks('sh').flatMap((text) => text.match(/\.\/scripts\/\w+|examples\/hello-vm/g) ?? []);
  const named = [...links, ...scripts];
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((path) => !existsSync(join(checkout, path)))).toEqual([]);
});
