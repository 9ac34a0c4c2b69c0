import { camelCase, Names } from '../../../../src/cli/import/names';

test.each([
  ['web', 'web'],
  ['my-db.example', 'myDbExample'],
  ['Win_11', 'win11'],
  ['1-class', 'n1Class'],
  ['../../etc', 'etc'],
  ['…', 'object'],
])('%s is %s in code', (name, wanted) => {
  expect(camelCase(name)).toBe(wanted);
});

test('names are unique and never reserved words', () => {
  const names = new Names();
  expect(names.identifier('web', 'VirtualMachine')).toBe('web');
  expect(names.identifier('web', 'Service')).toBe('webService');
  expect(names.identifier('web', 'Service')).toBe('web2');
  expect(names.identifier('class', 'Job')).toBe('classJob');
  expect(names.identifier('new')).toBe('new2');
});
