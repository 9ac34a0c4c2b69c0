import { statSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../../runtime/kube';
import type { KubeClient } from '../../../runtime/kube';
import { attempt, run } from '../host/command';
import type { PersistentVolume, PersistentVolumeClaim } from '../core-v1';

/** Where the data of a bound claim lies on this machine. */
export interface ClaimSource {
  readonly volumeName: string;
  readonly path: string;
  readonly block: boolean;
}

/** Follows a claim to its volume; throws while it is not bound. */
export async function sourceOfClaim(client: KubeClient, namespace: string, name: string): Promise<ClaimSource> {
  const claim = await client.find<PersistentVolumeClaim>(resources.persistentVolumeClaims, { namespace, name });
  if (!claim) throw new Error(`persistentvolumeclaim "${name}" not found`);
  const volumeName = claim.spec?.volumeName;
  if (!volumeName || claim.status?.phase !== 'Bound') {
    throw new Error(`PVC ${namespace}/${name} is not bound; it waits for a volume of its storage class`);
  }
  const volume = await client.find<PersistentVolume>(resources.persistentVolumes, { name: volumeName });
  const path = volume?.spec?.local?.path ?? volume?.spec?.hostPath?.path;
  if (!path) throw new Error(`persistentvolume "${volumeName}" has neither spec.local nor spec.hostPath`);
  return { volumeName, path, block: volume?.spec?.volumeMode === 'Block' };
}

/** The block device of a volume: the path itself, or a loop device over the file there (the same one each time). */
export async function blockDeviceOf(path: string): Promise<string> {
  if (statSync(path).isBlockDevice()) return path;
  const { stdout } = await run('losetup', ['--noheadings', '--output', 'NAME', '--associated', path]);
  const known = stdout.trim().split('\n')[0]?.trim();
  if (known) return known;
  // O_DIRECT keeps the data out of the page cache twice; not all file systems have it
  const direct = await attempt('losetup', ['--find', '--show', '--direct-io=on', path]);
  if (direct.code === 0) return direct.stdout.trim();
  return (await run('losetup', ['--find', '--show', path])).stdout.trim();
}

/** Detaches the loop devices over files below a directory. */
export async function detachLoops(directory: string): Promise<void> {
  const { stdout } = await attempt('losetup', ['--noheadings', '--raw', '--output', 'NAME,BACK-INO,BACK-FILE']);
  for (const line of stdout.split('\n')) {
    const [name = '', inode = '', ...file] = line.split(' ');
    const backing = file.join(' ').replace(/ \(deleted\)$/, '');
    if (name && (backing.startsWith(`${directory}/`) || isFile(join(directory, backing), inode))) {
      await attempt('losetup', ['--detach', name]);
    }
  }
}

/** Whose mount namespace has ended, the kernel names from the root of the mount that it had: the directory itself. */
function isFile(path: string, inode: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.ino === Number(inode);
}
