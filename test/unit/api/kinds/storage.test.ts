import { created, cluster, type Loose, mutated, object, updated, withGates } from './fixtures';

const vm = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'web' };
const snapshot = (source: object = vm): Loose =>
  object('snapshot.kubevirt.io/v1beta1', 'VirtualMachineSnapshot', { source });
const restore = (spec: object = {}, metadata: object = {}): Loose =>
  object(
    'snapshot.kubevirt.io/v1beta1',
    'VirtualMachineRestore',
    { target: vm, virtualMachineSnapshotName: 'snap', ...spec },
    metadata,
  );
const clone = (spec: object = {}): Loose =>
  object('clone.kubevirt.io/v1beta1', 'VirtualMachineClone', { source: vm, ...spec });
const off = { config: withGates([], ['Snapshot']) };

describe.each([
  ['a snapshot', (reference: object) => snapshot(reference), 'spec.source'],
  ['a restore', (reference: object) => restore({ target: reference }), 'spec.target'],
])('%s', (_, of, at) => {
  test.each<[string, object, string[]]>([
    ['of a VM', vm, []],
    ['without a group', { kind: 'VirtualMachine', name: 'web' }, [`reference-group ${at}.apiGroup`]],
    ['of another group', { ...vm, apiGroup: 'apps' }, [`reference-group ${at}.apiGroup`]],
    ['of another kind', { ...vm, kind: 'Pod' }, [`reference-kind ${at}.kind`]],
  ])('%s', (__, reference, want) => expect(created(of(reference))).toEqual(want));

  test('needs its gate', () => expect(created(of(vm), off)).toEqual(['gate-snapshot  as nothing']));

  test('keeps its spec', () => {
    expect(updated(of({ ...vm, name: 'other' }), of(vm))).toEqual(['spec-immutable spec']);
    expect(updated(of(vm), of(vm))).toEqual([]);
  });
});

const stored = (kind: string, name: string, more: object): Loose => ({
  kind,
  metadata: { name, namespace: 'default', uid: `uid-${name}` },
  ...more,
});
const taken = (content?: string): Loose =>
  stored('VirtualMachineSnapshot', 'snap', {
    spec: { source: vm },
    status: { sourceUID: 'uid-web', virtualMachineSnapshotContentName: content },
  });
const content = (devices: object, firmware: object = {}): Loose =>
  stored('VirtualMachineSnapshotContent', 'content', {
    spec: { source: { virtualMachine: { spec: { template: { spec: { domain: { devices, firmware } } } } } } },
  });
const web = stored('VirtualMachine', 'web', {});
const other = restore({ target: { ...vm, name: 'other' } });
const tpm = content({ tpm: { persistent: true } });
const inProgress = stored('VirtualMachineRestore', 'first', { spec: { target: vm } });

test.each<[string, Loose, Loose[], string[]]>([
  ['waits for a snapshot that is not there', restore({ patches: ['x'] }), [], []],
  ['to the VM itself', restore(), [taken('content'), web, tpm], []],
  ['to another VM', other, [taken('content'), content({})], []],
  ['to another VM of one with a TPM', other, [taken('content'), tpm], ['restore-state spec']],
  [
    'to another VM of one with an EFI state',
    other,
    [taken('content'), content({}, { bootloader: { efi: { persistent: true } } })],
    ['restore-state spec'],
  ],
  [
    'to another VM in place',
    restore({ target: { ...vm, name: 'other' }, volumeRestorePolicy: 'InPlace' }),
    [taken('content'), content({})],
    ['restore-in-place-target spec.volumeRestorePolicy'],
  ],
  [
    'to another VM in place, which exists',
    restore({ target: { ...vm, name: 'other' }, volumeRestorePolicy: 'InPlace' }),
    [taken('content'), content({}), stored('VirtualMachine', 'other', {})],
    ['restore-in-place-target spec.volumeRestorePolicy'],
  ],
  [
    'in place, when the VM was deleted',
    restore({ volumeRestorePolicy: 'InPlace' }),
    [taken('content'), content({})],
    [],
  ],
  ['of an unfinished snapshot', other, [taken()], ['snapshot-content spec.virtualMachineSnapshotName as nothing']],
  ['of a lost snapshot', other, [taken('content')], ['snapshot-content spec.virtualMachineSnapshotName as nothing']],
  ['to nothing', restore({ target: { ...vm, name: '' } }), [taken()], ['restore-name spec.target.name as nothing']],
  ['while another one runs', restore(), [inProgress], ['restore-in-progress spec.target']],
  ['after another one', restore(), [{ ...inProgress, status: { complete: true } }], []],
  ['is not in its own way', restore({}, { name: 'first' }), [inProgress], []],
])('a restore %s', (_, given, objects, want) => expect(created(given, cluster(...objects))).toEqual(want));

