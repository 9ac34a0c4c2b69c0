// Generated from api/schema/pool.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject, ObjectMeta } from '../meta';
import type { NodeSelectorRequirement } from './core-v1';
import type { VirtualMachineSpec } from './kubevirt-v1';
import type { Duration, IntOrString, LabelSelector, Time } from './meta-v1';

export type VirtualMachineOpportunisticUpdateStrategy = Record<string, unknown>;

export interface VirtualMachinePool extends KubeObject {
  spec: VirtualMachinePoolSpec;
  status?: VirtualMachinePoolStatus;
}

export interface VirtualMachinePoolAutohealingStrategy {
  minFailingToStartDuration?: Duration;
  startUpFailureThreshold?: number;
}

export interface VirtualMachinePoolCondition {
  lastProbeTime?: Time | null;
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status: 'True' | 'False' | 'Unknown';
  type: string;
}

export interface VirtualMachinePoolNameGeneration {
  appendIndexToConfigMapRefs?: boolean;
  appendIndexToSecretRefs?: boolean;
}

export interface VirtualMachinePoolOpportunisticScaleInStrategy {
  statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

export interface VirtualMachinePoolProactiveScaleInStrategy {
  selectionPolicy?: VirtualMachinePoolSelectionPolicy;
  statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

export interface VirtualMachinePoolProactiveUpdateStrategy {
  selectionPolicy?: VirtualMachinePoolSelectionPolicy;
}

export interface VirtualMachinePoolScaleInStrategy {
  opportunistic?: VirtualMachinePoolOpportunisticScaleInStrategy;
  proactive?: VirtualMachinePoolProactiveScaleInStrategy;
  unmanaged?: VirtualMachinePoolUnmanagedStrategy;
}

export interface VirtualMachinePoolSelectionPolicy {
  selectors?: VirtualMachinePoolSelectors;
  sortPolicy?: 'AscendingOrder' | 'DescendingOrder' | 'Newest' | 'Oldest' | 'Random';
}

export interface VirtualMachinePoolSelectors {
  labelSelector?: LabelSelector;
  nodeSelectorRequirementMatcher?: NodeSelectorRequirement[];
}

export interface VirtualMachinePoolSpec {
  autohealing?: VirtualMachinePoolAutohealingStrategy;
  maxUnavailable?: IntOrString;
  nameGeneration?: VirtualMachinePoolNameGeneration;
  paused?: boolean;
  replicas?: number;
  scaleInStrategy?: VirtualMachinePoolScaleInStrategy;
  selector: LabelSelector;
  updateStrategy?: VirtualMachinePoolUpdateStrategy;
  virtualMachineTemplate: VirtualMachineTemplateSpec;
}

export interface VirtualMachinePoolStatus {
  conditions?: VirtualMachinePoolCondition[];
  labelSelector?: string;
  readyReplicas?: number;
  replicas?: number;
}

export type VirtualMachinePoolUnmanagedStrategy = Record<string, unknown>;

export interface VirtualMachinePoolUpdateStrategy {
  opportunistic?: VirtualMachineOpportunisticUpdateStrategy;
  proactive?: VirtualMachinePoolProactiveUpdateStrategy;
  unmanaged?: VirtualMachinePoolUnmanagedStrategy;
}

export interface VirtualMachineTemplateSpec {
  metadata?: ObjectMeta | null;
  spec?: VirtualMachineSpec;
}
