/** Status of the volumes that a running guest gets and loses. Pure. */
import type { VirtualMachineInstance, VolumeStatus } from '../../../api';
import { attachedVolumes, hotplugClaim, isForLauncher } from '../../../api/hotplug-volumes';
import { reasons, VolumeReason } from '../../../api/reasons';
import type { PodFacts, Problem } from '../instance/observed';
import type { Pod } from '../kube-types';
import { DUMP_PHASES, dumpStatus } from './memory-dump';
import { attachmentOf, isWritten } from './plan';

type Facts = Pick<PodFacts, 'domain' | 'plugged' | 'plugProblems'>;

const DONE = ['MountedToPod', 'Ready', ...DUMP_PHASES];

/**
 * Status of a hotplugged volume. The controller writes the phases up to AttachedToNode; after them, a wanted volume only
 * advances, so that a launcher cannot cause writes by its reports.
 */
export function hotplugStatus(
  vmi: VirtualMachineInstance,
  facts: Facts,
  launcher: Pod | undefined,
  attachments: readonly Pod[],
  old: VolumeStatus,
  now: number,
): VolumeStatus {
  const { name } = old;
  const volume = attachedVolumes(vmi.spec).find((each) => each.name === name);
  const isAttached = facts.domain?.volumes?.some((each) => each.name === name) ?? false;
  const isPlugged = facts.plugged?.includes(name) ?? false;
  const problem = problemOf(facts, name);
  if (!volume) {
    const isGone = facts.plugged !== undefined && !isAttached && !isPlugged && !isWritten(facts.domain, name);
    if (isGone) {
      const message = `Volume ${name} has been unmounted from virt-launcher pod`;
      return { ...old, target: '', phase: 'UnMountedFromPod', reason: VolumeReason.UnMountedFromPod, message };
    }
    const message = `Volume ${name} is being detached from the ${old.memoryDumpVolume ? 'launcher' : 'guest'}`;
    return { ...old, phase: 'Detaching', ...(problem ?? { reason: VolumeReason.Detaching, message }) };
  }
  const pod = launcher && attachmentOf(launcher, attachments, name, hotplugClaim(volume) ?? '');
  const { name: attachPodName, uid: attachPodUID } = pod?.metadata ?? {};
  const hotplugVolume = pod ? { attachPodName, attachPodUID } : (old.hotplugVolume ?? {});
  const base = { ...old, hotplugVolume };
  if (isAttached) {
    const message = `Successfully attach hotplugged volume ${name} to VM`;
    return { ...base, phase: 'Ready', reason: VolumeReason.Ready, message };
  }
  if (old.phase === 'Ready') return base;
  if (isPlugged && old.memoryDumpVolume && isForLauncher(volume)) {
    return dumpStatus(vmi, facts.domain, { ...base, memoryDumpVolume: old.memoryDumpVolume }, now);
  }
  if (isPlugged) {
    const message = `Volume ${name} has been mounted in virt-launcher pod`;
    return { ...base, phase: 'MountedToPod', ...(problem ?? { reason: VolumeReason.MountedToPod, message }) };
  }
  // the message of the controller, about its own phases, is kept
  return problem && !DONE.includes(old.phase ?? '') ? { ...base, ...problem } : base;
}

function problemOf({ plugProblems, domain }: Facts, name: string): Problem | undefined {
  const found = [...(plugProblems ?? []), ...(domain?.volumeProblems ?? [])].find((each) => each.name === name);
  return found && { reason: found.reason, message: found.message };
}

/** Reasons of the normal course. */
const NORMAL: readonly string[] = [...Object.values(VolumeReason), reasons.dataVolumePending];

/** The problem of a hotplugged volume that the VMI's status shows. */
export function hotplugProblem(volumeStatus: readonly VolumeStatus[] = []): Problem | undefined {
  const failing = volumeStatus.find(
    ({ hotplugVolume, reason }) => hotplugVolume && reason !== undefined && !NORMAL.includes(reason),
  );
  return failing && { reason: failing.reason ?? '', message: failing.message ?? '' };
}
