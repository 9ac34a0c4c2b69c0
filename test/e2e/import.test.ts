/** From YAML to code and back, as a user does it: the command, `npx tsx`, and the manifests beside the app. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { documentsOf } from '../../src/cli/manifests/documents';

const checkout = resolve(__dirname, '../..');
const fixtures = join(checkout, 'test/unit/cli/import/fixtures');
const manifests = readdirSync(fixtures).filter((name) => name.endsWith('.yaml'));

let folder: string;
beforeAll(() => {
  // inside the checkout, where its package is found by its name
  mkdirSync(join(checkout, 'test-reports'), { recursive: true });
  folder = mkdtempSync(join(checkout, 'test-reports', 'import-'));
  for (const name of manifests) copyFileSync(join(fixtures, name), join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const virt8s = (...args: string[]): string =>
  run(process.execPath, ['--import', 'tsx', join(checkout, 'src/cli/main.ts'), ...args], checkout);

const objectsIn = (file: string): unknown[] => documentsOf(readFileSync(file, 'utf8')).map(({ object }) => object);

test('the package is built, so that programs in the checkout find it by its name', () => {
  expect(existsSync(join(checkout, 'lib/index.js'))).toBe(true);
});

test('npx tsx app.ts writes the manifests to dist/ next to it, from any working directory', () => {
  const input = join(folder, 'virtual-machine.yaml');
  virt8s('import', input, '-o', join(folder, 'app.ts'));
  for (const [cwd, file] of [
    [folder, 'app.ts'],
    [checkout, join(folder, 'app.ts')],
  ] as const) {
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    run('npx', ['tsx', file], cwd);
    expect(readdirSync(join(folder, 'dist'))).toEqual(['virtual-machine.k8s.yaml']);
    expect(objectsIn(join(folder, 'dist', 'virtual-machine.k8s.yaml'))).toEqual(objectsIn(input));
  }
});

test('a whole folder comes back, file by file and in order', () => {
  virt8s('import', folder, '-o', join(folder, 'all.ts'));
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  run('npx', ['tsx', 'all.ts'], folder);
  for (const name of manifests) {
    // what its neighbours exclude is in a file of its own
    const files = readdirSync(join(folder, 'dist')).filter((file) => file.startsWith(name.replace('.yaml', '')));
    const made = files.flatMap((file) => objectsIn(join(folder, 'dist', file)));
    const given = objectsIn(join(folder, name));
    expect(made).toHaveLength(given.length);
    expect(made).toEqual(expect.arrayContaining(given));
  }
});
