import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { loadSchemas, type Schema } from '../../../scripts/schema/schemas';
import { validateSchema } from '../../../src/api';
import { schemaRules } from '../../../src/api/schema-rules';
import { compileCrdSchema, type JsonSchema } from '../../../src/local/api-server/schema';
import { type Crd, filledObject } from '../../support/filled';
import type { Loose } from './fixtures';

interface Rule {
  rule: string;
  message: string;
}

function rulesOf(schema: Schema): Rule[] {
  return [
    ...((schema['x-kubernetes-validations'] as Rule[] | undefined) ?? []),
    ...Object.values(schema.properties ?? {}).flatMap(rulesOf),
    ...(schema.items ? rulesOf(schema.items) : []),
  ];
}
const rules = loadSchemas().flatMap(({ definitions }) => Object.values(definitions).flatMap(rulesOf));

test('every CEL rule that needs no stored object is known, and no other', () => {
  const timeless = rules.map(({ rule }) => rule).filter((rule) => !rule.includes('oldSelf'));
  expect(Object.keys(schemaRules).sort()).toEqual([...new Set(timeless)].sort());
});

const crds = JSON.parse(readFileSync(resolve(__dirname, '../../../src/api/generated/crds.json'), 'utf8')) as Crd[];

describe('is judged as by CEL:', () => {
  const group = fc.constantFrom(undefined, null, '', 'kubevirt.io', 'backup.kubevirt.io', 'apps');
  const kind = fc.constantFrom('VirtualMachine', 'VirtualMachineBackupTracker', 'Pod', '');
  const text = fc.constantFrom(undefined, null, '', 'x');
  const reference = fc.record({ apiGroup: group, kind, name: fc.constantFrom('', 'x') });
  const mode = fc.constantFrom('ReadWriteOnce', 'ReadWriteMany', 'ReadWriteOncePod', 'x', '');

  test.each<[string, fc.Arbitrary<Loose>, (object: Loose, value: Loose) => void]>([
    [
      'VirtualMachineBackup',
      fc.record({
        source: reference,
        mode: fc.constantFrom(undefined, 'Push', 'Pull'),
        pvcName: text,
        tokenSecretRef: text,
      }),
      (object, value) => Object.assign(object.spec, value),
    ],
    ['VirtualMachineBackupTracker', reference, ({ spec }, value) => (spec.source = value)],
    [
      'StorageProfile',
      fc.array(mode, { maxLength: 4 }),
      ({ spec }, value) => (spec.claimPropertySets[0].accessModes = value),
    ],
    [
      'VirtualMachineTemplateRequest',
      fc.dictionary(fc.constantFrom('a', 'template.kubevirt.io/x', 'template.kubevirt.io', ''), fc.constant('x')),
      ({ spec }, value) => (spec.templateLabels = value),
    ],
    [
      'VirtualMachineInstance',
      fc.record({
        path: fc.constantFrom('/x', 'x', '', '/..', '/a/../b'),
        readOnly: fc.constantFrom(undefined, true, false),
      }),
      ({ spec }, value) => (spec.volumes[0].containerPath = value),
    ],
  ])('%s', (name, values, put) => {
    const crd = crds.find(({ spec }) => spec.names.kind === name)!;
    const { schema } = crd.spec.versions[0];
    const { validate } = compileCrdSchema(schema.openAPIV3Schema as JsonSchema);
    const messages = new Set(rules.map(({ message }) => message));
    fc.assert(
      fc.property(values, (value) => {
        const object = filledObject(crd, crd.spec.versions[0]);
        put(object, value);
        const given = JSON.parse(JSON.stringify(object, (_, inner) => inner ?? undefined));
        const byCel = validate(given).flatMap(({ message }) => [...messages].filter((each) => message.endsWith(each)));
        const ours = validateSchema(given).map(({ message }) => message);
        expect(ours.filter((message) => messages.has(message)).sort()).toEqual(byCel.sort());
      }),
      { numRuns: 60 },
    );
  });
});
