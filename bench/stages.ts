import { clusterConfig, type VirtualMachine, type VirtualMachineInstance } from '../src/api';
import { fixedIdentity, renderInstance, renderStage } from '../src/cli/render/stages';
import { supportOf } from '../src/cli/render/support';

/** What `virt8s render` does with each machine, for every stage. Throws when one is refused. */
export function renderAll(machines: readonly VirtualMachine[]): void {
  const support = supportOf([]);
  const options = {
    context: { config: clusterConfig(), by: { trusted: false }, ...support },
    support,
    identity: fixedIdentity,
    launcherImage: 'virt-launcher',
  };
  for (const vm of machines) {
    const { errors, value } = renderStage(vm, 'vmi', options);
    if (errors.length > 0) throw new Error(`${vm.metadata.name} is refused: ${JSON.stringify(errors)}`);
    for (const stage of ['pod', 'domain'] as const) renderInstance(value as VirtualMachineInstance, stage, options);
  }
}
