/** ConfigMaps, Secrets and similar volumes as small CDs. The kubelet mounts them; the guest reads the copy. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Volume } from '../../../api';
import type { DiskSource } from '../domain/facts';
import type { LauncherPaths } from '../paths';
import { DiskError } from './disk-error';
import { readMounted, writeWhole } from './files';
import { type IsoFiles, buildIso } from './iso9660';

/** Largest content of one of these objects (etcd's limit is 1.5 MiB). */
const MAX_BYTES = 4 * 1024 * 1024;

interface Origin {
  kind: string;
  directory: string;
  label: string;
}

function originOf(volume: Volume, paths: LauncherPaths): Origin | undefined {
  const { name, configMap, secret, downwardAPI, serviceAccount, sysprep } = volume;
  if (configMap)
    return {
      kind: 'config-map',
      directory: join(paths.private, 'config-map', name),
      label: configMap.volumeLabel ?? 'cfgdata',
    };
  if (secret) return { kind: 'secret', directory: paths.secret(name), label: secret.volumeLabel ?? 'cfgdata' };
  if (downwardAPI)
    return {
      kind: 'downwardapi',
      directory: join(paths.private, 'downwardapi', name),
      label: downwardAPI.volumeLabel ?? 'cfgdata',
    };
  if (serviceAccount)
    return { kind: 'service-account', directory: '/var/run/secrets/kubernetes.io/serviceaccount', label: 'cfgdata' };
  if (sysprep) return { kind: 'sysprep', directory: join(paths.private, 'sysprep', name), label: 'sysprep' };
  return undefined;
}

/** Files of a mounted object: its keys are plain names; the `..data` links belong to the kubelet. */
async function readKeys(directory: string, volume: string): Promise<IsoFiles> {
  const names = await readdir(directory).catch(() => {
    throw new DiskError(volume, `${directory} is not mounted in the Pod`, 'see the events of the Pod', 'DiskMissing');
  });
  const files = Object.create(null) as IsoFiles; // a key may be named __proto__
  let total = 0;
  for (const name of names.filter((each) => !each.startsWith('..'))) {
    const file = join(directory, name);
    if (!(await stat(file)).isFile()) continue;
    const content = (await readMounted(file, MAX_BYTES, volume)) ?? Buffer.alloc(0);
    total += content.length;
    if (total > MAX_BYTES)
      throw new DiskError(volume, `holds more than ${MAX_BYTES} bytes`, 'use a claim for large data');
    files[name] = content;
  }
  return files;
}

/** A CD with the volume's files; undefined if the volume is of another kind. */
export async function configDisk(volume: Volume, paths: LauncherPaths): Promise<DiskSource | undefined> {
  const origin = originOf(volume, paths);
  if (!origin) return undefined;
  const path = paths.isoDisk(origin.kind, volume.name);
  await writeWhole(path, buildIso(origin.label, await readKeys(origin.directory, volume.name)), volume.name);
  return { name: volume.name, type: 'file', path, format: 'raw', readonly: false, discard: 'unless-cdrom' };
}
