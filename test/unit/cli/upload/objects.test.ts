import { dataSourceOf, objectsOf, volumeModeOf, type UploadFlags } from '../../../../src/cli/upload/objects';

const flags: UploadFlags = { create: true, waitSecs: 300, retry: 5, imagePath: 'a' };
const target = { name: 'root', namespace: 'web' } as const;

test('a DataVolume has the properties of the flags', () => {
  const given = {
    ...{ storageClass: 'fast', accessMode: 'ReadWriteMany', volumeMode: 'block', forceBind: true },
    ...{ defaultInstancetype: 'small', defaultInstancetypeKind: 'VirtualMachineInstancetype' },
  };
  expect(objectsOf({ kind: 'dv', ...target }, { ...flags, ...given }, '1Gi')).toEqual([
    {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      metadata: {
        name: 'root',
        namespace: 'web',
        labels: {
          'instancetype.kubevirt.io/default-instancetype': 'small',
          'instancetype.kubevirt.io/default-instancetype-kind': 'VirtualMachineInstancetype',
        },
        annotations: { 'cdi.kubevirt.io/storage.bind.immediate.requested': '' },
      },
      spec: {
        source: { upload: {} },
        contentType: 'kubevirt',
        storage: {
          resources: { requests: { storage: '1Gi' } },
          storageClassName: 'fast',
          accessModes: ['ReadWriteMany'],
          volumeMode: 'Block',
        },
      },
    },
  ]);
});

test('a claim names the source that is created with it', () => {
  const archive = { ...flags, imagePath: undefined, archivePath: 'a.tar' };
  expect(objectsOf({ kind: 'pvc', ...target }, archive, '1Gi')).toMatchObject([
    { kind: 'VolumeUploadSource', metadata: target, spec: { contentType: 'archive' } },
    {
      kind: 'PersistentVolumeClaim',
      metadata: { ...target, annotations: { 'cdi.kubevirt.io/storage.contentType': 'archive' } },
      spec: {
        accessModes: ['ReadWriteOnce'],
        dataSourceRef: { apiGroup: 'cdi.kubevirt.io', kind: 'VolumeUploadSource', name: 'root' },
      },
    },
  ]);
});

test('a DataSource names the claim', () => {
  expect(dataSourceOf({ kind: 'dv', ...target }, flags)).toMatchObject({ spec: { source: { pvc: target } } });
});

test.each<[Partial<UploadFlags>, string | undefined]>([
  [{}, undefined],
  [{ blockVolume: true }, 'Block'],
  [{ volumeMode: 'Filesystem', blockVolume: true }, 'Filesystem'],
])('the flags %j mean volume mode %s', (given, mode) => expect(volumeModeOf({ ...flags, ...given })).toBe(mode));

test('invalid flags are refused with what is allowed', () => {
  expect(() => volumeModeOf({ ...flags, volumeMode: 'x' })).toThrow(
    '--volume-mode x is not known (allowed: block, filesystem)',
  );
  expect(() => dataSourceOf({ kind: 'dv', ...target }, { ...flags, defaultPreferenceKind: 'x' })).toThrow(
    '--default-preference must be given with --default-preference-kind',
  );
});
