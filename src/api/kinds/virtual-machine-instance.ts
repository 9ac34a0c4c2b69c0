import type { VirtualMachineInstance } from '../generated/kubevirt-v1';
import { mutateVirtualMachineInstance } from '../mutate';
import { validateVirtualMachineInstanceCreate, validateVirtualMachineInstanceUpdate } from '../validate';
import type { KindAdmission } from './kind';

export const virtualMachineInstanceAdmission: KindAdmission<VirtualMachineInstance> = {
  mutate: (vmi, { config }) => mutateVirtualMachineInstance(vmi, config),
  create: (vmi, { config, by }) => validateVirtualMachineInstanceCreate(vmi, config, by),
  update: (vmi, old, { by }) => validateVirtualMachineInstanceUpdate(vmi, old, by),
};
