/** api/schema -> TypeScript types, constructs, CRDs, `imports/`, `docs/reference`. `--check` fails when one is stale. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { errorText } from '../src/api/error-text';
import { checkout, settle } from './generated-files';
import { compactSchemas } from './schema/compact';
import { constructsOf } from './schema/constructs';
import { crdOf } from './schema/crd';
import { kindsModule } from './schema/kinds';
import { overview, referenceOf } from './schema/reference';
import { loadSchemas, stored } from './schema/schemas';
import { moduleName, typesOf } from './schema/typescript';

const files = loadSchemas();
const output = new Map<string, string>();
output.set('src/api/generated/schemas.ts', compactSchemas(files));
output.set('src/api/generated/kinds.ts', kindsModule(files));

const crds = stored(files).map(({ file, name, kind }) => crdOf(files, file, name, kind));
// One line per CRD: compact for those who load it, yet a diff shows which kind changed.
output.set('src/api/generated/crds.json', `[\n${crds.map((crd) => JSON.stringify(crd)).join(',\n')}\n]\n`);

// One file per group: `cdk8s import` of a second file with the same group would overwrite the first.
const byGroup = Map.groupBy(stored(files), ({ file }) => file['x-group']);
for (const [group, members] of byGroup) {
  const documents = members.map(({ file, name, kind }) =>
    stringify(crdOf(files, file, name, kind, 'import'), { aliasDuplicateObjects: false, lineWidth: 0 }),
  );
  output.set(
    `imports/${group}.yaml`,
    `# Generated from api/schema by scripts/generate.ts; use: cdk8s import ${group}.yaml\n${documents.join('---\n')}`,
  );
}

for (const [path, text] of [...constructsOf(files), ...referenceOf(files)]) output.set(path, text);

// The rest of that page is written by hand.
const readme = 'docs/reference/README.md';
const [before, after] = readFileSync(join(checkout, readme), 'utf8').split(/(?<=<!-- kinds -->\n)[^]*(?=<!-- end -->)/);
output.set(readme, `${before}\n${overview(files)}\n\n${after}`);

/** Files whose types no source needs; their CRDs, schemas and reference pages are generated. */
const untyped = new Set(['forklift.cdi.kubevirt.io_v1beta1', 'upload.cdi.kubevirt.io_v1beta1']);

async function main(): Promise<void> {
  for (const file of files.filter(({ name }) => !untyped.has(name)))
    output.set(`src/api/generated/${moduleName(file.name)}.ts`, await typesOf(file));
  settle(output);
}

main().catch((error: unknown) => {
  console.error(errorText(error));
  process.exitCode = 1;
});
