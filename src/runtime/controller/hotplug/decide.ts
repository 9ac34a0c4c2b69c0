/**
 * Attachment Pods of a running guest, and the status of its hotplugged volumes until virt-handler has them. Pure.
 *
 * Each volume has a Pod of its own (KubeVirt: one for all). Then a claim that cannot be used delays no other volume, nothing is
 * mounted again when another volume is added, and a claim with ReadWriteOncePod is never needed by two Pods.
 */
import type { VirtualMachineInstance, VirtualMachineInstanceStatus, Volume, VolumeStatus } from '../../../api';
import { attachmentPodName } from '../../../api/attachment-name';
import { attachedVolumes, hotplugClaim } from '../../../api/hotplug-volumes';
import { reasons, VolumeReason } from '../../../api/reasons';
import type { Action } from '../instance/decide';
import { unfilledClaim } from '../instance/disk-content';
import { hasEnded } from '../instance/observed';
import type { Observed } from '../instance/observed';
import { podProblem } from '../instance/pod-problem';
import { claimInfo, renderAttachmentPod } from '../pod';
import type { ClaimInfo, Pod } from '../pod';

export interface HotplugDecision {
  readonly actions: Action[];
  /** Undefined if it stays. */
  readonly volumeStatus?: VirtualMachineInstanceStatus['volumeStatus'];
}

/** Phases that virt-handler writes. */
const OF_HANDLER: readonly string[] = [
  ...['MountedToPod', 'Ready', 'Detaching', 'UnMountedFromPod'],
  ...['MemoryDumpInProgress', 'MemoryDumpCompleted', 'MemoryDumpFailed'],
];

/** Decides for a guest that virt-handler has taken over. */
export function decideHotplug(seen: Observed, launcher: Pod): HotplugDecision {
  const { vmi, attachments } = seen;
  const before = vmi.status?.volumeStatus ?? [];
  const wanted = attachedVolumes(vmi.spec);
  const isOld = ({ name, hotplugVolume }: VolumeStatus): boolean =>
    hotplugVolume !== undefined && !wanted.some((volume) => volume.name === name);
  if (wanted.length === 0 && attachments.length === 0 && !before.some(isOld)) return { actions: [] };
  if (vmi.status?.phase !== 'Running') return { actions: [] };
  const steps = wanted.map((volume) => forVolume(seen, launcher, volume));
  // virt-handler confirms that nothing of the volume is in use
  const leaving = before.filter((status) => isOld(status) && status.phase !== 'UnMountedFromPod');
  const needed = new Set([...steps.map(({ podName }) => podName), ...leaving.map((status) => podOf(status, launcher))]);
  const outdated = attachments.filter(
    ({ metadata }) => !metadata.deletionTimestamp && !needed.has(metadata.name ?? ''),
  );
  const isKept = (status: VolumeStatus): boolean =>
    !isOld(status) ||
    status.phase !== 'UnMountedFromPod' ||
    attachments.some(({ metadata }) => metadata.name === podOf(status, launcher));
  const volumeStatus = [
    ...before.filter((status) => !wanted.some(({ name }) => name === status.name)).filter(isKept),
    ...steps.map(({ status }) => status),
  ];
  const ordered = inOrder(before, volumeStatus);
  return {
    actions: [
      ...steps.flatMap(({ actions }) => actions),
      ...outdated.map((pod): Action => ({ do: 'deleteAttachment', pod, why: 'its volume was detached' })),
    ],
    ...(JSON.stringify(ordered) === JSON.stringify(before) ? {} : { volumeStatus: ordered }),
  };
}

/** The new list in the order of the old one, with added entries at its end. */
function inOrder(before: readonly VolumeStatus[], after: readonly VolumeStatus[]): VolumeStatus[] {
  const place = (name: string): number => {
    const index = before.findIndex((status) => status.name === name);
    return index < 0 ? before.length : index;
  };
  return [...after].sort((a, b) => place(a.name) - place(b.name));
}

const podOf = ({ name, persistentVolumeClaimInfo }: VolumeStatus, launcher: Pod): string =>
  attachmentPodName(launcher.metadata.uid, [{ name, claimName: persistentVolumeClaimInfo?.claimName ?? '' }]);

interface Step {
  readonly podName: string;
  readonly actions: Action[];
  readonly status: VolumeStatus;
}

