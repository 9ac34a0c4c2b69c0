import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../../../src/api';
import { keys } from '../../../../src/api/keys';
import type { PersistentVolumeClaim } from '../../../../src/local/core-v1';
import { engineUsers } from '../../../../src/local/engine/access';
import { installAccess, installDefinitions } from '../../../../src/local/engine/bootstrap';
import { CLONING } from '../../../../src/local/storage/decide';
import { snapshotDefinitions } from '../../../../src/local/storage/snapshots/definitions';
import type { VolumeSnapshot, VolumeSnapshotContent } from '../../../../src/local/storage/snapshots/types';
import { startStorage, type Storage } from '../../../../src/local/storage/storage';
import { KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import { startTestApiServer, type TestApiServer } from '../../../support/api-server';
import { ReflinkStorage } from '../../../support/reflink-storage';
import { until } from '../../../support/until';

const namespace = 'default';
const SELECTED = { 'volume.kubernetes.io/selected-node': 'n' };
const STORED = 'snapshot.storage.k8s.io';

let server: TestApiServer;
let client: KubeClient;
let storage: Storage | undefined;
let folder: string;

beforeEach(async () => {
  server = await startTestApiServer();
  client = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'test' });
  await installDefinitions(client, snapshotDefinitions);
  await installAccess(client, { platform: false });
  folder = join(server.directory, 'storage');
});
afterEach(async () => {
  await storage?.close();
  await server.close();
});

/** Starts the storage, as the user that it has in the engine. */
async function start(dir = folder): Promise<void> {
  await storage?.close();
  const config = loadKubeConfig(await server.kubeconfigFor(engineUsers.storage));
  storage = await startStorage({ client: new KubeClient(config, { userAgent: 'local-storage' }), dir, nodes: ['n'] });
}

const createClaim = (name: string, spec: object = {}, annotations: object = SELECTED): Promise<PersistentVolumeClaim> =>
  client.create<PersistentVolumeClaim>(resources.persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace, annotations: annotations as Record<string, string> },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'local',
      volumeMode: 'Block',
      resources: { requests: { storage: '1Mi' } },
      ...spec,
    },
  });
const claim = (name: string) =>
  client.find<PersistentVolumeClaim>(resources.persistentVolumeClaims, { namespace, name });
const bound = (name: string): Promise<string> =>
  until(async () => {
    const found = await claim(name);
    return found?.status?.phase === 'Bound' && join(folder, found.spec?.volumeName ?? '', 'volume.img');
  });

const createSnapshot = (): Promise<KubeObject> =>
  client.create(resources.volumeSnapshots, {
    apiVersion: `${STORED}/v1`,
    kind: 'VolumeSnapshot',
    metadata: { name: 's', namespace },
    spec: { source: { persistentVolumeClaimName: 'source' } },
  } as KubeObject);
const snapshot = () => client.find<VolumeSnapshot>(resources.volumeSnapshots, { namespace, name: 's' });
const taken = (): Promise<string> =>
  until(async () => {
    const { readyToUse, error, boundVolumeSnapshotContentName: name = '' } = (await snapshot())?.status ?? {};
    if (!readyToUse) return undefined;
    expect(error).toBeUndefined();
    const content = await client.get<VolumeSnapshotContent>(resources.volumeSnapshotContents, { name });
    return join(folder, content.status?.snapshotHandle ?? '', 'volume.img');
  });

/** Message of the first event with this reason about an object. */
const event = (reason: string, name: string): Promise<string> =>
  until(async () => {
    type Event = KubeObject & { reason: string; message: string; involvedObject: { name: string } };
    const { items } = await client.list<Event>(resources.events, { namespace });
    return items.find((each) => each.reason === reason && each.involvedObject.name === name)?.message;
  });

async function createPod(claimName: string): Promise<void> {
  await client.create(resources.pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'launcher', namespace },
    spec: {
      containers: [{ name: 'main', image: 'image' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }],
    },
  } as KubeObject);
}
const endPod = () =>
  client.patch(
    resources.pods,
    { namespace, name: 'launcher', subresource: 'status' },
    { status: { phase: 'Succeeded' } },
    'merge',
  );

const snapshotClass = () => client.get(resources.volumeSnapshotClasses, { name: 'local' });
const copyOf = (kind: string, name: string) => ({
  dataSource: { kind, name, ...(kind === 'VolumeSnapshot' && { apiGroup: STORED }) },
});

