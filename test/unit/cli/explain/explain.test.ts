import { readdirSync } from 'node:fs';
import { additionsOf } from '../../../../src/cli/explain/additions';
import { explainField } from '../../../../src/cli/explain/field';
import { schemaFiles } from '../../../../src/cli/explain/schemas';

const explain = (path: string): ReturnType<typeof explainField> => explainField(path, schemaFiles);

test('every schema file is known', () => {
  const files = readdirSync('api/schema').map((file) => file.replace(/\.json$/, ''));
  expect(schemaFiles.map(({ name }) => name).sort()).toEqual(files.sort());
});

test.each(['VirtualMachine', 'vm', 'vms', 'virtualmachines', 'virtualmachine'])('%s names the kind', (word) => {
  expect(explain(word)).toMatchObject({ kind: 'VirtualMachine', apiVersion: 'kubevirt.io/v1', path: '' });
});

test('a field has its type, its description and its own fields', () => {
  const cpu = explain('vm.spec.template.spec.domain.cpu');
  expect(cpu).toMatchObject({ path: 'spec.template.spec.domain.cpu', type: 'CPU' });
  expect(cpu.description).not.toBe('');
  expect(cpu.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['cores', 'sockets', 'threads', 'model']));
});

test('lists are walked through, with or without an index', () => {
  expect(explain('vmi.spec.domain.devices.disks[0].name')).toEqual(explain('vmi.spec.domain.devices.disks.name'));
  expect(explain('vmi.spec.domain.devices.disks').type).toBe('[]Disk');
});

test('fields of other groups are known', () => {
  expect(explain('dv.spec.source.http.url')).toMatchObject({ kind: 'DataVolume', type: 'string' });
});

test.each([
  ['vmm', 'unknown kind "vmm"; did you mean "vm"?'],
  ['vm.spec.temlate', 'VirtualMachine.spec has no field "temlate"; did you mean "template"?'],
  [
    'vm.spec.runStrategy.x',
    'VirtualMachine.spec.runStrategy has no field "x"; this schema does not describe its fields',
  ],
])('%s: a word that names nothing brings the nearest one', (path, message) => {
  expect(() => explain(path)).toThrow(message);
});

test('defaults are listed by their leaves, changes with the old value', () => {
  const before = { a: 1, list: [{ x: 1 }], kept: { y: 'z' } };
  const after = { a: 2, list: [{ x: 1, w: true }, { x: 2 }], kept: { y: 'z' }, empty: {} };
  expect(additionsOf(before, after)).toEqual([
    { path: 'a', value: 2, before: 1 },
    { path: 'list[0].w', value: true },
    { path: 'list[1].x', value: 2 },
    { path: 'empty', value: {} },
  ]);
});
