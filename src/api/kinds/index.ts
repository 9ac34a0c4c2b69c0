/** What the webhooks do with each kind: one table for virt-api, the command line and synth. */
import { describe } from '../field-error';
import type { KubeObject } from '../meta';
import type { AdmissionContext, KindAdmission } from './kind';
import { virtualMachineAdmission } from './virtual-machine';
import { virtualMachineInstanceAdmission } from './virtual-machine-instance';

export * from './kind';

/** By group and kind: `VirtualMachine.kubevirt.io`. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const kinds: Record<string, KindAdmission<any>> = {
  'VirtualMachine.kubevirt.io': virtualMachineAdmission,
  'VirtualMachineInstance.kubevirt.io': virtualMachineInstanceAdmission,
};

/** The rules for an object; undefined when it is none of ours. */
export function admissionOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): KindAdmission | undefined {
  return kinds[`${kind}.${String(apiVersion).split('/')[0]}`];
}

/** A verdict as the webhook's answer has it. */
export interface AdmissionVerdict {
  readonly allowed: boolean;
  readonly causes: readonly { readonly type: string; readonly field: string; readonly message: string }[];
  readonly warnings: readonly string[];
}

/** Judges an object as it would be stored: defaults first, then every rule. Undefined when it is none of ours. */
export function judge(object: KubeObject, context: AdmissionContext, old?: KubeObject): AdmissionVerdict | undefined {
  const rules = admissionOf(object);
  if (!rules) return undefined;
  const stored = rules.mutate?.(object, context) ?? object;
  const errors = old ? (rules.update?.(stored, old, context) ?? []) : rules.create(stored, context);
  return {
    allowed: errors.length === 0,
    causes: errors.map((error) => ({
      type: error.type ?? 'FieldValueInvalid',
      field: `${error.path}`,
      message: describe(error),
    })),
    warnings: rules.warnings?.(stored, context, old) ?? [],
  };
}
