import type { KubeObject } from '../../../../../src/api';
import { syncDataSource } from '../../../../../src/runtime/controller/storage/data-source/execute';
import { syncDataVolume } from '../../../../../src/runtime/controller/storage/data-volume/execute';
import { syncProfile } from '../../../../../src/runtime/controller/storage/profile/execute';
import { replacing } from '../../../../../src/runtime/controller/storage/replacing';
import { storageClass } from './fixtures';
import { passes } from './passes';

test.each<[string, object | undefined, object, object]>([
  ['nothing before', undefined, { a: 1 }, { a: 1 }],
  ['a removed key', { a: 1, b: 2 }, { a: 1 }, { a: 1, b: null }],
  ['a key without a value', { a: 1 }, { a: undefined }, { a: null }],
  ['a removed key of an object', { a: { b: 1, c: 2 } }, { a: { c: 3 } }, { a: { b: null, c: 3 } }],
  ['a removed object', { a: { b: 1 } }, {}, { a: null }],
  ['an object in place of a text', { a: 'x' }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['a list, which a merge replaces', { a: [{ b: 1 }] }, { a: [{ c: 1 }] }, { a: [{ c: 1 }] }],
])('a status with %s is replaced by a merge', (_, before, after, wanted) =>
  expect(replacing(before, after)).toEqual(wanted),
);

describe('a status', () => {
  test('of a StorageProfile loses what the administrator removed', async () => {
    const status = {
      storageClass: 'local',
      provisioner: '',
      claimPropertySets: [{ accessModes: ['ReadWriteOnce'] }],
      cloneStrategy: 'copy',
      dataImportCronSourceFormat: 'pvc',
    };
    const { context, writes } = passes({
      classes: [storageClass('Immediate')],
      profiles: [{ metadata: { name: 'local' }, spec: {}, status }],
    });
    await syncProfile(context, 'local');
    expect(writes[0]?.body.status).toMatchObject({ claimPropertySets: null, cloneStrategy: null });
  });

  test('of a DataVolume loses the name of a claim that was deleted', async () => {
    const dataVolume = {
      metadata: { namespace: 'n', name: 'root' },
      spec: { source: { blank: {} }, storage: { storageClassName: 'local' } },
      status: { phase: 'Pending', claimName: 'root' },
    } as unknown as KubeObject;
    const { context, writes } = passes({ dataVolumes: [dataVolume] });
    await syncDataVolume(context, 'n/root');
    expect(writes.at(-1)?.body.status).toMatchObject({ phase: 'Pending', claimName: null });
  });

  test('of a DataSource loses the source that was replaced', async () => {
    const dataSource = {
      metadata: { namespace: 'n', name: 'fedora' },
      spec: { source: { pvc: { namespace: 'n', name: 'disk' } } },
      status: { source: { snapshot: { namespace: 'n', name: 'old' } } },
    };
    const { context, writes } = passes({ dataSources: [dataSource] });
    await syncDataSource(context, 'n/fedora');
    expect(writes[0]?.body.status).toMatchObject({ source: { pvc: { name: 'disk' }, snapshot: null } });
  });
});
