import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatFinding, hasSchema, validateSchema } from '../../../src/api';
import { type JsonSchema } from '../../../src/local/api-server/schema';
import { compileCrdSchema } from '../../../src/local/api-server/crd/schema/compile';
import { type Crd, filledObject, type StructuralSchema } from '../../support/filled';

const crds = JSON.parse(readFileSync(resolve(__dirname, '../../../src/api/generated/crds.json'), 'utf8')) as Crd[];

const served = crds.flatMap((crd) =>
  crd.spec.versions.map(
    (version) => [`${crd.spec.group}/${version.name} ${crd.spec.names.kind}`, crd, version] as const,
  ),
);

describe.each(served)('%s', (_, crd, version) => {
  const { kind } = crd.spec.names;
  const apiVersion = `${crd.spec.group}/${version.name}`;
  const object = () => filledObject(crd, version);

  test('an object with every field passes', () => {
    expect(hasSchema(apiVersion, kind)).toBe(true);
    expect(validateSchema(object()).map(formatFinding)).toEqual([]);
  });

  test('an object with every field is stored without loss', () => {
    const stored = object();
    const { prune } = compileCrdSchema(version.schema.openAPIV3Schema as JsonSchema);
    expect(prune(stored)).toEqual([]);
    expect(stored).toEqual(object());
  });

  test('every misspelt field is named by its path, with the field that was meant', () => {
    const missed: string[] = [];
    let tried = 0;
    for (const { holder, field, path } of places(object(), version.schema.openAPIV3Schema)) {
      const broken = object();
      const spot = reach(broken, holder);
      spot[`${field}x`] = spot[field];
      tried++;
      const found = validateSchema(broken).find(({ rule }) => rule === 'schema-unknown-field');
      if (`${found?.path}` !== `${path}x` || found?.remedy !== `did you mean "${field}"?`) missed.push(`${path}x`);
    }
    expect(tried).toBeGreaterThan(0);
    expect(missed).toEqual([]);
  });
});

test('the aggregated kind is known too', () => {
  const request = { apiVersion: 'upload.cdi.kubevirt.io/v1beta1', kind: 'UploadTokenRequest', spec: { pvcNam: 'x' } };
  expect(validateSchema(request).map(({ rule, path }) => `${rule} ${path}`)).toEqual([
    'schema-required spec.pvcName',
    'schema-unknown-field spec.pvcNam',
  ]);
});

/** Every 29th field of the object, where the schema is closed: all of them would take a minute. */
function places(object: Record<string, unknown>, schema: StructuralSchema) {
  const found: { holder: (string | number)[]; field: string; path: string }[] = [];
  const visit = (value: unknown, type: StructuralSchema, holder: (string | number)[], path: string): void => {
    if (Array.isArray(value)) {
      value.forEach((item, i) => visit(item, type.items ?? {}, [...holder, i], `${path}[${i}]`));
    } else if (typeof value === 'object' && value !== null) {
      const known = Object.entries(type.properties ?? {});
      const open = type['x-kubernetes-preserve-unknown-fields'] || type.additionalProperties;
      for (const [field, inner] of known) {
        if (path === '' && ['apiVersion', 'kind', 'metadata'].includes(field)) continue;
        const at = path ? `${path}.${field}` : field;
        if (!open && path !== '') found.push({ holder, field, path: at });
        visit((value as Record<string, unknown>)[field], inner, [...holder, field], at);
      }
    }
  };
  visit(object, schema, [], '');
  return found.length > 50 ? found.filter((_, i) => i % 29 === 0) : found;
}

function reach(object: unknown, path: (string | number)[]): Record<string, unknown> {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], object) as Record<
    string,
    unknown
  >;
}
