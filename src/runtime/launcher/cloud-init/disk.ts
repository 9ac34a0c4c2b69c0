/** The CD of a cloud-init volume, written from the VMI and its Secrets. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CloudInitNoCloudSource, Volume, VirtualMachineInstance } from '../../../api';
import { DiskError } from '../disks/disk-error';
import { readMounted, writeWhole } from '../disks/files';
import { buildIso } from '../disks/iso9660';
import type { DiskSource } from '../domain/facts';
import type { LauncherPaths } from '../paths';
import { configDriveFiles, noCloudFiles } from './data';

export interface CloudInitContext {
  vmi: VirtualMachineInstance;
  paths: LauncherPaths;
}

/** Limit for a Secret, which is smaller (etcd's limit is 1.5 MiB). */
const MAX_BYTES = 2 * 1024 * 1024;

/** The first existing file. */
async function firstOf(files: string[], volume: string): Promise<string | undefined> {
  for (const file of files) {
    const text = await readMounted(file, MAX_BYTES, volume);
    if (text !== undefined) return text.toString('utf8');
  }
  return undefined;
}

function decoded(plain: string | undefined, base64: string | undefined, volume: string): string | undefined {
  if (plain !== undefined || base64 === undefined) return plain;
  if (!/^[\w+/\s-]*={0,2}\s*$/.test(base64))
    throw new DiskError(volume, 'its base64 data cannot be decoded', 'encode it with base64 -w0');
  return Buffer.from(base64, 'base64').toString();
}

/** User and network data: inline, or the keys of a Secret that the Pod mounts. */
async function dataOf(
  source: CloudInitNoCloudSource,
  volume: string,
  paths: LauncherPaths,
): Promise<{ userData: string; networkData?: string }> {
  const secret = paths.secret(volume);
  const names = (...keys: string[]): string[] => keys.map((key) => join(secret, key));
  let userData = decoded(source.userData, source.userDataBase64, volume);
  if (userData === undefined && source.secretRef) {
    userData = await firstOf(names('userdata', 'userData'), volume);
    if (userData === undefined) {
      const problem = `Secret "${source.secretRef.name}" has no key userdata`;
      throw new DiskError(volume, problem, 'add one of the keys userdata or userData', 'DiskMissing');
    }
  }
  let networkData = decoded(source.networkData, source.networkDataBase64, volume);
  if (networkData === undefined && source.networkDataSecretRef) {
    networkData = await firstOf(names('networkdata', 'networkData'), volume);
    if (networkData === undefined) {
      const problem = `Secret "${source.networkDataSecretRef.name}" has no key networkdata`;
      throw new DiskError(volume, problem, 'add one of the keys networkdata or networkData', 'DiskMissing');
    }
  }
  return { userData: userData ?? '', networkData };
}

/** Public keys that `accessCredentials` delivers through cloud-init. */
async function publicKeys(
  { vmi, paths }: CloudInitContext,
  method: 'noCloud' | 'configDrive',
  volume: string,
): Promise<string[]> {
  const keys: string[] = [];
  for (const { sshPublicKey } of vmi.spec.accessCredentials ?? []) {
    const secret = sshPublicKey?.source.secret?.secretName;
    if (!secret || !sshPublicKey.propagationMethod[method]) continue;
    const directory = paths.accessCredential(secret);
    const names = (await readdir(directory).catch(() => [])).filter((name) => !name.startsWith('.')).sort();
    for (const name of names) {
      const key = await readMounted(join(directory, name), MAX_BYTES, volume);
      if (key) keys.push(key.toString('utf8'));
    }
  }
  return keys;
}

/** Stable for a VM, so that cloud-init runs its once-per-instance tasks once: the firmware's UUID, else derived from the name. */
async function instanceId(vmi: VirtualMachineInstance): Promise<string> {
  const { firmware } = vmi.spec.domain;
  if (firmware?.uuid) return firmware.uuid;
  // loaded on demand: node:crypto costs each VM more than a megabyte
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(`${vmi.metadata.namespace}/${vmi.metadata.name}`).digest('hex').slice(0, 32);
}

/** Writes the CD. A running guest keeps its CD; a restart reads the new one. */
export async function cloudInitDisk(volume: Volume, context: CloudInitContext): Promise<DiskSource> {
  const { vmi, paths } = context;
  const noCloud = volume.cloudInitNoCloud !== undefined;
  const source = (volume.cloudInitNoCloud ?? volume.cloudInitConfigDrive)!;
  const { userData, networkData } = await dataOf(source, volume.name, paths);
  const input = {
    instanceId: await instanceId(vmi),
    hostname: vmi.spec.hostname || vmi.metadata.name!,
    namespace: vmi.metadata.namespace!,
    userData,
    networkData,
    publicKeys: await publicKeys(context, noCloud ? 'noCloud' : 'configDrive', volume.name),
  };
  const iso = noCloud ? buildIso('cidata', noCloudFiles(input)) : buildIso('config-2', configDriveFiles(input));
  const path = join(
    paths.cloudInit(vmi.metadata.namespace!, vmi.metadata.name!),
    noCloud ? 'noCloud.iso' : 'configdrive.iso',
  );
  await writeWhole(path, iso, volume.name);
  return { name: volume.name, type: 'file', path, format: 'raw', readonly: false, discard: 'unless-cdrom' };
}
