// Generated from api/schema/template.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { Condition, KubeObject } from '../meta';
import type { LocalObjectReference } from './core-v1';

export interface Parameter {
  description?: string;
  displayName?: string;
  from?: string;
  generate?: 'expression';
  name: string;
  required?: boolean;
  value?: string;
}

export interface VirtualMachineReference {
  name: string;
  namespace: string;
}

export interface VirtualMachineTemplate extends KubeObject {
  spec: VirtualMachineTemplateSpec;
  status?: VirtualMachineTemplateStatus;
}

export interface VirtualMachineTemplateRequest extends KubeObject {
  spec: VirtualMachineTemplateRequestSpec;
  status?: VirtualMachineTemplateRequestStatus;
}

export interface VirtualMachineTemplateRequestSpec {
  templateLabels?: Record<string, string>;
  templateName?: string;
  ttlSecondsAfterFinished?: number;
  virtualMachineRef: VirtualMachineReference;
}

export interface VirtualMachineTemplateRequestStatus {
  conditions?: Condition[];
  templateRef?: LocalObjectReference;
}

export interface VirtualMachineTemplateSpec {
  message?: string;
  parameters?: Parameter[];
  virtualMachine: Record<string, unknown>;
}

export interface VirtualMachineTemplateStatus {
  conditions?: Condition[];
}
