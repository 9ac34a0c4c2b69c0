import { virtualMachineInstanceWarnings } from '../admission/warnings';
import type { VirtualMachineInstance } from '../generated/kubevirt-v1';
import { mutateVirtualMachineInstance } from '../mutate';
import { validateVirtualMachineInstanceCreate, validateVirtualMachineInstanceUpdate } from '../validate';
import type { KindAdmission } from './kind';

export const virtualMachineInstanceAdmission: KindAdmission<VirtualMachineInstance> = {
  mutate: mutateVirtualMachineInstance,
  create: validateVirtualMachineInstanceCreate,
  update: validateVirtualMachineInstanceUpdate,
  warnings: virtualMachineInstanceWarnings,
};
