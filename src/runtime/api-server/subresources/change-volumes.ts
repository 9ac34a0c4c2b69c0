import type { AddVolumeOptions, ClusterConfig, RemoveVolumeOptions } from '../../../api';
import { isConflict, resources } from '../../kube';
import type { KubeClient } from '../../kube';
import { findVm, findVmi, MAX_CHANGES, translate } from './lifecycle';
import type { Target } from './lifecycle';
import { isDryRun, parseOptions } from './options';
import { addRequest, decideForInstance, decideForVm, removeRequest } from './volumes';

/** Adds a volume to a VM or an instance, or removes one; repeated if another client wrote in between. */
export async function changeVolumes(
  client: KubeClient,
  verb: 'addvolume' | 'removevolume',
  of: 'vm' | 'vmi',
  target: Target,
  { body, config }: { body: string; config: ClusterConfig },
): Promise<void> {
  const isAdd = verb === 'addvolume';
  const options = parseOptions<Partial<AddVolumeOptions & RemoveVolumeOptions>>(
    isAdd ? 'AddVolumeOptions' : 'RemoveVolumeOptions',
    body,
  );
  const request = isAdd ? addRequest(options, config) : removeRequest(options, config);
  for (let changes = 0; ; changes++) {
    const decision =
      of === 'vm'
        ? decideForVm(await findVm(client, target), request)
        : decideForInstance(await findVmi(client, target), request);
    if ('refusal' in decision) throw decision.refusal;
    try {
      const dryRun = isDryRun(options);
      if (of === 'vm') await client.patch(resources.virtualMachines, target, decision.patch, 'merge', { dryRun });
      else await client.patch(resources.virtualMachineInstances, target, decision.patch, 'merge', { dryRun });
      return;
    } catch (error) {
      if (!isConflict(error) || changes >= MAX_CHANGES) throw translate(error, target);
    }
  }
}
