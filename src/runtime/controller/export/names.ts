/** Names of the objects of an export. Pure. */
import { parseDuration } from '../../../api/duration';
import { exporterNameOf, labelName } from '../../../api/export/exporter-name';
import type { Condition, VirtualMachineExport as Export } from '../../../api/generated/export-v1';
import type { core, KubeObject, snapshot } from '../../../api';
import { copyOf } from '../protection/types';

export type VirtualMachineExport = Export & KubeObject;
export type ExportCondition = Condition;

/** A claim, with the fields that exports read. */
export interface ExportClaim extends KubeObject {
  readonly spec: core.PersistentVolumeClaimSpec;
  readonly status?: { readonly phase?: string };
}

/** Label of all Pods of exporters. */
export const EXPORTER_LABEL = { 'kubevirt.io': 'virt-exporter' } as const;
/** Label by which the Service of an export finds its Pod. */
export const SERVICE_LABEL = 'kubevirt.io.virt-export-service';

/** Name of the Pod and the Service. */
export const exporterName = ({ metadata }: KubeObject): string => exporterNameOf(metadata.name ?? '');

/** Name of the Secret with the token, if the user has not named one. */
export const tokenSecretName = ({ metadata }: KubeObject): string => labelName('export-token', metadata.name ?? '');

/** Name of the ConfigMap with the manifests. */
export const manifestsName = ({ metadata }: KubeObject): string =>
  labelName('exporter-vm-manifest', metadata.name ?? '');

/** Name of the claim that a claim of a snapshot is restored to. */
export const restoredName = ({ metadata }: KubeObject, claim: string): string =>
  `${metadata.name}-${claim}`.slice(0, 253);

/** Name of the claim with a disk of a snapshot: its copy, if its storage has no snapshots, or else the one that it is restored to. */
export const snapshotClaim = (vmExport: KubeObject, backup: snapshot.VolumeBackup): string =>
  copyOf(backup) ?? restoredName(vmExport, backup.persistentVolumeClaim.metadata?.name ?? '');

const DEFAULT_TTL_MS = 2 * 3_600_000;

/** Time at which an export is deleted. */
export const expirationOf = ({ metadata, spec }: VirtualMachineExport): number =>
  Date.parse(metadata.creationTimestamp ?? '') +
  ((spec.ttlDuration ? parseDuration(spec.ttlDuration) : undefined) ?? DEFAULT_TTL_MS);
