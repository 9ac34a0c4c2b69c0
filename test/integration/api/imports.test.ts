import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const checkout = resolve(__dirname, '../../..');
const imports = join(checkout, 'imports');
const files = readdirSync(imports).filter((name) => name.endsWith('.yaml'));
const folder = mkdtempSync(join(tmpdir(), 'virt8s-imports-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(files)('cdk8s import makes typed L1 classes from %s', (file) => {
  const cdk8s = join(checkout, 'node_modules/.bin/cdk8s');
  execFileSync(cdk8s, ['import', join(imports, file), '-l', 'typescript', '-o', folder, '--no-check-upgrade'], {
    stdio: 'pipe',
  });
  const code = readFileSync(join(folder, file.replace(/yaml$/, 'ts')), 'utf8');
  const kinds = [...readFileSync(join(imports, file), 'utf8').matchAll(/^ {4}kind: (\w+)$/gm)].map(([, kind]) => kind);
  expect(kinds.length).toBeGreaterThan(0);
  for (const kind of kinds) expect(code).toContain(`export class ${kind} extends ApiObject`);
  // known values are enums there too
  expect(code).toContain('RERUN_ON_FAILURE = "RerunOnFailure"');
});
