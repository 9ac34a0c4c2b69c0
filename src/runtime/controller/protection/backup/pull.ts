/** Export of a backup in mode Pull, whose disks a client downloads. Pure. */
import { parseDuration } from '../../../../api/duration';
import type { VirtualMachineExport } from '../../../../api/generated/export-v1';
import { controllerRef } from '../../../../api/owner';
import type { KubeObject } from '../../../../api';
import type { Backup } from './observed';

const DEFAULT_TTL_MS = 2 * 3_600_000;

export const isPull = ({ spec }: Backup): boolean => spec.mode === 'Pull';

/** Time at which the backup ends. */
export const expirationOf = ({ metadata, spec }: Backup): number =>
  Date.parse(metadata.creationTimestamp ?? '') +
  ((spec.ttlDuration ? parseDuration(spec.ttlDuration) : undefined) ?? DEFAULT_TTL_MS);

/** The export, which has the name of the backup and ends with it. */
export function exportOf(backup: Backup, now: number): KubeObject & VirtualMachineExport {
  const { name = '', namespace } = backup.metadata;
  const seconds = Math.max(1, Math.ceil((expirationOf(backup) - now) / 1_000));
  return {
    apiVersion: 'export.kubevirt.io/v1',
    kind: 'VirtualMachineExport',
    metadata: { name, namespace, ownerReferences: [controllerRef(backup)] },
    spec: {
      source: { apiGroup: 'backup.kubevirt.io', kind: 'VirtualMachineBackup', name },
      tokenSecretRef: backup.spec.tokenSecretRef,
      ttlDuration: `${seconds}s`,
    },
  };
}

export const isOwnExport = ({ metadata }: KubeObject, backup: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ uid, controller }) => controller && uid === backup.metadata.uid) ?? false;

type Status = NonNullable<Backup['status']>;

/** The addresses of the disks; undefined while the exporter is not ready. */
export function offered(
  { metadata, status }: VirtualMachineExport,
  volumes: readonly string[],
): Pick<Status, 'endpointCert' | 'exportUID' | 'includedVolumes'> | undefined {
  const link = status?.links?.external?.backups ? status.links.external : status?.links?.internal;
  if (status?.phase !== 'Ready' || !link?.backups) return undefined;
  return {
    endpointCert: link.cert,
    exportUID: metadata.uid,
    includedVolumes: volumes.map((volumeName) => {
      const endpoints = link.backups?.find(({ name }) => name === volumeName)?.endpoints ?? [];
      const urlOf = (wanted: 'data' | 'map'): string | undefined =>
        endpoints.find(({ endpoint }) => endpoint === wanted)?.url;
      return { volumeName, dataEndpoint: urlOf('data'), mapEndpoint: urlOf('map') };
    }),
  };
}
