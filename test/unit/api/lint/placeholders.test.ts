import { placeholders } from '../../../../src/api/lint/placeholders';
import { type Loose, validVm } from '../fixtures';

const reported = (change: (vm: Loose, guest: Loose) => void): string[] => {
  const vm: Loose = structuredClone(validVm());
  change(vm, vm.spec.template.spec);
  return placeholders(vm).map(({ path, cause }) => `${path}: ${cause.replace(/ is a placeholder.*/, '')}`);
};

test.each<[string, (vm: Loose, guest: Loose) => void, string[]]>([
  ['accepts a VM', () => {}, []],
  ['reports a variable of a shell', (vm) => (vm.metadata.name = 'vm-${ENV}'), ['metadata.name: ${ENV}']],
  ['reports one with a default', (_, guest) => (guest.hostname = '${A:-b}'), ['spec.template.spec.hostname: ${A:-b}']],
  [
    'reports a value of Helm',
    (vm) => (vm.metadata.namespace = '{{ .Values.ns }}'),
    ['metadata.namespace: {{ .Values.ns }}'],
  ],
  [
    'reports a value that Helm did not have',
    (vm) => (vm.metadata.labels = { a: '<no value>' }),
    ['metadata.labels.a: <no value>'],
  ],
  ['accepts it in an annotation', (vm) => (vm.metadata.annotations = { a: '${A}' }), []],
  [
    'accepts it in cloud-init',
    (_, guest) => (guest.volumes = [{ cloudInitNoCloud: { userData: '${A} {{ b }}' } }]),
    [],
  ],
  ['accepts it in a probe', (_, guest) => (guest.livenessProbe = { exec: { command: ['sh', '-c', 'echo ${A}'] } }), []],
  ['accepts a text of several lines', (_, guest) => (guest.note = '${A}\nb'), []],
  ['accepts a dollar', (_, guest) => (guest.note = 'a$b $ {c} {}'), []],
  ['accepts a template', (vm) => ((vm.kind = 'VirtualMachineTemplate'), (vm.metadata.name = '${NAME}')), []],
])('%s', (_, change, want) => expect(reported(change)).toEqual(want));

test('a secret is not shown', () => {
  const [found] = placeholders({ spec: { password: 'a${B}' } } as never);
  expect(found).toMatchObject({ rule: 'text-placeholder' });
  expect(found).not.toHaveProperty('value');
});
