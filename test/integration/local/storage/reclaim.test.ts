import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/local/core-v1';
import { PROVISIONER } from '../../../../src/local/storage/decide';
import { startStorage, Storage } from '../../../../src/local/storage/storage';
import { VolumeFiles } from '../../../../src/local/storage/volume-files';
import { KubeClient, loadKubeConfig, Resource, resources } from '../../../../src/runtime/kube';
import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { until } from '../../../support/until';

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

const createClaim = (name: string, spec: object = {}): Promise<PersistentVolumeClaim> =>
  client.create<PersistentVolumeClaim>(resources.persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'local',
      resources: { requests: { storage: '1Mi' } },
      ...spec,
    },
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

/** A client whose lists of a kind are old: they have no object of it yet. */
const stale = (kind: Resource): KubeClient =>
  new Proxy(client, {
    get(target, property) {
      const value = Reflect.get(target, property, target) as unknown;
      if (typeof value !== 'function') return value;
      if (property !== 'list') return value.bind(target) as unknown;
      return async (resource: Resource, ...rest: unknown[]) => {
        const list = (await value.call(target, resource, ...rest)) as { items: unknown[] };
        return resource === kind ? { ...list, items: [] } : list;
      };
    },
  });

test('data of a claim that the cache lacks are kept; those of another uid and of no claim are deleted', async () => {
  const claim = await createClaim('data');
  const kept = await volume(claim.metadata.uid!);
  const replaced = await volume('11111111-2222-3333-4444-555555555555');
  storage = await startStorage({
    client: stale(resources.persistentVolumeClaims),
    dir: join(server.directory, 'storage'),
    nodes: ['n'],
  });
  await until(async () => !existsSync(replaced));
  // the volumes are worked on in order of their names or later; both have had their turn after another change
  await client.patch(
    resources.persistentVolumes,
    { name: `pvc-${claim.metadata.uid}` },
    { metadata: { labels: { a: 'b' } } },
    'merge',
  );
  const last = await volume('ffffffff-2222-3333-4444-555555555555');
  await until(async () => !existsSync(last));
  expect(existsSync(kept)).toBe(true);
  expect(await client.find(resources.persistentVolumes, { name: `pvc-${claim.metadata.uid}` })).toBeDefined();
});

test('a claim is lost only if the API server has no volume for it', async () => {
  const bound = async (name: string): Promise<PersistentVolumeClaim> => {
    const made = await createClaim(name, { volumeName: `pvc-${name}` });
    const ref = { namespace: 'default', name, subresource: 'status' };
    await client.patch(resources.persistentVolumeClaims, ref, { status: { phase: 'Bound' } }, 'merge');
    return made;
  };
  const phaseOf = async (name: string): Promise<string | undefined> =>
    (await client.get<PersistentVolumeClaim>(resources.persistentVolumeClaims, { namespace: 'default', name })).status
      ?.phase;
  const { metadata } = await bound('data');
  await bound('gone');
  const { spec, ...volume } = volumeOf('data');
  await client.create(resources.persistentVolumes, {
    ...volume,
    spec: { ...spec, claimRef: { ...spec!.claimRef, uid: metadata.uid } },
  });
  storage = await startStorage({
    client: stale(resources.persistentVolumes),
    dir: join(server.directory, 'storage'),
    nodes: ['n'],
  });
  // claims are worked on one after the other, in the order of their names
  await until(async () => (await phaseOf('gone')) === 'Lost');
  expect(await phaseOf('data')).toBe('Bound');
});

test('a volume whose claim was deleted before it had a PersistentVolume is removed, and another one is kept', async () => {
  const made = (uid: string): string => {
    const folder = join(server.directory, 'storage', `pvc-${uid}`);
    mkdirSync(folder, { recursive: true });
    for (const name of ['volume.img', 'unnamed']) writeFileSync(join(folder, name), '');
    return folder;
  };
  const orphan = made('11111111-2222-3333-4444-555555555555');
  const claim = await createClaim('data');
  const waits = made(claim.metadata.uid!);
  const named = made('ffffffff-2222-3333-4444-555555555555');
  await client.create(resources.persistentVolumes, {
    ...volumeOf('ffffffff-2222-3333-4444-555555555555'),
    spec: { ...volumeOf('').spec, persistentVolumeReclaimPolicy: 'Retain' },
  });
  storage = await startStorage({ client, dir: join(server.directory, 'storage'), nodes: ['n'] });
  await until(async () => !existsSync(orphan) && !existsSync(join(named, 'unnamed')));
  expect([waits, named].map((folder) => existsSync(join(folder, 'volume.img')))).toEqual([true, true]);

  // a creation that failed leaves nothing when its claim is deleted
  mkdirSync(join(server.directory, 'storage', `.partial-pvc-${claim.metadata.uid}`));
  await client.delete(resources.persistentVolumeClaims, { namespace: 'default', name: 'data' });
  await until(async () => readdirSync(join(server.directory, 'storage')).join() === basename(named));
});

describe('the files of volumes', () => {
  const loops = (folder: string): string[] =>
    execFileSync('losetup', ['--list', '--noheadings', '--output', 'BACK-FILE'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.startsWith(folder));
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync('/var/lib/virt8s-test-volumes-')));
  afterEach(() => rmSync(folder, { recursive: true }));

  test('a removal that was interrupted is completed by the next start', async () => {
    const volumes = new VolumeFiles(folder);
    await volumes.open();
    await volumes.create('pvc-a', { bytes: 16 << 20, isBlock: false });
    await volumes.create('pvc-b', { bytes: 16 << 20, isBlock: false });
    execFileSync('umount', [join(folder, 'pvc-a/mount')]);
    execFileSync('chattr', ['+i', join(folder, 'pvc-a/mount')]);
    await expect(volumes.remove('pvc-a')).rejects.toThrow(/EPERM/);
    execFileSync('sh', ['-c', `chattr -i ${folder}/*/mount ${folder}/.*/mount 2>/dev/null || true`]);
    const next = new VolumeFiles(folder);
    await next.open();
    expect(readdirSync(folder)).toEqual(['pvc-b']);
    await next.remove('pvc-b');
    expect(readdirSync(folder)).toEqual([]);
    expect(loops(folder)).toEqual([]);
  });

  test('a volume is removed with its loop device, also if the mount namespace of the device has ended', async () => {
    const volumes = new VolumeFiles(folder);
    await volumes.open();
    await volumes.create('pvc-a', { bytes: 1 << 20, isBlock: true });
    const { ino } = statSync(volumes.path('pvc-a', true));
    const attach = `mount --bind ${folder} ${folder} && losetup --find ${folder}/pvc-a/volume.img`;
    execFileSync('unshare', ['--mount', 'sh', '-c', attach]);
    const inodes = (): number[] =>
      execFileSync('losetup', ['--list', '--noheadings', '--output', 'BACK-INO'], { encoding: 'utf8' })
        .split('\n')
        .map(Number);
    expect(inodes()).toContain(ino);
    // relative to the mount
    expect(loops(folder)).toEqual([]);
    await volumes.remove('pvc-a');
    expect(inodes()).not.toContain(ino);
  });

  test('a creation that was interrupted leaves no loop device', async () => {
    const partial = join(folder, '.partial-pvc-a');
    mkdirSync(partial);
    writeFileSync(join(partial, 'volume.img'), Buffer.alloc(1 << 20));
    execFileSync('losetup', ['--find', join(partial, 'volume.img')]);
    expect(loops(folder)).toHaveLength(1);
    await new VolumeFiles(folder).open();
    expect(readdirSync(folder)).toEqual([]);
    expect(loops(folder)).toEqual([]);
  });
});