test('without reflinks, a Block volume is copied when the Pod that uses it has ended', async () => {
  await start();
  await createClaim('source');
  writeFileSync(await bound('source'), 'data', { flag: 'r+' });
  await createPod('source');
  await createSnapshot();
  await createClaim('copy', copyOf('PersistentVolumeClaim', 'source'));
  const refused = /is in use by Pod "launcher".*; stop the VM or the Pod that uses it; /;
  expect(await event('ProvisioningFailed', 'copy')).toMatch(refused);
  const error = await until(async () => (await snapshot())?.status?.error?.message);
  expect(error).toMatch(refused);
  expect((await snapshot())?.status?.readyToUse).toBe(false);
  await endPod();
  for (const image of [await taken(), await bound('copy')]) {
    expect(readFileSync(image).toString('latin1', 0, 4)).toBe('data');
  }
});

test('the class of snapshots reports whether they are offline, also after the storage was moved', async () => {
  const reflinks = ReflinkStorage.create(300 << 20);
  try {
    await start();
    expect((await snapshotClass()).metadata.annotations).toMatchObject({ [keys.offlineSnapshots]: 'true' });
    const body = { metadata: { annotations: { 'example.com/mine': 'kept' } }, deletionPolicy: 'Retain' };
    await client.patch(resources.volumeSnapshotClasses, { name: 'local' }, body, 'merge');

    folder = join(reflinks.path, 'storage');
    await start();
    const { metadata, ...rest } = await snapshotClass();
    expect(Object.keys(metadata.annotations ?? {})).not.toContain(keys.offlineSnapshots);
    expect(metadata.annotations).toMatchObject({ 'example.com/mine': 'kept' });
    expect(rest).toMatchObject({ deletionPolicy: 'Retain' });

    await createClaim('source');
    await bound('source');
    await createPod('source');
    await createSnapshot();
    await createClaim('copy', copyOf('PersistentVolumeClaim', 'source'));
    await taken();
    await bound('copy');

    folder = join(server.directory, 'storage');
    mkdirSync(folder, { recursive: true });
    await start();
    expect((await snapshotClass()).metadata.annotations).toMatchObject({
      [keys.offlineSnapshots]: 'true',
      'example.com/mine': 'kept',
    });
  } finally {
    await storage?.close();
    storage = undefined;
    reflinks.remove();
  }
});

test('a deleted snapshot keeps its data until a claim that names it is bound', async () => {
  await start();
  await createClaim('source');
  writeFileSync(await bound('source'), 'data', { flag: 'r+' });
  await createSnapshot();
  const image = await taken();
  await createClaim('restored', copyOf('VolumeSnapshot', 's'), {});
  const contents = await client.list(resources.volumeSnapshotContents);
  await client.delete(resources.volumeSnapshotContents, { name: contents.items[0]!.metadata.name! });
  await client.delete(resources.volumeSnapshots, { namespace, name: 's' });
  expect(await event('SnapshotDeletePending', 's')).toMatch(/^PersistentVolumeClaim "restored" has this snapshot/);
  expect(existsSync(image)).toBe(true);
  const ref = { namespace, name: 'restored' };
  await client.patch(resources.persistentVolumeClaims, ref, { metadata: { annotations: SELECTED } }, 'merge');
  expect(readFileSync(await bound('restored')).toString('latin1', 0, 4)).toBe('data');
  await until(async () => !(await snapshot()) && !existsSync(image));
  expect((await client.list(resources.volumeSnapshotContents)).items).toEqual([]);
});

test('a deleted snapshot ends when the claim that names it is deleted', async () => {
  await start();
  await createClaim('source');
  await bound('source');
  await createSnapshot();
  const image = await taken();
  await createClaim('restored', copyOf('VolumeSnapshot', 's'), {});
  await client.delete(resources.volumeSnapshots, { namespace, name: 's' });
  await event('SnapshotDeletePending', 's');
  await client.delete(resources.persistentVolumeClaims, { namespace, name: 'restored' });
  await until(async () => !(await snapshot()) && !existsSync(image));
});

test('a deleted claim keeps its data while another one is cloned from it', async () => {
  await start();
  await createClaim('source');
  const image = await bound('source');
  // it is refused, and may be corrected
  await createClaim('copy', {
    ...copyOf('PersistentVolumeClaim', 'source'),
    resources: { requests: { storage: '1Ki' } },
  });
  await event('ProvisioningFailed', 'copy');
  await client.delete(resources.persistentVolumeClaims, { namespace, name: 'source' });
  expect(await event('ClaimDeletePending', 'source')).toMatch(/^PersistentVolumeClaim "copy" is being cloned/);
  // other controllers have released it
  await until(async () => (await claim('source'))?.metadata.finalizers?.join() === CLONING);
  expect(existsSync(image)).toBe(true);
  await client.delete(resources.persistentVolumeClaims, { namespace, name: 'copy' });
  await until(async () => !(await claim('source')) && !existsSync(image));
});
