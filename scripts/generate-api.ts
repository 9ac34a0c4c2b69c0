/** api/schema -> TypeScript types, CRDs, `imports/`. `--check` fails when one is stale. */
import { settle } from './generated-files';
import { compactSchemas } from './schema/compact';
import { crdOf } from './schema/crd';
import { kinds, loadSchemas } from './schema/schemas';
import { moduleName, typesOf } from './schema/typescript';

const files = loadSchemas();
const output = new Map<string, string>();
for (const file of files) output.set(`src/api/generated/${moduleName(file.name)}.ts`, typesOf(file));
output.set('src/api/generated/schemas.ts', compactSchemas(files));

const crds = kinds(files).map(({ file, name, kind }) => crdOf(files, file, name, kind));
// One line per CRD: compact for those who load it, yet a diff shows which kind changed.
output.set('src/api/generated/crds.json', `[\n${crds.map((crd) => JSON.stringify(crd)).join(',\n')}\n]\n`);

settle(output);
