import type { VirtualMachine } from '../generated/kubevirt-v1';
import { mutateVirtualMachine } from '../mutate';
import { validateVirtualMachineCreate, validateVirtualMachineUpdate } from '../validate';
import type { KindAdmission } from './kind';

export const virtualMachineAdmission: KindAdmission<VirtualMachine> = {
  mutate: (vm, { config }) => mutateVirtualMachine(vm, config),
  create: (vm, { config, by }) => validateVirtualMachineCreate(vm, config, by),
  update: (vm, old, { config, by }) => validateVirtualMachineUpdate(vm, old, config, by),
};
