import { planOf, type ExportFlags } from '../../../../src/cli/vmexport/flags';

test.each<[string, string, ExportFlags, RegExp]>([
  ['an unknown action', 'upload', {}, /"upload" is not an action.*allowed: create, delete, download/],
  ['a creation without a source', 'create', {}, /add --vm, --snapshot or --pvc/],
  ['two sources', 'create', { vm: 'a', pvc: 'b' }, /one source/],
  ['a lifetime that is not a duration', 'create', { vm: 'a', ttl: '2 hours' }, /--ttl "2 hours" is not a duration/],
  ['a label without a value', 'create', { vm: 'a', labels: ['a'] }, /--labels "a" is not valid/],
  ['an output of a creation', 'create', { vm: 'a', output: 'x' }, /--output cannot be used with create/],
  ['a source of a deletion', 'delete', { vm: 'a' }, /--vm cannot be used with delete/],
  ['a flag of downloads with a deletion', 'delete', { keepVme: true }, /--keep-vme cannot be used with delete/],
  ['a download without an output', 'download', {}, /--output -/],
  ['keeping and deleting', 'download', { output: '-', keepVme: true, deleteVme: true }, /exclude each other/],
  ['an unknown format', 'download', { output: '-', format: 'oci' }, /allowed: gzip, raw/],
  ['negative attempts', 'download', { output: '-', retry: -1 }, /--retry -1/],
  ['a volume of manifests', 'download', { manifest: true, volume: 'a' }, /--volume cannot be used/],
  ['manifests of a claim', 'download', { manifest: true, pvc: 'a' }, /no manifests/],
  [
    'an unknown format of manifests',
    'download',
    { manifest: true, manifestOutputFormat: 'xml' },
    /allowed: yaml, json/,
  ],
])('rejects %s', (_, action, flags, message) => {
  expect(() => planOf(action, 'copy', flags)).toThrow(message);
});

test.each<[string, ExportFlags, object]>([
  [
    'to standard output',
    { output: '-' },
    { isDeleted: 'if-created', what: { format: 'gzip' }, retries: 0, readinessMs: 120_000 },
  ],
  [
    'to a file',
    { output: 'x', format: 'raw', keepVme: true },
    { output: 'x', isDeleted: 'never', what: { format: 'raw' } },
  ],
  ['of an export that is deleted', { output: 'x', deleteVme: true }, { isDeleted: 'always' }],
  [
    'of manifests, whose export is kept for the import',
    { manifest: true, vm: 'a', includeSecret: true },
    { isDeleted: 'never', what: { manifest: 'yaml', withSecret: true } },
  ],
  [
    'with a new export',
    { output: '-', snapshot: 'a', ttl: '30m', labels: ['a=b,c=d=e'], annotations: ['x='] },
    {
      create: {
        source: { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 'a' },
        ttl: '30m',
        labels: { a: 'b', c: 'd=e' },
        annotations: { x: '' },
      },
    },
  ],
])('plans a download %s', (_, flags, want) => {
  const plan = planOf('download', 'copy', flags);
  expect(plan).toMatchObject({ action: 'download', download: want });
  if (flags.output === '-') expect(plan).not.toHaveProperty('download.output');
});
