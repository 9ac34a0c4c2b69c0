import { virtualMachineWarnings } from '../admission/warnings';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import { mutateVirtualMachine } from '../mutate';
import { validateVirtualMachineCreate, validateVirtualMachineUpdate } from '../validate';
import type { KindAdmission } from './kind';

export const virtualMachineAdmission: KindAdmission<VirtualMachine> = {
  mutate: mutateVirtualMachine,
  create: validateVirtualMachineCreate,
  update: validateVirtualMachineUpdate,
  warnings: virtualMachineWarnings,
};
