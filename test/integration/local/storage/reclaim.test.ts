import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/local/core-v1';
import { PROVISIONER } from '../../../../src/local/storage/decide';
import { startStorage, Storage } from '../../../../src/local/storage/storage';
import { KubeClient, loadKubeConfig, Resource, resources } from '../../../../src/runtime/kube';
import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { eventually } from '../api-server/client';

let server: TestApiServer;
let client: KubeClient;
let storage: Storage | undefined;

beforeEach(async () => {
  server = await startTestApiServer();
  client = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'local-storage' });
});
afterEach(async () => {
  await storage?.close();
  await server.close();
});

const volumeOf = (uid: string): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: `pvc-${uid}`, annotations: { 'pv.kubernetes.io/provisioned-by': PROVISIONER } },
  spec: {
    capacity: { storage: '1Mi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Delete',
    storageClassName: 'local',
    claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data', uid },
    local: { path: '/nowhere' },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n'] }] }],
      },
    },
  },
});

/** Creates the volume of a claim with its data. */
async function volume(uid: string): Promise<string> {
  const made = volumeOf(uid);
  const file = join(server.directory, 'storage', made.metadata.name!, 'file');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'data');
  await client.create(resources.persistentVolumes, made);
  return file;
}

/** A client whose lists of claims are old: they have no claim yet. */
const stale = (): KubeClient =>
  new Proxy(client, {
    get(target, property) {
      const value = Reflect.get(target, property, target) as unknown;
      if (typeof value !== 'function') return value;
      if (property !== 'list') return value.bind(target) as unknown;
      return async (resource: Resource, ...rest: unknown[]) => {
        const list = (await value.call(target, resource, ...rest)) as { items: unknown[] };
        return resource === resources.persistentVolumeClaims ? { ...list, items: [] } : list;
      };
    },
  });

test('data of a claim that the cache lacks are kept; those of another uid and of no claim are deleted', async () => {
  const claim = await client.create<PersistentVolumeClaim>(resources.persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'local', resources: { requests: { storage: '1Mi' } } },
  });
  const kept = await volume(claim.metadata.uid!);
  const replaced = await volume('11111111-2222-3333-4444-555555555555');
  storage = await startStorage({ client: stale(), dir: join(server.directory, 'storage'), nodes: ['n'] });
  await eventually(async () => !existsSync(replaced));
  // the volumes are worked on in order of their names or later; both have had their turn after another change
  await client.patch(
    resources.persistentVolumes,
    { name: `pvc-${claim.metadata.uid}` },
    { metadata: { labels: { a: 'b' } } },
    'merge',
  );
  const last = await volume('ffffffff-2222-3333-4444-555555555555');
  await eventually(async () => !existsSync(last));
  expect(existsSync(kept)).toBe(true);
  expect(await client.find(resources.persistentVolumes, { name: `pvc-${claim.metadata.uid}` })).toBeDefined();
});
