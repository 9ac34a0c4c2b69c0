import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv from 'ajv';
import fc from 'fast-check';
import { formatFieldError, validateDefinition, validateSchema, root, withoutNulls } from '../../../src/api';
import { Loose, validVm } from './fixtures';

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
  ['any field in an object that keeps unknown ones', (vm) => (vm.spec.template.metadata.x = 1), []],
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
  expect(validateSchema(vm).map(formatFieldError)[0]).toMatch(
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
  const files = ['kubevirt.io_v1', 'cdi.kubevirt.io_v1beta1', 'core_v1', 'meta_v1'];
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
  for (const file of files) {
    const schema = JSON.parse(
      readFileSync(resolve(__dirname, '../../../api/schema', `${file}.json`), 'utf8'),
      (key, value) => {
        // what ajv knows under another name
        if (value?.nullable && value.$ref) return { anyOf: [{ $ref: value.$ref }, { type: 'null' }] };
        return key === 'default' ? undefined : value;
      },
    );
    ajv.addSchema(schema, `${file}.json`);
  }
  const byAjv = ajv.getSchema('kubevirt.io_v1.json#/definitions/VirtualMachine')!;
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

  test('any broken VM gets the same verdict', () => {
    fc.assert(
      fc.property(fc.nat(), junk, (where, value) => {
        const vm = validVm();
        const spots = slots(vm);
        const { holder, key } = spots[where % spots.length];
        holder[key] = value;
        // ajv knows no absence by null
        expect(validateSchema(vm).length === 0).toBe(byAjv(withoutNulls(vm)));
      }),
      { numRuns: 2000 },
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
