import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../../../src/api/meta';
import type { PersistentVolumeClaim } from '../../../../src/local/core-v1';
import { startStorage } from '../../../../src/local/storage/storage';
import { KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import { startTestApiServer } from '../../../support/api-server';
import { until } from '../../../support/until';

const MIB = 1 << 20;

test('a claim reports that the machine is full, and is bound once there is space', async () => {
  const server = await startTestApiServer();
  const client = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'local-storage' });
  const folder = join(server.directory, 'storage');
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder]);
  const ballast = join(folder, '.partial-ballast');
  const storage = await startStorage({ client, dir: folder, nodes: ['node'] });
  try {
    mkdirSync(ballast);
    writeFileSync(join(ballast, 'file'), Buffer.alloc(15 * MIB + MIB / 2));
    await client.create<PersistentVolumeClaim>(resources.persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: 'data',
        namespace: 'default',
        annotations: { 'volume.kubernetes.io/selected-node': 'node' },
      },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'local',
        resources: { requests: { storage: '1Gi' } },
      },
    });
    await until(async () => {
      const { items } = await client.list<KubeObject & { reason: string; message: string }>(resources.events);
      return items.some(
        ({ reason, message }) =>
          reason === 'ProvisioningFailed' &&
          /No space left on device.*; free space on this machine; it is tried again$/s.test(message),
      );
    });
    rmSync(ballast, { recursive: true });
    await until(async () => {
      const ref = { namespace: 'default', name: 'data' };
      const claim = await client.find<PersistentVolumeClaim>(resources.persistentVolumeClaims, ref);
      return claim?.status?.phase === 'Bound';
    });
  } finally {
    await storage.close();
    execFileSync('sh', ['-c', `umount ${folder}/*/mount; umount ${folder}`]);
    await server.close();
  }
});

// in a mount namespace of its own: that of an engine which starts meanwhile would keep the file system mounted
test('a file system that cannot grow while it is mounted grows at the next start', () => {
  const folder = mkdtempSync('/var/lib/virt8s-test-volumes-');
  const mount = join(folder, 'pvc-a/mount');
  const source = JSON.stringify(join(process.cwd(), 'src/local/storage/volume-files.ts'));
  // a process without the capability, as the engine in most containers
  const expand = `
    const { VolumeFiles } = require(${source});
    new VolumeFiles(${JSON.stringify(folder)}).expand('pvc-a', ${64 * MIB}, false).then(
      () => console.log('grown'), (error) => console.log(error.message));`;
  const scenario = `
    const { execFileSync } = require('node:child_process');
    const { readFileSync, statfsSync, writeFileSync } = require('node:fs');
    const { VolumeFiles } = require(${source});
    const [folder, mount] = ${JSON.stringify([folder, mount])};
    const bytes = () => statfsSync(mount).blocks * statfsSync(mount).bsize;
    const open = async () => { const files = new VolumeFiles(folder); await files.open(); return files; };
    (async () => {
      const files = await open();
      await files.create('pvc-a', { bytes: ${16 * MIB}, isBlock: false });
      writeFileSync(mount + '/file', 'kept');
      const args = ['--bounding-set=-sys_resource', 'tsx', '--eval', ${JSON.stringify(expand)}];
      const answer = execFileSync('setpriv', args, { encoding: 'utf8' });
      // in use, it stays as it is: by Pods that outlived an engine, for example
      await open();
      const inUse = bytes();
      execFileSync('umount', [mount]);
      await open();
      const result = { answer, inUse, after: bytes(), file: readFileSync(mount + '/file', 'utf8') };
      await files.remove('pvc-a');
      console.log(JSON.stringify(result));
    })();`;
  try {
    const args = ['--mount', 'tsx', '--eval', scenario];
    const { answer, inUse, after, file } = JSON.parse(execFileSync('unshare', args, { encoding: 'utf8' })) as {
      answer: string;
      inUse: number;
      after: number;
      file: string;
    };
    expect(answer).toContain('Permission denied to resize filesystem');
    expect(inUse).toBeLessThan(16 * MIB);
    expect(after).toBeGreaterThan(48 * MIB);
    expect(file).toBe('kept');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
