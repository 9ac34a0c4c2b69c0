// Generated from api/schema/migrations.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { ExperimentalMigrationOptions } from './kubevirt-v1';
import type { Quantity } from './meta-v1';

/**
 * Settings of live migrations for the VMs that it selects. Of several that match, the one with the most matching labels wins, then the first by name.
 */
export interface MigrationPolicy extends KubeObject {
  /**
   * Selected VMs and the settings that override the KubeVirt object's migration configuration.
   */
  spec: MigrationPolicySpec;
  /**
   * Nothing is reported.
   */
  status?: MigrationPolicyStatus;
}

/**
 * Selected VMs and the settings that override the KubeVirt object's migration configuration.
 */
export interface MigrationPolicySpec {
  /**
   * Slow the guest's CPUs down when it writes memory faster than it can be sent. Default: as in the KubeVirt object.
   */
  allowAutoConverge?: boolean;
  /**
   * Let the guest run on at the target while memory is still being fetched, once completionTimeoutPerGiB has passed. Default: as in the KubeVirt object.
   */
  allowPostCopy?: boolean;
  /**
   * Pause the guest, or use post-copy, once completionTimeoutPerGiB has passed. Default: as in the KubeVirt object.
   */
  allowWorkloadDisruption?: boolean;
  /**
   * Bandwidth in bytes per second; 0 means unlimited. Default: the value in the KubeVirt object.
   */
  bandwidthPerMigration?: Quantity;
  /**
   * Seconds for each GiB of memory and disk before a migration is aborted, paused or turned to post-copy. Default: as in the KubeVirt object.
   */
  completionTimeoutPerGiB?: number;
  /**
   * Settings that may change or vanish.
   */
  experimental?: ExperimentalMigrationOptions;
  /**
   * Milliseconds for which the guest may stand still at the end. Default: as in the KubeVirt object.
   */
  maxDowntimeMs?: number;
  /**
   * Selectors of the VMs. A policy without selectors applies to no VM.
   */
  selectors: Selectors;
}

/**
 * Nothing is reported.
 */
export type MigrationPolicyStatus = object | null;

/**
 * Labels that must all match.
 */
export interface Selectors {
  /**
   * Labels of the namespace.
   */
  namespaceSelector?: {
    [k: string]: string;
  };
  /**
   * Labels of the instance.
   */
  virtualMachineInstanceSelector?: {
    [k: string]: string;
  };
}
