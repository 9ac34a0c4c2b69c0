// Generated from api/schema/template.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { Condition, KubeObject } from '../meta';
import type { LocalObjectReference } from './core-v1';

/**
 * A value that is filled in for `${NAME}`; `${{NAME}}` fills in a number, a switch or an object.
 */
export interface Parameter {
  /**
   * Purpose of the parameter.
   */
  description?: string;
  /**
   * Display name in a user interface.
   */
  displayName?: string;
  /**
   * Pattern of a generated value: `[a-z0-9]{8}`. Classes: `\w`, `\d`, `\a`, `\A`.
   */
  from?: string;
  /**
   * Generator of a random value from the pattern. Used if no value is given.
   */
  generate?: 'expression';
  /**
   * Name of the referenced object.
   */
  name: string;
  /**
   * There must be a value, given or generated. Default: false.
   */
  required?: boolean;
  /**
   * Default value.
   */
  value?: string;
}

/**
 * A VM.
 */
export interface VirtualMachineReference {
  /**
   * Name of the referenced object.
   */
  name: string;
  /**
   * Namespace of the referenced object.
   */
  namespace: string;
}

/**
 * A VM with parameters to fill in.
 */
export interface VirtualMachineTemplate extends KubeObject {
  /**
   * The VM and its parameters.
   */
  spec: VirtualMachineTemplateSpec;
  /**
   * Whether it can be used.
   */
  status?: VirtualMachineTemplateStatus;
}

/**
 * Makes a template of an existing VM.
 */
export interface VirtualMachineTemplateRequest extends KubeObject {
  /**
   * VM to make a template of, and the name of the template. Immutable.
   */
  spec: VirtualMachineTemplateRequestSpec;
  /**
   * Progress of the operation.
   */
  status?: VirtualMachineTemplateRequestStatus;
}

/**
 * VM to make a template of, and the name of the template. Immutable.
 */
export interface VirtualMachineTemplateRequestSpec {
  /**
   * Labels of the template; the prefix template.kubevirt.io/ is reserved.
   */
  templateLabels?: {
    [k: string]: string;
  };
  /**
   * Name of the template. Default: name of this object.
   */
  templateName?: string;
  /**
   * Seconds after which the request is deleted once it has succeeded; 0 deletes it at once. Default: it stays.
   */
  ttlSecondsAfterFinished?: number;
  /**
   * The VM.
   */
  virtualMachineRef: VirtualMachineReference;
}

/**
 * Progress of the operation.
 */
export interface VirtualMachineTemplateRequestStatus {
  /**
   * Ready, Progressing.
   */
  conditions?: Condition[];
  /**
   * The template that was made.
   */
  templateRef?: LocalObjectReference;
}

/**
 * The VM and its parameters.
 */
export interface VirtualMachineTemplateSpec {
  /**
   * A text for whoever uses the template.
   */
  message?: string;
  /**
   * Parameters that users can set.
   */
  parameters?: Parameter[];
  /**
   * The VM, with `${NAME}` wherever a value is filled in. A fixed namespace is dropped.
   */
  virtualMachine: object;
}

/**
 * Whether it can be used.
 */
export interface VirtualMachineTemplateStatus {
  /**
   * Ready.
   */
  conditions?: Condition[];
}
