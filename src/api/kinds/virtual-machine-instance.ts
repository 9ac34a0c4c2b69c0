import { virtualMachineInstanceWarnings } from '../admission/warnings';
import type { VirtualMachineInstance } from '../generated/kubevirt-v1';
import { mutateVirtualMachineInstance } from '../mutate';
import { labelsStay, validateVirtualMachineInstanceCreate, validateVirtualMachineInstanceUpdate } from '../validate';
import type { KindAdmission } from './kind';

export const virtualMachineInstanceAdmission: KindAdmission<VirtualMachineInstance> = {
  mutate: mutateVirtualMachineInstance,
  create: validateVirtualMachineInstanceCreate,
  update: validateVirtualMachineInstanceUpdate,
  identity: (vmi, old, { by }) => (by.trusted ? [] : labelsStay(vmi, old)),
  warnings: virtualMachineInstanceWarnings,
};
