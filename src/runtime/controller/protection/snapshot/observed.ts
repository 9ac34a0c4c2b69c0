import type { Backup } from '../backup/observed';
import type { Claim, Content, Snapshot, Vm, Vmi } from '../types';
import type { SnapshotSupport } from '../volumes';

/** Claim of a volume, as it was found. */
export interface VolumeState {
  /** Name of the claim. */
  readonly name: string;
  readonly claim?: Claim;
  /** Phase of the DataVolume that controls the claim. */
  readonly importPhase?: string;
  readonly support: SnapshotSupport;
}

/** Everything observed about one snapshot at one moment. */
export interface Observed {
  readonly snapshot: Snapshot;
  readonly content?: Content;
  /** Backup in which QEMU copies the disks of the running guest. */
  readonly guestCopy?: Backup;
  readonly vm?: Vm;
  /** Instance of the VM. */
  readonly vmi?: Vmi;
  /** Volumes of the VM that have a claim, by name. Read until the content exists. */
  readonly volumes: ReadonlyMap<string, VolumeState>;
  readonly now: number;
}
