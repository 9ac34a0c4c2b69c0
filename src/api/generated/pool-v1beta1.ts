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
   * How many VMs, of which kind, and how they change.
   */
  spec: VirtualMachinePoolSpec;
  /**
   * What the controller saw.
   */
  status?: VirtualMachinePoolStatus;
}

/**
 * When a VM that cannot start is replaced by a new one.
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
 * One thing that is true or false about the pool.
 */
export interface VirtualMachinePoolCondition {
  /**
   * When it was last looked at.
   */
  lastProbeTime?: Time | null;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time | null;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
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
   * What stays of a VM that goes, for the VM that takes its number later: nothing, its claims (Offline), or claims and memory (Online). Default: Disabled.
   */
  statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/**
 * The pool deletes VMs at once.
 */
export interface VirtualMachinePoolProactiveScaleInStrategy {
  /**
   * Which VMs go first. Default: sortPolicy Random.
   */
  selectionPolicy?: VirtualMachinePoolSelectionPolicy;
  /**
   * What stays of a VM that goes, for the VM that takes its number later: nothing, its claims (Offline), or claims and memory (Online). Default: Disabled.
   */
  statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/**
 * VMs get the new template, and their instances are restarted.
 */
export interface VirtualMachinePoolProactiveUpdateStrategy {
  /**
   * Which VMs are updated first. Default: sortPolicy Random.
   */
  selectionPolicy?: VirtualMachinePoolSelectionPolicy;
}

/**
 * How VMs go when replicas shrinks. Exactly one field.
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
   * By labels of the VM.
   */
  labelSelector?: LabelSelector;
  /**
   * By labels of the node on which the VM runs.
   */
  nodeSelectorRequirementMatcher?: NodeSelectorRequirement[];
}

/**
 * How many VMs, of which kind, and how they change.
 */
export interface VirtualMachinePoolSpec {
  /**
   * Replaces VMs that cannot start. Default: VMs are never replaced.
   */
  autohealing?: VirtualMachinePoolAutohealingStrategy;
  /**
   * How many VMs may be not ready during an update; a number or a percentage. Default: 100%.
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
   * How VMs go when replicas shrinks. Default: proactive.
   */
  scaleInStrategy?: VirtualMachinePoolScaleInStrategy;
  /**
   * The pool's VMs, by labels. Must match the template's labels.
   */
  selector: LabelSelector;
  /**
   * How VMs follow a change of the template. Default: proactive.
   */
  updateStrategy?: VirtualMachinePoolUpdateStrategy;
  /**
   * What each VM is made of.
   */
  virtualMachineTemplate: VirtualMachineTemplateSpec;
}

/**
 * What the controller saw.
 */
export interface VirtualMachinePoolStatus {
  /**
   * What is true or false at the moment.
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
 * How VMs follow a change of the template. Exactly one field.
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
