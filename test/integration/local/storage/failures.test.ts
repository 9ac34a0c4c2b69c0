import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../../../src/api/meta';
import type { PersistentVolumeClaim } from '../../../../src/local/core-v1';
import { startStorage } from '../../../../src/local/storage/storage';
import { VolumeFiles } from '../../../../src/local/storage/volume-files';
import { KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import { startTestApiServer } from '../../../support/api-server';
import { eventually } from '../api-server/client';

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
    await eventually(async () => {
      const { items } = await client.list<KubeObject & { reason: string; message: string }>(resources.events);
      return items.some(
        ({ reason, message }) =>
          reason === 'ProvisioningFailed' &&
          /No space left on device.*; free space on this machine; it is tried again$/s.test(message),
      );
    });
    rmSync(ballast, { recursive: true });
    await eventually(async () => {
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

test('a file system that cannot grow while it is mounted grows at the next start', async () => {
  const folder = mkdtempSync('/var/lib/virt8s-test-volumes-');
  const mount = join(folder, 'pvc-a/mount');
  const bytes = (): number => statfsSync(mount).blocks * statfsSync(mount).bsize;
  const volumes = new VolumeFiles(folder);
  try {
    await volumes.open();
    await volumes.create('pvc-a', { bytes: 16 * MIB, isBlock: false });
    writeFileSync(join(mount, 'file'), 'kept');
    // a process without the capability, as the engine in most containers
    const withoutCapability = `
      const { VolumeFiles } = require(${JSON.stringify(join(process.cwd(), 'src/local/storage/volume-files.ts'))});
      new VolumeFiles(${JSON.stringify(folder)}).expand('pvc-a', ${64 * MIB}, false).then(
        () => console.log('grown'), (error) => console.log(error.message));`;
    const script = ['--bounding-set=-sys_resource', 'tsx', '--eval', withoutCapability];
    expect(execFileSync('setpriv', script, { encoding: 'utf8' })).toContain('Permission denied to resize filesystem');
    expect(bytes()).toBeLessThan(16 * MIB);
    // in use, it stays as it is: by Pods that outlived an engine, for example
    await new VolumeFiles(folder).open();
    expect(bytes()).toBeLessThan(16 * MIB);
    execFileSync('umount', [mount]);
    await new VolumeFiles(folder).open();
    expect(bytes()).toBeGreaterThan(48 * MIB);
    expect(execFileSync('cat', [join(mount, 'file')], { encoding: 'utf8' })).toBe('kept');
    await volumes.remove('pvc-a');
  } finally {
    execFileSync('sh', ['-c', `umount ${mount} 2>/dev/null || true`]);
    rmSync(folder, { recursive: true });
  }
});
