/** Every object that the schema allows is the same after import and synth. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Manifest } from '../../../../src/cli/import/kinds/kind';
import { type Program, programOf } from '../../../../src/cli/import/program';
import fc, { runs } from '../../../support/fast-check';
import { shaped, tame } from '../../../support/arbitrary';
import { type Crd, filledObject } from '../../../support/filled';
import { libraries, synthesized } from './imported';

const imports = join(__dirname, '../../../../imports');
const crds = readdirSync(imports).flatMap((file) => parseAll(join(imports, file)));

function parseAll(file: string): Crd[] {
  return readFileSync(file, 'utf8')
    .split(/^---$/m)
    .map((text) => parse(text) as Crd | null)
    .filter((crd) => crd !== null);
}

const kinds = crds.flatMap((crd) =>
  crd.spec.versions
    .filter(({ served }) => served)
    .map((version) => [`${crd.spec.names.kind} ${version.name}`, crd, version] as const),
);

const imported = (objects: readonly Manifest[]): Program =>
  programOf(libraries, [{ file: 'given.yaml', objects }], { command: 'virt8s import given.yaml' });

/** The object without differences that YAML cannot express. */
const normal = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('there are schemas to try', () => {
  expect(existsSync(imports)).toBe(true);
  expect(kinds.length).toBeGreaterThan(25);
});

test.each(kinds)('%s with every field is the same after import and synth', (_, crd, version) => {
  const object = filledObject(crd, version) as unknown as Manifest;
  const { text, objects: counts } = imported([object]);
  expect(normal(synthesized(text))).toEqual([normal(object)]);
  expect(counts[0]!.fields).toBeGreaterThan(0);
});

test.each(kinds)('%s of any shape is the same after import and synth', (_, crd, version) => {
  const { spec = {} } = version.schema.openAPIV3Schema.properties ?? {};
  const some = fc.record({ name: fc.constantFrom('a', 'db-1', 'constructor', 'x.y'), spec: shaped(spec, tame) });
  const property = fc.property(some, ({ name, spec: given }) => {
    const object = {
      apiVersion: `${crd.spec.group}/${version.name}`,
      kind: crd.spec.names.kind,
      metadata: { name },
      spec: given,
    };
    expect(normal(synthesized(imported([object]).text))).toEqual([normal(object)]);
  });
  fc.assert(property, { numRuns: runs(8) });
});
