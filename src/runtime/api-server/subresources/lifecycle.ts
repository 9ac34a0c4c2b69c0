import type { KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../api';
import { ApiError, isConflict, isNotFound, resources } from '../../kube';
import type { KubeClient } from '../../kube';
import { conflict, notFound, Refusal } from '../status';
import { decideRestart, decideStart, decideStop } from './decide';
import type { Action, Decision } from './decide';
import { isDryRun, parseOptions } from './options';
import type { RestartOptions, StartOptions, StopOptions } from './options';

/** Which VM or VMI. */
export interface Target {
  readonly namespace: string;
  readonly name: string;
}

/** How often a decision is made anew because the VM changed under it. */
const MAX_CONFLICTS = 5;

/** start, stop and restart of a VM: look, decide, write; again if someone else wrote in between. */
export async function changeRunState(
  client: KubeClient,
  verb: 'start' | 'stop' | 'restart',
  target: Target,
  body: string,
): Promise<void> {
  const { options, decide } = prepare(verb, body);
  for (let conflicts = 0; ; conflicts++) {
    const [vm, vmi] = await Promise.all([
      findVm(client, target),
      client.find<VirtualMachineInstance>(resources.virtualMachineInstances, target),
    ]);
    const decision = decide(vm, vmi);
    if ('refusal' in decision) throw decision.refusal;
    try {
      for (const action of decision.actions) await perform(client, target, action, isDryRun(options));
      return;
    } catch (error) {
      if (isConflict(error) && conflicts < MAX_CONFLICTS) continue;
      throw translate(error, target);
    }
  }
}

type Decide = (vm: VirtualMachine, vmi: VirtualMachineInstance | undefined) => Decision;

function prepare(verb: 'start' | 'stop' | 'restart', body: string): { options: { dryRun?: string[] }; decide: Decide } {
  switch (verb) {
    case 'start': {
      const options = parseOptions<StartOptions>('StartOptions', body);
      return { options, decide: (vm, vmi) => decideStart(vm, vmi, options) };
    }
    case 'stop': {
      const options = parseOptions<StopOptions>('StopOptions', body);
      return { options, decide: (vm, vmi) => decideStop(vm, vmi, options) };
    }
    case 'restart': {
      const options = parseOptions<RestartOptions>('RestartOptions', body);
      return { options, decide: (vm, vmi) => decideRestart(vm, vmi, options) };
    }
  }
}

/** The VM, or its 404. */
export async function findVm(client: KubeClient, target: Target): Promise<VirtualMachine> {
  const vm = await client.find<VirtualMachine>(resources.virtualMachines, target);
  if (!vm) throw notFound({ kind: 'virtualmachine', name: target.name });
  return vm;
}

/** The VMI, or its 404. */
export async function findVmi(client: KubeClient, target: Target): Promise<VirtualMachineInstance> {
  const vmi = await client.find<VirtualMachineInstance>(resources.virtualMachineInstances, target);
  if (!vmi) throw notFound({ kind: 'virtualmachineinstance', name: target.name });
  return vmi;
}

async function perform(client: KubeClient, target: Target, action: Action, dryRun: boolean): Promise<void> {
  switch (action.do) {
    case 'patchVm':
      await client.patch(
        resources.virtualMachines,
        { ...target, subresource: action.subresource },
        action.patch,
        'merge',
        { dryRun },
      );
      return;
    case 'patchVmi':
      await client.patch(resources.virtualMachineInstances, target, action.patch, 'merge', { dryRun });
      return;
    case 'deleteLauncher':
      await deleteLaunchers(client, target.namespace, action.vmiUid, action.gracePeriodSeconds, dryRun);
  }
}

/** A Pod that merely carries our labels is not enough: the VMI must own it. */
async function deleteLaunchers(
  client: KubeClient,
  namespace: string,
  vmiUid: string,
  gracePeriodSeconds: number,
  dryRun: boolean,
): Promise<void> {
  const pods = await client.list<KubeObject>(resources.pods, {
    namespace,
    labelSelector: `kubevirt.io=virt-launcher,kubevirt.io/created-by=${vmiUid}`,
  });
  for (const { metadata } of pods.items) {
    if (!metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === vmiUid)) continue;
    const options = { gracePeriodSeconds, preconditions: { uid: metadata.uid }, dryRun };
    try {
      await client.delete(resources.pods, { namespace, name: metadata.name ?? '' }, options);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** What the API server said of our write is what the user shall read. */
function translate(error: unknown, { name }: Target): unknown {
  if (isConflict(error)) {
    return conflict({ kind: 'virtualmachine', name }, 'the object has been modified; please try again');
  }
  if (error instanceof ApiError && error.status) {
    return new Refusal(error.code, error.reason, error.status.message ?? error.message, error.status.details);
  }
  return error;
}
