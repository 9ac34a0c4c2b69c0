import { generateText, processTemplate } from '../../../../src/api/template';
import { validVm } from '../fixtures';
import { created, type Loose, object, warned } from './fixtures';

const template = (parameters: Loose[] = [], change: (vm: Loose) => void = () => {}, message = ''): Loose => {
  const { spec } = validVm() as Loose;
  const virtualMachine = { metadata: { name: '${NAME}', namespace: 'hard-coded' }, spec };
  change(virtualMachine);
  const all = [{ name: 'NAME', value: 'web' }, ...parameters];
  return object('template.kubevirt.io/v1beta1', 'VirtualMachineTemplate', { parameters: all, virtualMachine, message });
};
const cores = (vm: Loose) => (vm.spec.template.spec.domain.cpu.cores = '${{CORES}}');
const labelled = (vm: Loose) => (vm.spec.template.metadata.labels = { '${KEY}': 'a-${KEY}-${NAME}' });
/** A value of so many characters, so many times. One is left for the name. */
const repeated = (length: number, times: number): Loose =>
  template([{ name: 'A', value: 'x'.repeat(length) }], (vm) => {
    vm.metadata.annotations = { a: '${A}'.repeat(times) };
  });
/** So many generated values of a pattern, and one more. */
const generating = (count: number, from: string, ...more: string[]): Loose => {
  const patterns = [...Array<string>(count).fill(from), ...more];
  const parameters = patterns.map((pattern, i) => ({ name: `P${i}`, generate: 'expression', from: pattern }));
  return template(parameters, (vm) => {
    vm.metadata.annotations = { a: parameters.map(({ name }) => `\${${name}}`).join('') };
  });
};
const at = (i: number, field: string): string => `spec.parameters[${i}].${field}`;

test.each<[string, Loose, string[]]>([
  ['parameters that are used', template(), []],
  ['a number', template([{ name: 'CORES', value: '4' }], cores), []],
  [
    'text for a number',
    template([{ name: 'CORES', value: 'many' }], cores),
    ['schema-type spec.virtualMachine.spec.template.spec.domain.cpu.cores'],
  ],
  ['an unknown parameter', template([], cores), ['template-parameter spec.virtualMachine']],
  [
    'an unknown parameter in the message',
    template([], () => {}, 'see ${WHERE}'),
    ['template-parameter spec.virtualMachine'],
  ],
  [
    'a misspelt field',
    template([], (vm) => (vm.spec.runStratgy = 'x')),
    ['schema-unknown-field spec.virtualMachine.spec.runStratgy'],
  ],
  ['a parameter twice', template([{ name: 'NAME' }]), [`template-name ${at(1, 'name')}`]],
  ['a generated value', template([{ name: 'KEY', generate: 'expression', from: '[a-z]{5}' }], labelled), []],
  [
    'nothing to generate from',
    template([{ name: 'KEY', generate: 'expression' }], labelled),
    [`template-from ${at(1, 'from')}`],
  ],
  [
    'a backward range',
    template([{ name: 'KEY', generate: 'expression', from: '[z-a]{5}' }], labelled),
    [`template-from ${at(1, 'from')}`],
  ],
  ['a long value that is used so often that the VM is as long as it may be', repeated(3 * 1024, 1024 - 1), []],
  ['a long value that is used once more', repeated(3 * 1024, 1024), ['template-parameter spec.parameters']],
  ['values that generate the most', generating(64, '[a-z]{255}[a-z]{255}[a-z]{255}[a-z]{255}abcd'), []],
  [
    'values that generate one character more',
    generating(64, '[a-z]{255}[a-z]{255}[a-z]{255}[a-z]{255}abcd', 'e'),
    ['template-from spec.parameters[65].from'],
  ],
  [
    'a pattern that generates without end',
    generating(1, '[a-z]{255}'.repeat(300_000)),
    ['template-from spec.parameters[1].from'],
  ],
  ['a value to come', template([{ name: 'CORES', required: true }], cores), []],
])('a template with %s', (_, given, want) => expect(created(given)).toEqual(want));

test('warns of parameters that nothing uses, and that it could not be tried', () => {
  expect(
    warned(
      template(
        [
          { name: 'LOST', value: 'a' },
          { name: 'CORES', required: true },
        ],
        cores,
      ),
    ),
  ).toEqual([
    'spec.parameters[1].name: LOST is defined but never referenced',
    'processing validation skipped: required parameter "CORES" has neither value nor generator',
  ]);
});

test('becomes a VM of no namespace', () => {
  const given = template(
    [
      { name: 'CORES', value: '4' },
      { name: 'KEY', value: 'k' },
    ],
    (vm) => {
      cores(vm);
      labelled(vm);
    },
    'ssh ${NAME}',
  );
  const { vm, message } = processTemplate(given.spec, () => 0);
  expect(message).toBe('ssh web');
  expect(vm).toMatchObject({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: { name: 'web' } });
  expect(vm?.metadata).not.toHaveProperty('namespace');
  expect(vm?.spec.template.metadata).toEqual({ labels: { k: 'a-k-web' } });
  expect(vm?.spec.template.spec?.domain.cpu?.cores).toBe(4);
});

test.each<[string, Loose, string]>([
  ['a required value', { required: true }, 'template-value spec.parameters[0].value'],
  ['a name', { name: '' }, 'template-name spec.parameters[0].name'],
  ['a generator that exists', { generate: 'uuid', from: 'x' }, 'template-generate spec.parameters[0].generate'],
])('a template without %s makes no VM', (_, parameter, want) => {
  const { spec } = template();
  const given = { ...spec, parameters: [{ name: 'NAME', ...parameter }] };
  const { vm, errors = [] } = processTemplate(given, () => 0);
  expect(vm).toBeUndefined();
  expect(errors.map(({ rule, path }) => `${rule} ${path}`)).toEqual([want]);
});

test.each([
  ['[a-c]{3}', 'ccc'],
  ['x[0-1]{2}y[A-B]{1}', 'x11yB'],
  ['[\\d]{2}', '99'],
  ['plain', 'plain'],
])('%s generates %s at the end of its alphabet', (from, text) => {
  expect(generateText(from, (n) => n - 1)).toEqual({ text });
});

test.each(['[a-b]{0}', '[a-b]{256}', '[a-b]{x}', '[-]{1}', '[b-a]{1}'])('%s generates nothing', (from) => {
  expect(generateText(from, () => 0)).toHaveProperty('problem');
});
