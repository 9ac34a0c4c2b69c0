/** Disks of a VM that have a claim. Pure. */
import { keys } from '../../../api/keys';
import { namedClaim } from '../pod';
import type { Claim, StorageClass, Vm, VolumeSnapshotClass } from './types';

const DEFAULT_CLASS = 'snapshot.storage.kubernetes.io/is-default-class';
/** First part of the name of a volume with persistent state. */
export const STATE = 'persistent-state-for';

/** Volume with the persistent state of a VM, which its spec does not name: EFI variables and TPM. */
export const stateVolumeOf = (vmName: string): string => `${STATE}-${vmName}`;

/** Selector of the claim with the persistent state. */
export const stateSelectorOf = (vmName: string): string => `${STATE}=${vmName}`;

/** Names of the claims by volume, in the order of the VM. `state`: claim with its persistent state. */
export function claimsOf({ metadata, spec }: Vm, state?: Claim): Map<string, string> {
  const named = (spec.template.spec?.volumes ?? []).flatMap((volume): [string, string][] => {
    const claim = namedClaim(volume);
    return claim ? [[volume.name, claim]] : [];
  });
  const kept: [string, string][] = state ? [[stateVolumeOf(metadata.name ?? ''), state.metadata.name ?? '']] : [];
  return new Map([...named, ...kept]);
}

/** Facts of a class about snapshots. */
export interface SnapshotSupport {
  readonly className?: string;
  /** Whether its snapshots block the writes of a running guest while their data are copied. */
  readonly isOffline?: boolean;
  /** Cause for which no class can be chosen. */
  readonly ambiguous?: string;
}

/** VolumeSnapshotClass for volumes of a StorageClass: that of its StorageProfile, the only one of its driver, or the default one. */
export function snapshotSupport(
  storageClass: StorageClass | undefined,
  chosen: string | undefined,
  classes: readonly VolumeSnapshotClass[],
): SnapshotSupport {
  const nameOf = ({ metadata }: VolumeSnapshotClass): string => metadata.name ?? '';
  const supportOf = (of: VolumeSnapshotClass): SnapshotSupport => ({
    className: nameOf(of),
    ...(of.metadata.annotations?.[keys.offlineSnapshots] === 'true' && { isOffline: true }),
  });
  const fitting = classes.filter(({ driver }) => driver !== undefined && driver === storageClass?.provisioner);
  const named = fitting.find((each) => nameOf(each) === chosen);
  if (named) return supportOf(named);
  if (fitting.length === 0) return {};
  if (fitting.length === 1) return supportOf(fitting[0]!);
  const standard = fitting.filter(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true');
  if (standard.length === 1) return supportOf(standard[0]!);
  const names = fitting.map(nameOf).join(', ');
  return {
    ambiguous:
      `StorageClass "${storageClass?.metadata.name}" has several VolumeSnapshotClasses (${names}); set spec.snapshotClass of its ` +
      `StorageProfile, or mark one class with the annotation ${DEFAULT_CLASS}: "true"`,
  };
}

/** Whether something else still fills the claim. */
export const isFilling = (claim: Claim, importPhase: string | undefined): boolean =>
  importPhase !== undefined &&
  importPhase !== 'Succeeded' &&
  claim.metadata.annotations?.[keys.populatedFor] !== claim.metadata.name;
