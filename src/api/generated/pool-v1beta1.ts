// Generated from api/schema/pool.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject, ObjectMeta } from '../meta';
import type { NodeSelectorRequirement } from './core-v1';
import type { VirtualMachineSpec } from './kubevirt-v1';
import type { Duration, IntOrString, LabelSelector, Time } from './meta-v1';

/**
 * VMs get the new template; each instance follows at its next start.
 */
export type VirtualMachineOpportunisticUpdateStrategy = object;

/**
 * A set of equal VMs, numbered from 0: `NAME-0`, `NAME-1`, …
 */
export interface VirtualMachinePool extends KubeObject {
  /**
   * Number, template and update strategy of the VMs.
   */
  spec: VirtualMachinePoolSpec;
  /**
   * State observed by the controller.
   */
  status?: VirtualMachinePoolStatus;
}

/**
 * Replacement of VMs that cannot start.
 */
export interface VirtualMachinePoolAutohealingStrategy {
  /**
   * Time that a VM must have been failing, counted from its condition Ready turning False. Default: 5m.
   */
  minFailingToStartDuration?: Duration;
  /**
   * Failed starts in a row, as in the VM's status.startFailure.consecutiveFailCount. Default: 3.
   */
  startUpFailureThreshold?: number;
}

/**
 * Condition of a pool.
 */
export interface VirtualMachinePoolCondition {
  /**
   * Time of the last check.
   */
  lastProbeTime?: Time | null;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time | null;
  /**
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition.
   */
  type: string;
}

/**
 * Whether each VM refers to objects of its own.
 */
export interface VirtualMachinePoolNameGeneration {
  /**
   * ConfigMaps are referred to as NAME-INDEX, INDEX being the VM's number. Default: false.
   */
  appendIndexToConfigMapRefs?: boolean;
  /**
   * Secrets are referred to as NAME-INDEX, INDEX being the VM's number. Default: false.
   */
  appendIndexToSecretRefs?: boolean;
}

/**
 * The pool deletes no VM; it shrinks when VMs are deleted by somebody else.
 */
export interface VirtualMachinePoolOpportunisticScaleInStrategy {
  /**
   * State that is kept of a removed VM for the VM that takes its number later: nothing, its claims (Offline), or claims and memory (Online). Default: Disabled.
   */
  statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/**
 * The pool deletes VMs at once.
 */
export interface VirtualMachinePoolProactiveScaleInStrategy {
  /**
   * Selection of the VMs that are removed first. Default: sortPolicy Random.
   */
  selectionPolicy?: VirtualMachinePoolSelectionPolicy;
  /**
   * State that is kept of a removed VM for the VM that takes its number later: nothing, its claims (Offline), or claims and memory (Online). Default: Disabled.
   */
  statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/**
 * VMs get the new template, and their instances are restarted.
 */
export interface VirtualMachinePoolProactiveUpdateStrategy {
  /**
   * Selection of the VMs that are updated first. Default: sortPolicy Random.
   */
  selectionPolicy?: VirtualMachinePoolSelectionPolicy;
}

/**
 * Removal of VMs when replicas decreases. Exactly one field must be set.
 */
export interface VirtualMachinePoolScaleInStrategy {
  /**
   * VMs that somebody else deletes are not replaced.
   */
  opportunistic?: VirtualMachinePoolOpportunisticScaleInStrategy;
  /**
   * The pool deletes VMs. This is the default strategy.
   */
  proactive?: VirtualMachinePoolProactiveScaleInStrategy;
  /**
   * The pool deletes nothing; users scale in by hand.
   */
  unmanaged?: VirtualMachinePoolUnmanagedStrategy;
}

/**
 * An order of the VMs.
 */
export interface VirtualMachinePoolSelectionPolicy {
  /**
   * VMs that match come first.
   */
  selectors?: VirtualMachinePoolSelectors;
  /**
   * Order of the rest: by number, by age, or any.
   */
  sortPolicy?: 'AscendingOrder' | 'DescendingOrder' | 'Newest' | 'Oldest' | 'Random';
}

/**
 * Picks VMs; when both fields are given, a VM must match both.
 */
export interface VirtualMachinePoolSelectors {
  /**
   * Labels of the VM.
   */
  labelSelector?: LabelSelector;
  /**
   * Labels of the node on which the VM runs.
   */
  nodeSelectorRequirementMatcher?: NodeSelectorRequirement[];
}

/**
 * Number, template and update strategy of the VMs.
 */
export interface VirtualMachinePoolSpec {
  /**
   * Replaces VMs that cannot start. Default: VMs are never replaced.
   */
  autohealing?: VirtualMachinePoolAutohealingStrategy;
  /**
   * Maximum number or percentage of VMs that may be unavailable during an update. Default: 100%.
   */
  maxUnavailable?: IntOrString;
  /**
   * Whether each VM refers to ConfigMaps and Secrets of its own.
   */
  nameGeneration?: VirtualMachinePoolNameGeneration;
  /**
   * The controller leaves the pool alone. Default: false.
   */
  paused?: boolean;
  /**
   * VMs that the pool has. Default: 1.
   */
  replicas?: number;
  /**
   * Removal of VMs when replicas decreases. Default: proactive.
   */
  scaleInStrategy?: VirtualMachinePoolScaleInStrategy;
  /**
   * The pool's VMs, by labels. Must match the template's labels.
   */
  selector: LabelSelector;
  /**
   * Update of VMs when the template changes. Default: proactive.
   */
  updateStrategy?: VirtualMachinePoolUpdateStrategy;
  /**
   * Template of each VM.
   */
  virtualMachineTemplate: VirtualMachineTemplateSpec;
}

/**
 * State observed by the controller.
 */
export interface VirtualMachinePoolStatus {
  /**
   * Current conditions.
   */
  conditions?: VirtualMachinePoolCondition[];
  /**
   * The selector as text, for the scale subresource.
   */
  labelSelector?: string;
  /**
   * VMs that are ready.
   */
  readyReplicas?: number;
  /**
   * VMs that exist.
   */
  replicas?: number;
}

/**
 * The controller does nothing.
 */
export type VirtualMachinePoolUnmanagedStrategy = object;

/**
 * Update of VMs when the template changes. Exactly one field must be set.
 */
export interface VirtualMachinePoolUpdateStrategy {
  /**
   * The VM is changed; its instance follows at its next start.
   */
  opportunistic?: VirtualMachineOpportunisticUpdateStrategy;
  /**
   * The VM is changed and its instance restarted.
   */
  proactive?: VirtualMachinePoolProactiveUpdateStrategy;
  /**
   * VMs are left as they are.
   */
  unmanaged?: VirtualMachinePoolUnmanagedStrategy;
}

/**
 * A VM without a name.
 */
export interface VirtualMachineTemplateSpec {
  /**
   * Labels and annotations of each VM.
   */
  metadata?: ObjectMeta | null;
  /**
   * Spec of each VM.
   */
  spec?: VirtualMachineSpec;
}
