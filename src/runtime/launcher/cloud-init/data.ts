/** cloud-init's data as files of a CD. Pure. */
import type { IsoFiles } from '../disks/iso9660';

export interface CloudInitInput {
  instanceId: string;
  hostname: string;
  namespace: string;
  userData: string;
  networkData?: string;
  publicKeys: readonly string[];
  /** Device tags, for ConfigDrive. */
  devices?: readonly object[];
}

/** Unique keys in the given order, without empty lines. */
function keysOf({ publicKeys }: CloudInitInput): string[] {
  const lines = publicKeys.flatMap((text) => text.split('\n')).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== '' && !line.startsWith('#')))];
}

/** `cidata`: meta-data is JSON, which every YAML parser accepts. */
export function noCloudFiles(input: CloudInitInput): IsoFiles {
  const keys = keysOf(input);
  const meta: Record<string, unknown> = { 'instance-id': input.instanceId, 'local-hostname': input.hostname };
  if (keys.length > 0) meta['public-keys'] = Object.fromEntries(keys.map((key, i) => [String(i), key]));
  return {
    'meta-data': `${JSON.stringify(meta)}\n`,
    'user-data': input.userData,
    ...(input.networkData ? { 'network-config': input.networkData } : {}),
  };
}

/** `config-2`: OpenStack's layout. */
export function configDriveFiles(input: CloudInitInput): IsoFiles {
  const keys = keysOf(input);
  const meta: Record<string, unknown> = {
    instance_id: input.instanceId,
    uuid: input.instanceId,
    hostname: input.hostname,
    local_hostname: input.hostname,
    ...(input.devices?.length ? { devices: input.devices } : {}),
  };
  if (keys.length > 0) meta.public_keys = Object.fromEntries(keys.map((key, i) => [String(i), key]));
  return {
    'openstack/latest/meta_data.json': `${JSON.stringify(meta)}\n`,
    'openstack/latest/user_data': input.userData,
    ...(input.networkData ? { 'openstack/latest/network_data.json': input.networkData } : {}),
  };
}
