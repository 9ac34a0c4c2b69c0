// Generated from api/schema/plugin.kubevirt.io_v1alpha1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { Duration } from './meta-v1';

/**
 * An object of admissionregistration.k8s.io.
 */
export interface AdmissionReference {
  /**
   * Name of the referenced object.
   */
  name: string;
}

/**
 * Changes the domain by an expression.
 */
export interface CELDomainHook {
  /**
   * CEL expression over the domain; its result replaces what it names.
   */
  expression: string;
}

/**
 * One change of the libvirt domain, by cel or by sidecar.
 */
export interface DomainHook {
  /**
   * An expression.
   */
  cel?: CELDomainHook;
  /**
   * CEL expression over the VM; the hook runs when it is true. Default: always.
   */
  condition?: string;
  /**
   * Whether the VM's start fails with the hook. Default: as in the plugin.
   */
  failureStrategy?: 'Fail' | 'Ignore';
  /**
   * A side container that is asked over a socket.
   */
  sidecar?: SidecarDomainHook;
  /**
   * Time limit of the hook.
   */
  timeout?: Duration;
}

/**
 * Program on the node that is called at points of a VM's life cycle.
 */
export interface NodeHook {
  /**
   * CEL expression over the VM; the hook runs when it is true. Default: always.
   */
  condition?: string;
  /**
   * Whether the step fails with the hook. Default: as in the plugin.
   */
  failureStrategy?: 'Fail' | 'Ignore';
  /**
   * The moments at which it is called.
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
 * An extension: hooks, and the admission objects that belong to it.
 */
export interface Plugin extends KubeObject {
  /**
   * Hooks and settings of the extension.
   */
  spec: PluginSpec;
  /**
   * Nothing is reported.
   */
  status?: PluginStatus;
}

/**
 * Hooks and settings of the extension.
 */
export interface PluginSpec {
  /**
   * CEL expression over the VM; the plugin is used when it is true. Default: always.
   */
  condition?: string;
  /**
   * Changes of the domain, in this order; plugins follow one another by name.
   */
  domainHooks?: DomainHook[];
  /**
   * Reaction to an unhealthy part of the plugin. Default: Fail.
   */
  failureStrategy?: 'Fail' | 'Ignore';
  /**
   * MutatingAdmissionPolicies that belong to it.
   */
  mutatingAdmissionPolicies?: AdmissionReference[];
  /**
   * MutatingWebhookConfigurations that belong to it.
   */
  mutatingAdmissionWebhooks?: AdmissionReference[];
  /**
   * Programs on the nodes, in this order; plugins follow one another by name.
   */
  nodeHooks?: NodeHook[];
  /**
   * ValidatingAdmissionPolicies that belong to it.
   */
  validatingAdmissionPolicies?: AdmissionReference[];
  /**
   * ValidatingWebhookConfigurations that belong to it.
   */
  validatingAdmissionWebhooks?: AdmissionReference[];
}

/**
 * Nothing is reported.
 */
export type PluginStatus = object;

/**
 * Changes the domain by a side container.
 */
export interface SidecarDomainHook {
  /**
   * Path of its Unix socket.
   */
  socketPath: string;
}
