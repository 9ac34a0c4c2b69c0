import { clusterConfig, type VirtualMachine, type VirtualMachineInstance } from '../src/api';
import { fixedIdentity, renderInstance, renderStage } from '../src/cli/render/stages';
import { contextWith } from '../src/cli/render/cluster';

/** Runs every stage of `virt8s render` for each machine. Throws if a machine is rejected. */
export function renderAll(machines: readonly VirtualMachine[]): void {
  const options = {
    context: contextWith(clusterConfig(), []),
    identity: fixedIdentity,
    launcherImage: 'virt-launcher',
  };
  for (const vm of machines) {
    const { errors, value } = renderStage(vm, 'vmi', options);
    if (errors.length > 0) throw new Error(`${vm.metadata.name} is refused: ${JSON.stringify(errors)}`);
    for (const stage of ['pod', 'domain'] as const) renderInstance(value as VirtualMachineInstance, stage, options);
  }
}