test.each<[string, object, string[]]>([
  ['a patch of the spec', { patches: ['{"op": "replace", "path": "/spec/x", "value": "v"}'] }, []],
  ['a patch of a label', { patches: ['{"op": "remove", "path": "/metadata/labels/x"}'] }, []],
  [
    'a patch of the name',
    { patches: ['{"path": "/metadata/name"}'] },
    ['restore-patch spec.patches[0] as spec.patches'],
  ],
  ['no patch', { patches: ['x'] }, ['restore-patch spec.patches[0] as spec.patches']],
  [
    'a nameless override',
    { volumeRestoreOverrides: [{ restoreName: 'a' }] },
    ['override-volume spec.volumeRestoreOverrides[0].volumeName'],
  ],
  [
    'an empty override',
    { volumeRestoreOverrides: [{ volumeName: 'a' }] },
    ['override-empty spec.volumeRestoreOverrides[0]'],
  ],
  ['an override', { volumeRestoreOverrides: [{ volumeName: 'a', labels: { a: 'b' } }] }, []],
  ['policies', { volumeRestorePolicy: 'InPlace', volumeOwnershipPolicy: 'None' }, []],
  ['an unknown policy', { volumeRestorePolicy: 'Other' }, ['restore-policy spec.volumeRestorePolicy']],
  ['an unknown owner', { volumeOwnershipPolicy: 'Me' }, ['restore-policy spec.volumeOwnershipPolicy']],
])('a restore with %s', (_, spec, want) => {
  expect(created(restore(spec), cluster(taken('content'), web))).toEqual(want);
});

describe('a clone', () => {
  const target = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'copy' };

  test.each<[string, object, string[]]>([
    ['of a VM', { target }, []],
    ['of a snapshot', { source: { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 'a' } }, []],
    ['of another kind', { source: { ...vm, kind: 'Pod' } }, ['clone-source-kind spec.source.kind as spec.Source.Kind']],
    ['of nothing', { source: { ...vm, name: '' } }, ['clone-source-name spec.source.name as spec.Source.Name']],
    [
      'without a group',
      { source: { ...vm, apiGroup: '' } },
      ['clone-source-group spec.source.apiGroup as spec.Source.APIGroup'],
    ],
    [
      'to another kind',
      { target: { ...target, kind: 'Pod' } },
      ['clone-target-kind spec.target.kind as spec.Target.Kind'],
    ],
    ['to itself', { target: vm }, ['clone-target-name spec.target.name']],
    ['with filters', { labelFilters: ['a*', '!b*', '*'], template: { annotationFilters: ['!c'] } }, []],
    ['with a bang alone', { labelFilters: ['a', '!'] }, ['clone-filter spec.labelFilters[1] as spec.labels']],
    [
      'with a bang inside',
      { annotationFilters: ['a!b'] },
      ['clone-filter spec.annotationFilters[0] as spec.annotations'],
    ],
    [
      'with a star inside',
      { template: { labelFilters: ['a*b'] } },
      ['clone-filter spec.template.labelFilters[0] as spec.template.labels'],
    ],
    ['with MAC addresses', { newMacAddresses: { a: '02:00:00:00:00:0a', b: '0200.0000.000A', c: '' } }, []],
    ['with a short MAC address', { newMacAddresses: { a: '02:00:00:00:00' } }, ['clone-mac spec.newMacAddresses.a']],
    ['with a patch', { patches: ['{"op":"remove"}'] }, []],
    ['with a broken patch', { patches: ['{}', '{'] }, ['clone-patch spec.patches[1]']],
  ])('%s', (_, spec, want) => expect(created(clone(spec))).toEqual(want));

  test('needs the gate of snapshots', () => expect(created(clone(), off)).toEqual(['gate-snapshot  as nothing']));

  test.each<[string, object | undefined, object]>([
    ['is made up', undefined, { ...target, name: 'clone-web-abcde' }],
    ['gets a name', { ...target, name: '' }, { ...target, name: 'clone-web-abcde' }],
    ['stays', target, target],
  ])('its target %s', (_, given, want) => {
    const once = mutated(clone({ target: given }), { suffix: 'abcde' });
    expect(once.spec.target).toEqual(want);
    expect(mutated(once, { suffix: 'other' })).toEqual(once);
  });
});