function forVolume(seen: Observed, launcher: Pod, volume: Volume): Step {
  const { vmi, attachments, claims } = seen;
  const { name } = volume;
  const claimName = hotplugClaim(volume) ?? '';
  const podName = attachmentPodName(launcher.metadata.uid, [{ name, claimName }]);
  const pod = attachments.find(({ metadata }) => metadata.name === podName);
  const old = vmi.status?.volumeStatus?.find((status) => status.name === name);
  const claim = claims.get(claimName);
  const info = claim ? claimInfo(claimName, claim) : old?.persistentVolumeClaimInfo;
  const base: VolumeStatus = {
    ...(old ?? { name, target: '' }),
    hotplugVolume: old?.hotplugVolume ?? {},
    ...(info && { persistentVolumeClaimInfo: info }),
    ...(isDump(vmi, name) && { memoryDumpVolume: old?.memoryDumpVolume ?? { claimName } }),
  };
  const isTaken = OF_HANDLER.includes(old?.phase ?? '');
  if (!pod) {
    const problem = isTaken ? undefined : whyNotYet(seen, volume, claimName);
    if (problem) return { podName, actions: [], status: { ...base, phase: 'Pending', ...problem } };
    if (!claim) return { podName, actions: [], status: base };
    const created = renderAttachmentPod({ ...seen, launcherPod: placed(launcher, vmi), volumes: [volume], claims });
    const status = isTaken ? base : { ...base, ...waiting(claim, claimName) };
    const message = `Created hotplug attachment pod ${podName}, for volume ${name}`;
    return {
      podName,
      actions: [
        { do: 'createAttachment', pod: created },
        { do: 'recordEvent', type: 'Normal', reason: reasons.successfulCreate, message },
      ],
      status: { ...status, hotplugVolume: { attachPodName: podName } },
    };
  }
  const actions: Action[] =
    hasEnded(pod) && !pod.metadata.deletionTimestamp
      ? [{ do: 'deleteAttachment', pod, why: 'it has ended while its volume is in use' }]
      : [];
  const hotplugVolume = { attachPodName: podName, attachPodUID: pod.metadata.uid };
  if (isTaken) return { podName, actions, status: { ...base, hotplugVolume } };
  if (pod.status?.phase === 'Running') {
    const message = `Created hotplug attachment pod ${podName}, for volume ${name}`;
    // a problem of virt-handler with this volume stays until it is resolved
    const verdict =
      old?.phase === 'AttachedToNode'
        ? {}
        : { phase: 'AttachedToNode' as const, reason: VolumeReason.AttachedToNode, message };
    return { podName, actions, status: { ...base, hotplugVolume, ...verdict } };
  }
  const problem = podProblem(pod, seen.nodes, seen.config);
  const message = `the Pod ${podName}, which makes volume "${name}" usable on the node, does not run: ${problem?.message}`;
  const verdict = problem
    ? { phase: 'Bound' as const, reason: reasons.attachmentFailed, message }
    : waiting(claim, claimName);
  return { podName, actions, status: { ...base, hotplugVolume: { attachPodName: podName }, ...verdict } };
}

/** Whether memory is dumped to the volume. Utility volumes have other purposes. */
const isDump = ({ spec }: VirtualMachineInstance, volume: string): boolean =>
  spec.volumes?.some(({ name, memoryDump }) => name === volume && memoryDump) ?? false;

const waiting = (
  claim: ClaimInfo | undefined,
  claimName: string,
): Pick<VolumeStatus, 'phase' | 'reason' | 'message'> => ({
  phase: claim?.isBound ? 'Bound' : 'Pending',
  reason: VolumeReason.Bound,
  message: `PVC ${claimName} is ${claim?.isBound ? 'bound; its attachment Pod starts' : 'in phase Pending'}`,
});

/** Tolerations of the launcher, which the cache does not keep, are those of its VMI. */
const placed = (launcher: Pod, { spec }: VirtualMachineInstance): Pod => ({
  ...launcher,
  spec: { ...launcher.spec, tolerations: spec.tolerations },
});

/** Returns why the volume cannot be attached yet: its claim is missing, not filled, or used by another guest. */
function whyNotYet(seen: Observed, volume: Volume, claimName: string): { reason: string; message: string } | undefined {
  const { vmi, claims, dataVolumes, claimUsers } = seen;
  if (!claims.has(claimName)) {
    const isFilling = volume.dataVolume && dataVolumes.has(claimName);
    if (isFilling) {
      const message = `DataVolume "${claimName}" has no claim yet; the volume is attached when it is filled`;
      return { reason: reasons.dataVolumePending, message };
    }
    return {
      reason: reasons.pvcNotFound,
      message:
        `volume "${volume.name}": PersistentVolumeClaim "${claimName}" does not exist in namespace ` +
        `"${vmi.metadata.namespace}"; create it (the volume is attached automatically), or remove the volume`,
    };
  }
  const problem = unfilledClaim(seen, volume, claimName);
  if (problem)
    return { ...problem, message: problem.message.replace(/the VM starts when/, 'the volume is attached when') };
  const disk = vmi.spec.domain.devices.disks?.find(({ name }) => name === volume.name);
  const user = disk?.shareable ? undefined : claimUsers.get(claimName);
  if (user === undefined) return undefined;
  const message =
    `volume "${volume.name}": PersistentVolumeClaim "${claimName}" is used by VM "${user}"; detach it there (the volume is ` +
    'attached automatically), or make the disk shareable in both VMs';
  return { reason: reasons.claimInUse, message };
}
