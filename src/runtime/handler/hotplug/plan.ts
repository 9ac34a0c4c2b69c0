/** Volumes that a running guest gets, and where this node has them. Pure. */
import type { VirtualMachineInstance, VolumeStatus } from '../../../api';
import { ATTACHMENT, attachmentPodName, launcherOf } from '../../../api/attachment-name';
import { attachedVolumes, hotplugClaim, isForLauncher } from '../../../api/hotplug-volumes';
import { tryParseQuantity, quantityValue } from '../../../api/quantity';
import type { DomainState } from '../../protocol';
import type { PodFacts } from '../instance/observed';
import { containerId, containerStatus } from '../kube-types';
import type { Pod } from '../kube-types';
import { partsOf } from '../paths/safe-path';

/** A volume that its attachment Pod has on this node. */
export interface PluggedVolume {
  readonly name: string;
  /** Container of the attachment Pod. */
  readonly containerId: string;
  /** Path of the device or the file system in that container. */
  readonly place: readonly string[];
  readonly isBlock: boolean;
  /** Whether the launcher gets the whole file system, and not a disk in it. */
  readonly isFileSystem: boolean;
  /** Bytes of the disk that an empty file system gets; undefined if it must contain one. */
  readonly newDiskBytes?: bigint;
}

/** Attachment Pod of a volume. Anybody may copy its labels; its name and owner are those that virt-controller chose. */
export function attachmentOf(launcher: Pod, pods: readonly Pod[], name: string, claimName: string): Pod | undefined {
  const { uid, namespace } = launcher.metadata;
  const podName = attachmentPodName(uid, [{ name, claimName }]);
  return pods.find(
    ({ metadata }) =>
      metadata.namespace === namespace &&
      metadata.name === podName &&
      uid !== undefined &&
      launcherOf(metadata) === uid,
  );
}

/** The wanted volumes whose attachment Pod runs. */
export function pluggedVolumes(vmi: VirtualMachineInstance, launcher: Pod, pods: readonly Pod[]): PluggedVolume[] {
  return attachedVolumes(vmi.spec).flatMap((volume) => {
    const { name } = volume;
    const pod = attachmentOf(launcher, pods, name, hotplugClaim(volume) ?? '');
    const status = pod && containerStatus(pod, ATTACHMENT);
    const id = containerId(status);
    if (!pod || pod.metadata.deletionTimestamp || !status?.state?.running || !id) return [];
    const devices = pod.spec.containers.find((container) => container.name === ATTACHMENT)?.volumeDevices ?? [];
    const device = devices.find((each) => each.name === name);
    const found = vmi.status?.volumeStatus?.find((each) => each.name === name);
    return [
      {
        name,
        containerId: id,
        place: device ? partsOf(device.devicePath) : [name],
        isBlock: device !== undefined,
        isFileSystem: isForLauncher(volume),
        ...(volume.persistentVolumeClaim && !volume.persistentVolumeClaim.readOnly && { newDiskBytes: sizeOf(found) }),
      },
    ];
  });
}

function sizeOf(status: VolumeStatus | undefined): bigint | undefined {
  const { capacity, requests } = status?.persistentVolumeClaimInfo ?? {};
  const size = tryParseQuantity(capacity?.storage ?? requests?.storage);
  return size ? quantityValue(capacity?.storage ?? requests!.storage!) : undefined;
}

/** Whether the launcher writes a memory dump or a backup to the volume. */
export const isWritten = (domain: DomainState | undefined, name: string): boolean =>
  [domain?.memoryDump, domain?.backup].some((work) => work?.volume === name && work.endedAt === undefined);

/** Volumes that the launcher still has although its VMI does not want them and its guest does not use them. */
export function releasedVolumes(
  { spec }: VirtualMachineInstance,
  { plugged = [], domain }: Pick<PodFacts, 'plugged' | 'domain'>,
): string[] {
  const wanted = new Set(attachedVolumes(spec).map(({ name }) => name));
  const isUsed = (name: string): boolean =>
    (domain?.volumes?.some((each) => each.name === name) ?? false) || isWritten(domain, name);
  return plugged.filter((name) => !wanted.has(name) && !isUsed(name));
}
