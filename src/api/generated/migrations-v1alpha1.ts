// Generated from api/schema/migrations.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { ExperimentalMigrationOptions } from './kubevirt-v1';
import type { Quantity } from './meta-v1';

export interface MigrationPolicy extends KubeObject {
  spec: MigrationPolicySpec;
  status?: MigrationPolicyStatus;
}

export interface MigrationPolicySpec {
  allowAutoConverge?: boolean;
  allowPostCopy?: boolean;
  allowWorkloadDisruption?: boolean;
  bandwidthPerMigration?: Quantity;
  completionTimeoutPerGiB?: number;
  experimental?: ExperimentalMigrationOptions;
  maxDowntimeMs?: number;
  selectors: Selectors;
}

export type MigrationPolicyStatus = Record<string, unknown> | null;

export interface Selectors {
  namespaceSelector?: Record<string, string>;
  virtualMachineInstanceSelector?: Record<string, string>;
}