const exported = (source: object): Loose => object('export.kubevirt.io/v1', 'VirtualMachineExport', { source });
test.each<[string, object, string[]]>([
  ['a VM', vm, []],
  ['a claim', { kind: 'PersistentVolumeClaim', name: 'a' }, []],
  ['a snapshot', { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 'a' }, []],
  ['a backup', { apiGroup: 'backup.kubevirt.io', kind: 'VirtualMachineBackup', name: 'a' }, []],
  [
    'a template',
    { apiGroup: 'template.kubevirt.io', kind: 'VirtualMachineTemplate', name: 'a' },
    ['gate-oci-export spec.source.kind'],
  ],
  ['another kind', { kind: 'Pod', name: 'a' }, ['export-kind spec.source.kind']],
  ['nothing', { ...vm, name: '' }, ['export-name spec.source.name']],
  ['a VM of another group', { ...vm, apiGroup: 'apps' }, ['export-group spec.source.apiGroup as spec.source.APIGroup']],
  [
    'a claim of a group',
    { apiGroup: 'v1', kind: 'PersistentVolumeClaim', name: 'a' },
    ['export-group spec.source.apiGroup as spec.source.APIGroup'],
  ],
])('an export of %s', (_, source, want) => expect(created(exported(source))).toEqual(want));

test('a template is exported with its gate; an export keeps its spec', () => {
  const template = exported({ apiGroup: 'template.kubevirt.io', kind: 'VirtualMachineTemplate', name: 'a' });
  expect(created(template, { config: withGates(['OCIExport']) })).toEqual([]);
  expect(updated(exported(vm), template)).toEqual(['spec-immutable spec']);
});

const backup = (name: string, status?: object): Loose => ({
  ...object('backup.kubevirt.io/v1alpha1', 'VirtualMachineBackup', { source: vm, pvcName: 'a' }, { name }),
  ...(status && { status }),
});
const complete = { conditions: [{ type: 'Complete', status: 'True' }] };
test.each<[string, Loose[], string[]]>([
  ['the first', [], []],
  ['after another', [backup('other', complete)], []],
  ['during another', [backup('other')], ['backup-in-progress spec.source']],
  ['of the same name', [backup('x', complete)], ['backup-name metadata.name']],
])('a backup: %s', (_, objects, want) => {
  const config = withGates(['IncrementalBackup']);
  expect(created(backup('x'), { config, ...cluster(...objects) })).toEqual(want);
});

test.each([backup('x'), object('backup.kubevirt.io/v1alpha1', 'VirtualMachineBackupTracker', { source: vm })])(
  '$kind needs its gate',
  (given) => expect(created(given)).toEqual(['gate-incremental-backup  as nothing']),
);
