// Generated from api/schema/pool.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject, ObjectMeta } from '../meta';
import type { NodeSelectorRequirement } from './core-v1';
import type { VirtualMachineSpec } from './kubevirt-v1';
import type { Duration, IntOrString, LabelSelector, Time } from './meta-v1';

/**
 * Update strategy: VMs get the new template, and each instance follows at its next start.
 */
export type VirtualMachineOpportunisticUpdateStrategy = object;

/**
 * Set of identical VMs, numbered from 0: `NAME-0`, `NAME-1` and so on.
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
   * Minimum time for which a VM must have been failing, counted from its condition Ready turning False. Default: 5m.
   */
  minFailingToStartDuration?: Duration;
  /**
   * Number of consecutive failed starts, as in the VM's status.startFailure.consecutiveFailCount. Default: 3.
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
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition.
   */
  type: string;
}

/**
 * Naming of the ConfigMaps and Secrets that each VM refers to.
 */
export interface VirtualMachinePoolNameGeneration {
  /**
   * Whether references to ConfigMaps get the VM's number as suffix: NAME-INDEX. Default: false.
   */
  appendIndexToConfigMapRefs?: boolean;
  /**
   * Whether references to Secrets get the VM's number as suffix: NAME-INDEX. Default: false.
   */
  appendIndexToSecretRefs?: boolean;
}

/**
 * Scale-in strategy: the pool deletes no VMs and shrinks when others delete VMs.
 */
export interface VirtualMachinePoolOpportunisticScaleInStrategy {
  /**
   * State of a removed VM that is kept for the VM that later takes its number: none (Disabled), its claims (Offline), or claims and memory (Online). Default: Disabled.
   */
  statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/**
 * Scale-in strategy: the pool deletes VMs immediately.
 */
export interface VirtualMachinePoolProactiveScaleInStrategy {
  /**
   * Selection of the VMs that are removed first. Default: sortPolicy Random.
   */
  selectionPolicy?: VirtualMachinePoolSelectionPolicy;
  /**
   * State of a removed VM that is kept for the VM that later takes its number: none (Disabled), its claims (Offline), or claims and memory (Online). Default: Disabled.
   */
  statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/**
 * Update strategy: VMs get the new template, and their instances are restarted.
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
   * Strategy that deletes no VMs, but does not replace VMs that others delete.
   */
  opportunistic?: VirtualMachinePoolOpportunisticScaleInStrategy;
  /**
   * Strategy that deletes VMs immediately. This is the default strategy.
   */
  proactive?: VirtualMachinePoolProactiveScaleInStrategy;
  /**
   * Strategy that deletes nothing. Users scale in manually.
   */
  unmanaged?: VirtualMachinePoolUnmanagedStrategy;
}

/**
 * Order in which VMs are selected.
 */
export interface VirtualMachinePoolSelectionPolicy {
  /**
   * Selectors of the VMs that come first.
   */
  selectors?: VirtualMachinePoolSelectors;
  /**
   * Order of the remaining VMs: by number, by age, or random.
   */
  sortPolicy?: 'AscendingOrder' | 'DescendingOrder' | 'Newest' | 'Oldest' | 'Random';
}

/**
 * Selectors of VMs. If both fields are set, a VM must match both.
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
   * Replacement of VMs that cannot start. Default: VMs are not replaced.
   */
  autohealing?: VirtualMachinePoolAutohealingStrategy;
  /**
   * Maximum number or percentage of VMs that may be unavailable during an update. Default: 100%.
   */
  maxUnavailable?: IntOrString;
  /**
   * Naming of the ConfigMaps and Secrets that each VM refers to.
   */
  nameGeneration?: VirtualMachinePoolNameGeneration;
  /**
   * Whether the controller ignores the pool. Default: false.
   */
  paused?: boolean;
  /**
   * Number of VMs in the pool. Default: 1.
   */
  replicas?: number;
  /**
   * Removal of VMs when replicas decreases. Default: proactive.
   */
  scaleInStrategy?: VirtualMachinePoolScaleInStrategy;
  /**
   * Labels of the pool's VMs. Must match the template's labels.
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
   * Selector as text, for the scale subresource.
   */
  labelSelector?: string;
  /**
   * Number of ready VMs.
   */
  readyReplicas?: number;
  /**
   * Number of existing VMs.
   */
  replicas?: number;
}

/**
 * Strategy without any action by the controller.
 */
export type VirtualMachinePoolUnmanagedStrategy = object;

/**
 * Update of VMs when the template changes. Exactly one field must be set.
 */
export interface VirtualMachinePoolUpdateStrategy {
  /**
   * Strategy that changes the VM. Its instance follows at its next start.
   */
  opportunistic?: VirtualMachineOpportunisticUpdateStrategy;
  /**
   * Strategy that changes the VM and restarts its instance.
   */
  proactive?: VirtualMachinePoolProactiveUpdateStrategy;
  /**
   * Strategy that leaves VMs unchanged.
   */
  unmanaged?: VirtualMachinePoolUnmanagedStrategy;
}

/**
 * VM without a name.
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
