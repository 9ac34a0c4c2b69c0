import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv from 'ajv';
import { formatLine, validateDefinition, validateSchema, root, withoutNulls } from '../../../src/api';
import fc, { runs } from '../../support/fast-check';
import { type Crd, filledObject } from '../../support/filled';
import { Loose, validVm } from './fixtures';

/** Files of api/schema by name. */
const stems = new Set(
  readdirSync(resolve(__dirname, '../../../api/schema')).map((file) => file.replace(/\.json$/, '')),
);

const reported = (change: (vm: Loose) => void): string[] => {
  const vm: Loose = structuredClone(validVm());
  change(vm);
  return validateSchema(vm).map(({ rule, path }) => `${rule} ${path}`);
};

test.each<[string, (vm: Loose) => void, string[]]>([
  ['the valid VM passes', () => {}, []],
  ['a misspelt field', (vm) => (vm.spec.runStratgy = 'Always'), ['schema-unknown-field spec.runStratgy']],
  [
    'a misspelt field deep inside',
    (vm) => (vm.spec.template.spec.domain.devices.disks[0].disk.buss = 'x'),
    ['schema-unknown-field spec.template.spec.domain.devices.disks[0].disk.buss'],
  ],
  ['an object for a list', (vm) => (vm.spec.template.spec.volumes = {}), ['schema-type spec.template.spec.volumes']],
  [
    'a string for a number',
    (vm) => (vm.spec.template.spec.domain.cpu.cores = '2'),
    ['schema-type spec.template.spec.domain.cpu.cores'],
  ],
  [
    'a fraction for a whole number',
    (vm) => (vm.spec.template.spec.domain.cpu.cores = 1.5),
    ['schema-type spec.template.spec.domain.cpu.cores'],
  ],
  ['a string for a switch', (vm) => (vm.spec.running = 'yes'), ['schema-type spec.running']],
  ['a misspelt field of the metadata', (vm) => (vm.metadata.lables = {}), ['schema-unknown-field metadata.lables']],
  [
    'a number for a label',
    (vm) => (vm.spec.template.metadata = { labels: { tier: 1 } }),
    ['schema-type spec.template.metadata.labels.tier'],
  ],
  ['no template', (vm) => delete vm.spec.template, ['schema-required spec.template']],
  ['no spec', (vm) => delete vm.spec, ['schema-required spec']],
  [
    'a nameless disk',
    (vm) => delete vm.spec.template.spec.domain.devices.disks[1].name,
    ['schema-required spec.template.spec.domain.devices.disks[1].name'],
  ],
  [
    'a bad quantity',
    (vm) => (vm.spec.template.spec.domain.memory.guest = '1Gb'),
    ['schema-quantity spec.template.spec.domain.memory.guest'],
  ],
  [
    'a closed choice',
    (vm) => (vm.spec.template.spec.domain.rebootPolicy = 'reboot'),
    ['schema-enum spec.template.spec.domain.rebootPolicy'],
  ],
  ['null is absence', (vm) => (vm.spec.template.spec.volumes = null), []],
  ['null for what is required', (vm) => (vm.spec.template = null), ['schema-required spec.template']],
  ['null in a list', (vm) => (vm.spec.template.spec.volumes = [null]), ['schema-type spec.template.spec.volumes[0]']],
  [
    'a field in an object that has none',
    (vm) => (vm.spec.template.spec.networks[0].pod.cidr = 'x'),
    ['schema-unknown-field spec.template.spec.networks[0].pod.cidr'],
  ],
  [
    'a misspelt field where the API server would keep it',
    (vm) => (vm.spec.template.metadata.lables = {}),
    ['schema-unknown-field spec.template.metadata.lables'],
  ],
  ['a nullable field may be null', (vm) => (vm.spec.template.metadata = null), []],
  [
    'a prototype key is a field like any other',
    (vm) => Object.defineProperty(vm.spec, '__proto__', { value: 1, enumerable: true }),
    ['schema-unknown-field spec.__proto__'],
  ],
])('%s', (_, change, want) => expect(reported(change)).toEqual(want));

test('an unknown field comes with the nearest known one', () => {
  const vm: Loose = validVm();
  vm.spec.template.spec.terminationGracePeriod = 3;
  expect(validateSchema(vm).map(formatLine)[0]).toMatch(
    /unknown field "terminationGracePeriod".*did you mean "terminationGracePeriodSeconds"\?/,
  );
});

test('v1alpha3 is read by the schema of v1, other kinds are not ours', () => {
  expect(validateSchema({ ...validVm(), apiVersion: 'kubevirt.io/v1alpha3' })).toEqual([]);
  expect(validateSchema({ apiVersion: 'v1', kind: 'Pod' })).toEqual([]);
});

test('a part can be checked alone', () => {
  const errors = validateDefinition('kubevirt.io/v1', 'CPU', { cores: 'two' }, root.at('cpu'));
  expect(errors.map(({ path }) => `${path}`)).toEqual(['cpu.cores']);
});

describe('against ajv', () => {
  const folder = resolve(__dirname, '../../../api/schema');
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
  for (const file of readdirSync(folder)) {
    const schema = JSON.parse(readFileSync(resolve(folder, file), 'utf8'), (key, value) => {
      // what ajv knows under another name
      if (value?.$ref && value.nullable) return { anyOf: [{ $ref: value.$ref }, { type: 'null' }] };
      if (value?.$ref) return { $ref: value.$ref };
      return key === 'default' && typeof value !== 'object' ? undefined : value;
    });
    ajv.addSchema(schema, file);
  }
  const crds = JSON.parse(readFileSync(resolve(__dirname, '../../../src/api/generated/crds.json'), 'utf8')) as Crd[];
  const filled = crds.map((crd) =>
    filledObject(
      crd,
      crd.spec.versions.find(({ name }) => stems.has(`${crd.spec.group}_${name}`))!,
    ),
  );
  const junk = fc.constantFrom<unknown>(
    null,
    0,
    -1,
    1.5,
    2,
    '',
    'x',
    '1Gi',
    true,
    [],
    {},
    ['x'],
    [{}],
    { x: 1 },
    { name: 'x' },
  );

  test.each([
    ['VirtualMachine', validVm() as Loose],
    ...filled.map((object) => [object.kind as string, object as Loose]),
  ])('any broken %s gets the same verdict', (kind, object) => {
    const byAjv = ajv.getSchema(`${object.apiVersion.replace('/', '_')}.json#/definitions/${kind}`)!;
    const text = JSON.stringify(object);
    const places = slots(object).length;
    fc.assert(
      fc.property(fc.nat(places - 1), junk, (where, value) => {
        const broken = JSON.parse(text);
        const { holder, key } = slots(broken)[where];
        holder[key] = value;
        // ajv knows no absence by null
        expect(validateSchema(broken).length === 0).toBe(byAjv(withoutNulls(broken)));
      }),
      { numRuns: runs(places > 1000 ? 12 : 60) },
    );
  });
});

/** Every place of an object that holds a value. */
function slots(value: Loose): { holder: Loose; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) =>
    key === 'apiVersion' || key === 'kind' ? [] : [{ holder: value, key }, ...slots(value[key])],
  );
}
