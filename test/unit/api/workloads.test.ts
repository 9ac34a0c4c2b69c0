import { instanceOfReplicaSet, virtualMachineOfPool } from '../../../src/api/workloads';
import type { PoolLike, ReplicaSetLike } from '../../../src/api/workloads';
import { validVm, validVmi } from './fixtures';

const set = (): ReplicaSetLike => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstanceReplicaSet',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { template: { metadata: { labels: { app: 'web' }, annotations: { a: 'b' } }, spec: validVmi().spec } },
});

describe('a replica set', () => {
  test('creates VMIs with its template, named after it', () => {
    expect(instanceOfReplicaSet(set())).toEqual({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: { generateName: 'web', namespace: 'shop', labels: { app: 'web' }, annotations: { a: 'b' } },
      spec: validVmi().spec,
    });
  });

  test.each([
    ['the name of the template', { name: 'a', generateName: 'b-' }, 'a'],
    ['the prefix of the template', { generateName: 'b-' }, 'b-'],
    ['its own name', {}, 'web'],
  ])('takes %s as prefix', (_, metadata, want) => {
    const given = set();
    given.spec.template = { ...given.spec.template, metadata };
    const made = instanceOfReplicaSet(given)?.metadata;
    expect([made?.generateName, made?.name]).toEqual([want, undefined]);
  });

  test('owns its VMIs once it is stored', () => {
    const stored = { ...set(), metadata: { ...set().metadata, uid: 'u' } };
    expect(instanceOfReplicaSet(stored)?.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstanceReplicaSet',
        name: 'web',
        uid: 'u',
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  });

  test('creates nothing without a template', () => {
    expect(instanceOfReplicaSet({ ...set(), spec: {} })).toBeUndefined();
  });
});

const pool = (nameGeneration?: PoolLike['spec']['nameGeneration']): PoolLike => {
  const { spec } = validVm();
  spec.dataVolumeTemplates = [{ metadata: { name: 'data' }, spec: { source: { blank: {} } } }];
  spec.template.spec!.volumes = [
    { name: 'a', dataVolume: { name: 'data' } },
    { name: 'b', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'c', persistentVolumeClaim: { claimName: 'shared' } },
    { name: 'd', configMap: { name: 'settings' } },
    { name: 'e', secret: { secretName: 'keys' } },
    { name: 'f', cloudInitNoCloud: { secretRef: { name: 'user' }, networkDataSecretRef: { name: 'net' } } },
    { name: 'g', cloudInitConfigDrive: { secretRef: { name: 'drive' } } },
  ];
  return {
    apiVersion: 'pool.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePool',
    metadata: { name: 'web', namespace: 'shop', generation: 4, uid: 'u' },
    spec: {
      virtualMachineTemplate: { metadata: { labels: { pool: 'web' }, annotations: { a: 'b' } }, spec },
      nameGeneration,
    },
  };
};

describe('a pool', () => {
  test('numbers its VMs and labels them with its revision', () => {
    const vm = virtualMachineOfPool(pool(), 2);
    const revision = { 'kubevirt.io/vm-pool-revision-name': 'web-4' };
    expect(vm?.metadata).toEqual({
      name: 'web-2',
      namespace: 'shop',
      labels: { pool: 'web', ...revision },
      annotations: { a: 'b' },
      finalizers: ['pool.kubevirt.io/finalizer'],
      ownerReferences: [
        {
          apiVersion: 'pool.kubevirt.io/v1beta1',
          kind: 'VirtualMachinePool',
          name: 'web',
          uid: 'u',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    });
    expect(vm?.spec.template.metadata).toEqual({ labels: { app: 'web', ...revision } });
  });

  test('that is not stored yet has no revision and owns nothing', () => {
    const { namespace, name } = pool().metadata;
    const vm = virtualMachineOfPool({ ...pool(), metadata: { namespace, name } }, 0);
    expect(vm?.metadata.labels).toEqual({ pool: 'web' });
    expect(vm?.metadata.ownerReferences).toBeUndefined();
  });

  const names = (given: PoolLike) =>
    JSON.stringify(virtualMachineOfPool(given, 1)?.spec.template.spec?.volumes).match(
      /(data|shared|settings|keys|user|net|drive)(-1)?(?=")/g,
    );
  test.each<[string, PoolLike['spec']['nameGeneration'], string]>([
    ['its DataVolumes alone', undefined, 'data-1 data-1 shared settings keys user net drive'],
    [
      'ConfigMaps when asked',
      { appendIndexToConfigMapRefs: true },
      'data-1 data-1 shared settings-1 keys user net drive',
    ],
    [
      'Secrets when asked',
      { appendIndexToSecretRefs: true },
      'data-1 data-1 shared settings keys-1 user-1 net-1 drive-1',
    ],
  ])('numbers %s', (_, nameGeneration, want) => {
    const given = pool(nameGeneration);
    expect(names(given)?.join(' ')).toBe(want);
    expect(virtualMachineOfPool(given, 1)?.spec.dataVolumeTemplates?.[0]).toMatchObject({
      metadata: { name: 'data-1' },
    });
    expect(given).toEqual(pool(nameGeneration));
  });

  test('creates nothing without a template', () => {
    expect(virtualMachineOfPool({ ...pool(), spec: {} }, 0)).toBeUndefined();
  });
});
