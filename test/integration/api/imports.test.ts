import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Crd, StructuralSchema } from '../../support/filled';
import { sampleOf } from '../../support/tier';

const checkout = resolve(__dirname, '../../..');
const imports = join(checkout, 'imports');
const files = sampleOf(
  readdirSync(imports).filter((name) => name.endsWith('.yaml')),
  3,
);
const folder = mkdtempSync(join(tmpdir(), 'virt8s-imports-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(files)('cdk8s import makes typed L1 classes from %s', (file) => {
  const cdk8s = join(checkout, 'node_modules/.bin/cdk8s');
  execFileSync(cdk8s, ['import', join(imports, file), '-l', 'typescript', '-o', folder, '--no-check-upgrade'], {
    stdio: 'pipe',
  });
  const code = readFileSync(join(folder, file.replace(/yaml$/, 'ts')), 'utf8');
  for (const { spec } of parseAllDocuments(readFileSync(join(imports, file), 'utf8')).map((crd) => crd.toJS() as Crd)) {
    // cdk8s writes CDI as Cdi
    expect(code).toMatch(new RegExp(`export class ${spec.names.kind} extends ApiObject`, 'i'));
    // known values are enums there too
    for (const value of choices(spec.versions[0].schema.openAPIV3Schema.properties!.spec)) {
      expect(code).toContain(`= "${value}"`);
    }
  }
});

/** The first value of each field that has a choice. */
function choices(schema: StructuralSchema): unknown[] {
  return Object.values(schema.properties ?? {}).flatMap((field) => [
    ...(field.enum ? [field.enum[0]] : []),
    ...choices(field),
    ...(field.items ? choices(field.items) : []),
  ]);
}
