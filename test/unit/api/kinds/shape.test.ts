import { admissionOf, verdictOf, admit } from '../../../../src/api';
import { context, type Loose, object } from './fixtures';

const vm = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'web' };
const verdict = (given: Loose, old?: Loose) => verdictOf(admit(given, context(), old), context(), old);

test('warns of fields that the API server drops', () => {
  const snapshot = object('snapshot.kubevirt.io/v1beta1', 'VirtualMachineSnapshot', { source: vm, sourc: vm });
  expect(verdict(snapshot)).toEqual({ allowed: true, causes: [], warnings: ['unknown field "spec.sourc"'] });
});

test('rejects violations of a schema that the webhook of a kind reads, without a field', () => {
  const migration = object('kubevirt.io/v1', 'VirtualMachineInstanceMigration', { vmiName: 'web', vmiNam: 'web' });
  expect(verdict(migration)).toMatchObject({
    allowed: false,
    causes: [{ type: '', field: '', message: expect.stringContaining('spec.vmiNam in body is a forbidden property') }],
  });
});

test.each<[string, Loose]>([
  ['no metadata', { ...object('kubevirt.io/v1', 'KubeVirt', {}), metadata: null }],
  ['a list for an object', object('snapshot.kubevirt.io/v1beta1', 'VirtualMachineRestore', [])],
  ['text for a number', object('pool.kubevirt.io/v1beta1', 'VirtualMachinePool', { replicas: 'two' })],
  ['no spec', { ...object('cdi.kubevirt.io/v1beta1', 'DataVolume', {}), spec: undefined }],
])('%s keeps an object from its rules', (_, given) => {
  const rules = admissionOf(given)!;
  expect(rules.create(given, context())).not.toEqual([]);
  expect(rules.mutate?.(given, context()) ?? given).toBe(given);
  expect(rules.warnings?.(given, context())).toEqual([]);
});

test('an invalid stored object may get a label', () => {
  const broken = object('migrations.kubevirt.io/v1alpha1', 'MigrationPolicy', { selectors: {}, maxDowntimeMs: 5 });
  expect(verdict({ ...broken, metadata: { name: 'x', labels: { a: 'b' } } }, broken)).toMatchObject({ allowed: true });
});
