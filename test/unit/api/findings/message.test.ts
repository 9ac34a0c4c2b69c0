import { named, ofKubeVirt, Path, text, wordsOf } from '../../../../src/api/findings';

const cpu = Path.of('spec', 'domain', 'cpu');

test.each([
  [
    'a whole path',
    text`set ${cpu.at('cores')}`,
    'set spec.domain.cpu.cores',
    { 'spec.domain.cpu.cores': cpu.at('cores') },
  ],
  [
    'the last parts of a path',
    text`set ${named(cpu.at('cores'), 2)}`,
    'set cpu.cores',
    { 'cpu.cores': cpu.at('cores') },
  ],
  ['another name', text`remove ${named(cpu, 'this field')}`, 'remove this field', { 'this field': cpu }],
  ['no field', text`at most ${3} of "${'a'}"`, 'at most 3 of "a"', {}],
  [
    'a field of the KubeVirt object',
    text`add it to ${ofKubeVirt('network')}`,
    'add it to spec.configuration.network',
    {
      'spec.configuration.network': Path.of('KubeVirt', 'spec', 'configuration', 'network'),
    },
  ],
  [
    'the fields of a text within',
    text`${text`${named(cpu, 1)} or`} ${named(cpu.at('cores'), 1)}`,
    'cpu or cores',
    {
      cpu,
      cores: cpu.at('cores'),
    },
  ],
])('a text names %s', (_, message, want, fields) => {
  expect(message.text).toBe(want);
  expect(Object.keys(message.fields)).toEqual(Object.keys(fields));
  for (const [name, path] of Object.entries(fields)) expect(`${message.fields[name]}`).toBe(`${path}`);
});

test('a finding has the fields of its cause and of its remedy', () => {
  expect(wordsOf('is wrong', 'remove it')).toEqual({ cause: 'is wrong', remedy: 'remove it' });
  const { cause, remedy, fields } = wordsOf(text`requires ${named(cpu, 1)}`, text`set ${named(cpu.at('cores'), 1)}`);
  expect([cause, remedy, Object.keys(fields!)]).toEqual(['requires cpu', 'set cores', ['cpu', 'cores']]);
});
