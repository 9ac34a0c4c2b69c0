import { kinds } from '../../../api/kinds/registry';
import type { KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../api';
import { isLauncherOf, launcherPodName } from '../../../api/launcher-name';
import { ApiError, isConflict, isNotFound, resources } from '../../kube';
import type { KubeClient } from '../../kube';
import { conflict, notFound, Refusal } from '../status';
import { decideRestart, decideStart, decideStop, isReplaced } from './decide';
import type { Action, Decision } from './decide';
import { isDryRun, parseOptions } from './options';
import type { RestartOptions, StartOptions, StopOptions } from './options';

/** The VM or VMI that a request refers to. */
export interface Target {
  readonly namespace: string;
  readonly name: string;
}

/** Number of times that a decision is repeated because the VM or its VMI changed in between. */
export const MAX_CHANGES = 5;

/** start, stop and restart of a VM: read, decide, write; repeated if another client wrote in between. */
export async function changeRunState(
  client: KubeClient,
  verb: 'start' | 'stop' | 'restart',
  target: Target,
  body: string,
): Promise<void> {
  const { options, decide } = prepare(verb, body);
  const dryRun = isDryRun(options);
  let isWritten = false;
  let meant: VirtualMachineInstance | undefined;
  for (let changes = 0; ; changes++) {
    // the VM is read first: a VMI that is missing afterwards was not started by a request that this VM no longer shows
    const vm = await findVm(client, target);
    const vmi = await findInstance(client, target);
    if (changes === 0) meant = vmi;
    // another client has replaced the VMI during our request: that was its restart
    if (verb === 'restart' && meant && isReplaced(meant, vmi)) return;
    const decision = decide(vm, vmi);
    // decided again for another VMI, which has ended in the meantime
    if ('refusal' in decision && isWritten) return;
    if ('refusal' in decision) throw decision.refusal;
    try {
      await write(client, target, decision.actions, dryRun);
      isWritten = true;
    } catch (error) {
      if (isConflict(error) && changes < MAX_CHANGES) continue;
      throw translate(error, target);
    }
    // the VMI that runs after a restart may be its outcome
    if (dryRun || verb !== 'stop') return;
    // the resourceVersion of the VM guards against writes to the VM, not against a new VMI, so the stop also names the VMI.
    // virt-controller deletes such a VMI if it finds the stop before its own first write about that VMI
    if (!isReplaced(vmi, await findInstance(client, target))) return;
    if (changes >= MAX_CHANGES) throw conflict(subjectOf(target), 'its VMI is replaced all the time; please try again');
  }
}

const findInstance = (client: KubeClient, target: Target): Promise<VirtualMachineInstance | undefined> =>
  client.find<VirtualMachineInstance>(resources.virtualMachineInstances, target);

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

const subjectOf = ({ name }: Target) => ({ kind: kinds.VirtualMachine.singular, name });

/** Reads the VM; throws its 404. */
export async function findVm(client: KubeClient, target: Target): Promise<VirtualMachine> {
  const vm = await client.find<VirtualMachine>(resources.virtualMachines, target);
  if (!vm) throw notFound({ kind: kinds.VirtualMachine.singular, name: target.name });
  return vm;
}

/** Reads the VMI; throws its 404. */
export async function findVmi(client: KubeClient, target: Target): Promise<VirtualMachineInstance> {
  const vmi = await findInstance(client, target);
  if (!vmi) throw notFound({ kind: kinds.VirtualMachineInstance.singular, name: target.name });
  return vmi;
}

/** Performs all writes of one decision. A patch of the VM has the version that the previous one returned. */
async function write(client: KubeClient, target: Target, actions: readonly Action[], dryRun: boolean): Promise<void> {
  let resourceVersion: string | undefined;
  for (const action of actions) {
    switch (action.do) {
      case 'patchVm': {
        const ref = { ...target, subresource: action.subresource };
        const metadata = resourceVersion ? { resourceVersion } : action.patch.metadata;
        const patch = { ...action.patch, metadata };
        const answer = await client.patch(resources.virtualMachines, ref, patch, 'merge', { dryRun });
        // a dry run does not change the version
        if (!dryRun) resourceVersion = answer.metadata.resourceVersion;
        break;
      }
      case 'patchVmi':
        await client.patch(resources.virtualMachineInstances, target, action.patch, 'merge', { dryRun });
        break;
      case 'deleteLauncher':
        await deleteLauncher(client, target, action, dryRun);
    }
  }
}

/** Returns the Pod that the controllers consider the launcher: any user may copy its labels and owner into another one. */
async function deleteLauncher(
  client: KubeClient,
  { namespace, name }: Target,
  { vmiUid, gracePeriodSeconds }: Extract<Action, { do: 'deleteLauncher' }>,
  dryRun: boolean,
): Promise<void> {
  const ref = { namespace, name: launcherPodName(name, vmiUid) };
  const pod = await client.find<KubeObject>(resources.pods, ref);
  if (!pod || !isLauncherOf({ metadata: { namespace, name, uid: vmiUid } }, pod)) return;
  const options = { gracePeriodSeconds, preconditions: { uid: pod.metadata.uid }, dryRun };
  try {
    await client.delete(resources.pods, ref, options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** The API server's error about our write is returned to the user. */
export function translate(error: unknown, target: Target): unknown {
  if (isConflict(error)) return conflict(subjectOf(target), 'the object has been modified; please try again');
  if (error instanceof ApiError && error.status) {
    return new Refusal(error.code, error.reason, error.status.message ?? error.message, error.status.details);
  }
  return error;
}
