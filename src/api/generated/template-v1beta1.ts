// Generated from api/schema/template.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { Condition, KubeObject } from '../meta';
import type { LocalObjectReference } from './core-v1';

/**
 * Value that replaces `${NAME}`; `${{NAME}}` inserts a number, boolean or object.
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
   * Pattern of a generated value, such as `[a-z0-9]{8}`. Classes: `\w`, `\d`, `\a`, `\A`.
   */
  from?: string;
  /**
   * Generator of a random value from the pattern. Used if no value is given.
   */
  generate?: 'expression';
  /**
   * Name of the parameter.
   */
  name: string;
  /**
   * Whether a value is required, given or generated. Default: false.
   */
  required?: boolean;
  /**
   * Default value of the parameter.
   */
  value?: string;
}

/**
 * Reference to a VM.
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
 * Template of a VM with parameters.
 */
export interface VirtualMachineTemplate extends KubeObject {
  /**
   * VM and its parameters.
   */
  spec: VirtualMachineTemplateSpec;
  /**
   * State of the template.
   */
  status?: VirtualMachineTemplateStatus;
}

/**
 * Request to create a template from an existing VM.
 */
export interface VirtualMachineTemplateRequest extends KubeObject {
  /**
   * VM to create a template from, and the name of the template. Immutable.
   */
  spec: VirtualMachineTemplateRequestSpec;
  /**
   * Progress of the operation.
   */
  status?: VirtualMachineTemplateRequestStatus;
}

/**
 * VM to create a template from, and the name of the template. Immutable.
 */
export interface VirtualMachineTemplateRequestSpec {
  /**
   * Labels of the template. The prefix template.kubevirt.io/ is reserved.
   */
  templateLabels?: {
    [k: string]: string;
  };
  /**
   * Name of the template. Default: name of this object.
   */
  templateName?: string;
  /**
   * Seconds after which a successful request is deleted; 0 deletes it immediately. Default: the request is kept.
   */
  ttlSecondsAfterFinished?: number;
  /**
   * VM to create a template from.
   */
  virtualMachineRef: VirtualMachineReference;
}

/**
 * Progress of the operation.
 */
export interface VirtualMachineTemplateRequestStatus {
  /**
   * Current conditions: Ready, Progressing.
   */
  conditions?: Condition[];
  /**
   * Template that was created.
   */
  templateRef?: LocalObjectReference;
}

/**
 * VM and its parameters.
 */
export interface VirtualMachineTemplateSpec {
  /**
   * Message for users of the template.
   */
  message?: string;
  /**
   * Parameters that users can set.
   */
  parameters?: Parameter[];
  /**
   * Manifest of the VM, with `${NAME}` in place of parameter values. A fixed namespace is removed.
   */
  virtualMachine: object;
}

/**
 * State of the template.
 */
export interface VirtualMachineTemplateStatus {
  /**
   * Current conditions: Ready.
   */
  conditions?: Condition[];
}
