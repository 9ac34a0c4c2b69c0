// Generated from api/schema/migrations.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { ExperimentalMigrationOptions } from './kubevirt-v1';
import type { Quantity } from './meta-v1';

/**
 * Settings of live migrations for selected VMs. If several policies match, the one with the most matching labels applies, then the first by name.
 */
export interface MigrationPolicy extends KubeObject {
  /**
   * Selected VMs and the settings that override the KubeVirt object's migration configuration.
   */
  spec: MigrationPolicySpec;
  /**
   * Status of the object. Always empty.
   */
  status?: MigrationPolicyStatus;
}

/**
 * Selected VMs and the settings that override the KubeVirt object's migration configuration.
 */
export interface MigrationPolicySpec {
  /**
   * Whether the guest's CPUs are throttled if it writes memory faster than it can be transferred. Default: as in the KubeVirt object.
   */
  allowAutoConverge?: boolean;
  /**
   * Whether the guest may run on the target while its memory is still being transferred, once completionTimeoutPerGiB has passed. Default: as in the KubeVirt object.
   */
  allowPostCopy?: boolean;
  /**
   * Whether the guest may be paused, or switched to post-copy, once completionTimeoutPerGiB has passed. Default: as in the KubeVirt object.
   */
  allowWorkloadDisruption?: boolean;
  /**
   * Bandwidth in bytes per second; 0 means unlimited. Default: the value in the KubeVirt object.
   */
  bandwidthPerMigration?: Quantity;
  /**
   * Seconds per GiB of memory and disk after which a migration is aborted, paused or switched to post-copy. Default: as in the KubeVirt object.
   */
  completionTimeoutPerGiB?: number;
  /**
   * Experimental settings, which may change or be removed.
   */
  experimental?: ExperimentalMigrationOptions;
  /**
   * Maximum downtime of the guest at the end of a migration, in milliseconds. Default: as in the KubeVirt object.
   */
  maxDowntimeMs?: number;
  /**
   * Selectors of the VMs. A policy without selectors applies to no VM.
   */
  selectors: Selectors;
}

/**
 * Status of the object. Always empty.
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
