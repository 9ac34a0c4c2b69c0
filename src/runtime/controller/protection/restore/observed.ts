import type { KubeObject } from '../../../../api';
import type { Claim, Content, Restore, Snapshot, Vm, Vmi, VolumeSnapshot } from '../types';

/** Everything observed about one restore at one moment. */
export interface Observed {
  readonly restore: Restore;
  readonly snapshot?: Snapshot;
  readonly content?: Content;
  /** Target. */
  readonly vm?: Vm;
  readonly vmi?: Vmi;
  /** Claims with the names of the restored ones, by name. */
  readonly claims: ReadonlyMap<string, Claim>;
  /** StorageClasses that bind claims immediately. */
  readonly immediate: ReadonlySet<string>;
  /** VolumeSnapshots of the content, by name. */
  readonly volumeSnapshots: ReadonlyMap<string, VolumeSnapshot>;
  /** Claims with copies of the content, by name. */
  readonly copies: ReadonlyMap<string, Claim>;
  /** Pods that use a claim which the restore replaces, by the name of the claim. */
  readonly claimUsers: ReadonlyMap<string, readonly string[]>;
  /** Claims with the persistent state of the target. */
  readonly stateClaims: readonly Claim[];
  /** DataVolumes of the target that the restore replaces, by name. */
  readonly dataVolumes: ReadonlyMap<string, KubeObject>;
  readonly now: number;
}
