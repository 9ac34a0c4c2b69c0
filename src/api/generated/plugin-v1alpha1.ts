// Generated from api/schema/plugin.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { Duration } from './meta-v1';

export interface AdmissionReference {
  name: string;
}

export interface CELDomainHook {
  expression: string;
}

export interface DomainHook {
  cel?: CELDomainHook;
  condition?: string;
  failureStrategy?: 'Fail' | 'Ignore';
  sidecar?: SidecarDomainHook;
  timeout?: Duration;
}

export interface NodeHook {
  condition?: string;
  failureStrategy?: 'Fail' | 'Ignore';
  permittedHooks: ('PreVMStart' | 'PostVMStart' | 'PreVMStop' | 'PostVMStop' | 'PreMigrationSource' | 'PreMigrationTarget' | 'PostMigrationTarget')[];
  socket: string;
  timeout?: Duration;
}

export interface Plugin extends KubeObject {
  spec: PluginSpec;
  status?: PluginStatus;
}

export interface PluginSpec {
  condition?: string;
  domainHooks?: DomainHook[];
  failureStrategy?: 'Fail' | 'Ignore';
  mutatingAdmissionPolicies?: AdmissionReference[];
  mutatingAdmissionWebhooks?: AdmissionReference[];
  nodeHooks?: NodeHook[];
  validatingAdmissionPolicies?: AdmissionReference[];
  validatingAdmissionWebhooks?: AdmissionReference[];
}

export type PluginStatus = Record<string, unknown>;

export interface SidecarDomainHook {
  socketPath: string;
}
