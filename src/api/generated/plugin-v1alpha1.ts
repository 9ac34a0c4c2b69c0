// Generated from api/schema/plugin.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { Duration } from './meta-v1';

/**
 * Reference to an object of admissionregistration.k8s.io.
 */
export interface AdmissionReference {
  /**
   * Name of the referenced object.
   */
  name: string;
}

/**
 * Change of the domain by a CEL expression.
 */
export interface CELDomainHook {
  /**
   * CEL expression over the domain. Its result replaces the fields that it sets.
   */
  expression: string;
}

/**
 * Change of the libvirt domain, by cel or by sidecar.
 */
export interface DomainHook {
  /**
   * CEL expression that changes the domain.
   */
  cel?: CELDomainHook;
  /**
   * CEL expression over the VM. The hook runs if the expression is true. Default: always.
   */
  condition?: string;
  /**
   * Whether starting the VM fails if the hook fails. Default: as in the plugin.
   */
  failureStrategy?: 'Fail' | 'Ignore';
  /**
   * Sidecar container that changes the domain.
   */
  sidecar?: SidecarDomainHook;
  /**
   * Time limit of the hook.
   */
  timeout?: Duration;
}

/**
 * Program on the node that is called at certain points of a VM's life cycle.
 */
export interface NodeHook {
  /**
   * CEL expression over the VM. The hook runs if the expression is true. Default: always.
   */
  condition?: string;
  /**
   * Whether the step fails if the hook fails. Default: as in the plugin.
   */
  failureStrategy?: 'Fail' | 'Ignore';
  /**
   * Points of the life cycle at which the program is called.
   */
  permittedHooks: (
    | 'PreVMStart'
    | 'PostVMStart'
    | 'PreVMStop'
    | 'PostVMStop'
    | 'PreMigrationSource'
    | 'PreMigrationTarget'
    | 'PostMigrationTarget'
  )[];
  /**
   * Path of the program's Unix socket on the node.
   */
  socket: string;
  /**
   * Time limit of the hook.
   */
  timeout?: Duration;
}

/**
 * Extension: hooks and their admission objects.
 */
export interface Plugin extends KubeObject {
  /**
   * Hooks and settings of the extension.
   */
  spec: PluginSpec;
  /**
   * Status of the object. Always empty.
   */
  status?: PluginStatus;
}

/**
 * Hooks and settings of the extension.
 */
export interface PluginSpec {
  /**
   * CEL expression over the VM. The plugin is used if the expression is true. Default: always.
   */
  condition?: string;
  /**
   * Changes of the domain, applied in this order. Plugins are applied in order of their names.
   */
  domainHooks?: DomainHook[];
  /**
   * Reaction to an unhealthy part of the plugin. Default: Fail.
   */
  failureStrategy?: 'Fail' | 'Ignore';
  /**
   * MutatingAdmissionPolicies of the plugin.
   */
  mutatingAdmissionPolicies?: AdmissionReference[];
  /**
   * MutatingWebhookConfigurations of the plugin.
   */
  mutatingAdmissionWebhooks?: AdmissionReference[];
  /**
   * Programs on the nodes, called in this order. Plugins are called in order of their names.
   */
  nodeHooks?: NodeHook[];
  /**
   * ValidatingAdmissionPolicies of the plugin.
   */
  validatingAdmissionPolicies?: AdmissionReference[];
  /**
   * ValidatingWebhookConfigurations of the plugin.
   */
  validatingAdmissionWebhooks?: AdmissionReference[];
}

/**
 * Status of the object. Always empty.
 */
export type PluginStatus = object;

/**
 * Change of the domain by a sidecar container.
 */
export interface SidecarDomainHook {
  /**
   * Path of the sidecar's Unix socket.
   */
  socketPath: string;
}
