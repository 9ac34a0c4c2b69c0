import type { cdi, ClusterConfig, KubeObject, VirtualMachineInstance } from '../../../api';
import { isConflict, resources } from '../../kube';
import type { KubeClient } from '../../kube';
import { findVm, MAX_CHANGES, translate } from './lifecycle';
import type { Target } from './lifecycle';
import { claimOf, decideDump, decideRemoval, requireHotplug } from './memory-dump';
import type { Claim, DumpDecision } from './memory-dump';
import { parseOptions } from './options';

/** Requests a memory dump of a VM, or the end of its association with a claim; repeated if another client wrote in between. */
export async function dumpMemory(
  client: KubeClient,
  verb: 'memorydump' | 'removememorydump',
  target: Target,
  { body, config }: { body: string; config: ClusterConfig },
): Promise<void> {
  if (verb === 'memorydump') requireHotplug(config);
  const options = parseOptions<{ claimName?: string }>('VirtualMachineMemoryDumpRequest', body);
  for (let changes = 0; ; changes++) {
    const decision = await decide(client, verb, target, options);
    if ('refusal' in decision) throw decision.refusal;
    try {
      await client.patch(resources.virtualMachines, { ...target, subresource: 'status' }, decision.patch, 'merge');
      return;
    } catch (error) {
      if (!isConflict(error) || changes >= MAX_CHANGES) throw translate(error, target);
    }
  }
}

async function decide(
  client: KubeClient,
  verb: 'memorydump' | 'removememorydump',
  target: Target,
  options: { claimName?: string },
): Promise<DumpDecision> {
  const vm = await findVm(client, target);
  if (verb === 'removememorydump') return decideRemoval(vm);
  const claimName = claimOf(vm, options);
  const [vmi, claim, cdiConfig] = await Promise.all([
    client.find<VirtualMachineInstance>(resources.virtualMachineInstances, target),
    client.find<Claim>(resources.persistentVolumeClaims, { namespace: target.namespace, name: claimName }),
    client.find<cdi.CDIConfig & KubeObject>(resources.cdiConfigs, { name: 'config' }),
  ]);
  return decideDump(claimName, { vm, vmi, claim, cdiConfig });
}
