import { clusterConfig, type VirtualMachine, type VirtualMachineInstance } from '../src/api';
import { fixedIdentity, renderInstance, renderStage } from '../src/cli/render/stages';
import { contextWith } from '../src/cli/render/cluster';

/** What `virt8s render` does with each machine, for every stage. Throws when one is refused. */
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
