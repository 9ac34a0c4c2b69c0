import type { VirtualMachine } from '../../../../../src/api';
import { findDisks } from '../../../../../src/runtime/controller/virtual-machine/find-disks';
import { slimClaim } from '../../../../../src/runtime/controller/trim';
import { ApiError, resources } from '../../../../../src/runtime/kube';
import { deleting, vm } from '../fixtures';

type Source = Parameters<typeof findDisks>[0];

const collectedClaim = (name: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'web', annotations: { 'cdi.kubevirt.io/garbageCollected': 'true' } },
});

const cache = (resource: object, objects: Record<string, unknown>) => ({
  resource,
  listed: true,
  installed: true,
  get: (key: string) => objects[key],
});

/** DataVolume `made` exists, and the cache knows that the DataVolume of claim `cached` was collected. */
function cluster(find: (name: string) => unknown) {
  const reads: string[] = [];
  const source = {
    caches: {
      claims: cache(resources.persistentVolumeClaims, { 'web/cached': slimClaim(collectedClaim('cached')) }),
      dataVolumes: cache(resources.dataVolumes, { 'web/made': { metadata: { name: 'made' } } }),
    },
    client: {
      find: async (_: unknown, { name }: { name: string }) => {
        reads.push(name);
        return find(name);
      },
    },
  } as unknown as Source;
  return { source, reads };
}

const withDisks = (...names: string[]): VirtualMachine =>
  vm('Always', (v) => {
    v.spec.dataVolumeTemplates = names.map((name) => ({ metadata: { name }, spec: {} }));
  });
const answers = (name: string) => (name === 'collected' ? collectedClaim(name) : undefined);
const fails = (code: number) => () => {
  throw new ApiError(code, 'No', 'claims are not for virt-controller');
};

test('only claims of DataVolumes that are to be made are read', async () => {
  const { source, reads } = cluster(answers);
  const { collected } = await findDisks(source, withDisks('made', 'cached', 'collected', 'new'));
  expect([...collected]).toEqual(['cached', 'collected']);
  expect(reads).toEqual(['collected', 'new']);
});

test('the claims are read at the same time', async () => {
  const pending: (() => void)[] = [];
  const { source, reads } = cluster(() => new Promise<void>((resolve) => pending.push(resolve)));
  const found = findDisks(source, withDisks('a', 'b'));
  expect(reads).toEqual(['a', 'b']);
  pending.forEach((resolve) => resolve());
  expect((await found).collected.size).toBe(0);
});

test('no claim is read for a VM that is deleted: a refusal would keep its finalizer', async () => {
  const { source, reads } = cluster(fails(403));
  const going = withDisks('new');
  deleting(1)(going);
  expect((await findDisks(source, going)).collected.size).toBe(0);
  expect(reads).toEqual([]);
});

test('a claim that must not be read is reported to the user, and the read is retried', async () => {
  const { dataVolumes } = await findDisks(cluster(fails(403)).source, withDisks('new'));
  expect(dataVolumes).toEqual({
    unknown: 'virt-controller cannot read their claims (claims are not for virt-controller); check its roles',
    retryMs: 30_000,
  });
});

test('a failure of the API server fails the pass, which is tried again', async () => {
  await expect(findDisks(cluster(fails(500)).source, withDisks('new'))).rejects.toThrow('claims are not for');
});
