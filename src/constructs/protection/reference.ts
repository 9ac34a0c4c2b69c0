import type { TypedLocalObjectReference } from '../../api/generated/core-v1';
import type { INamedObject } from '../resource';
import { nameOf } from '../storage/reference';

const groups = {
  VirtualMachine: 'kubevirt.io',
  VirtualMachineSnapshot: 'snapshot.kubevirt.io',
  VirtualMachineBackup: 'backup.kubevirt.io',
  VirtualMachineBackupTracker: 'backup.kubevirt.io',
  VirtualMachineTemplate: 'template.kubevirt.io',
} as const;

/**
 * Returns a reference to an object of this kind.
 *
 * @param call caller, as errors name it
 * @throws when the object is a construct of another kind
 */
export function ofKind(call: string, kind: keyof typeof groups, object: INamedObject): TypedLocalObjectReference {
  return { apiGroup: groups[kind], kind, name: nameOf(call, object, [kind], `give it a ${kind}`) };
}

export const virtualMachine = (call: string, object: INamedObject): TypedLocalObjectReference =>
  ofKind(call, 'VirtualMachine', object);
