/** Provides the wanted volumes to a launcher, each on its own: a volume that fails does not affect the others. */
import { errorText } from '../../../api/error-text';
import { attachedVolumes, isForLauncher } from '../../../api/hotplug-volumes';
import { plainText } from '../../../api/plain-text';
import { FailureReason } from '../../../api/reasons';
import type { VirtualMachineInstance } from '../../../api';
import { LIMITS } from '../../protocol/bounds';
import type { Problem } from '../instance/observed';
import { containerId, containerStatus } from '../kube-types';
import type { Pod } from '../kube-types';
import type { PodVolumes } from '../paths/pod-volumes';
import { pluggedVolumes } from './plan';
import { plug, pluggedNames } from './plug';

export interface Provided {
  /** Volumes that the guest should get. */
  readonly wanted: readonly string[];
  /** Volumes that the launcher can use now, wanted or not. */
  readonly plugged: readonly string[];
  readonly problems: readonly (Problem & { readonly name: string })[];
}

/** Returns undefined for a VMI without such volumes. */
export async function providePlugged(
  vmi: VirtualMachineInstance,
  launcher: Pod,
  attachments: readonly Pod[],
  { volumes, procDir }: { volumes: PodVolumes; procDir: string },
): Promise<Provided | undefined> {
  const attached = attachedVolumes(vmi.spec);
  const isKnown = vmi.status?.volumeStatus?.some(({ hotplugVolume }) => hotplugVolume);
  if (attached.length === 0 && !isKnown) return undefined;
  const wanted = attached.filter((volume) => !isForLauncher(volume)).map(({ name }) => name);
  const podUid = launcher.metadata.uid ?? '';
  const id = containerId(containerStatus(launcher, 'compute')) ?? '';
  const problems: (Problem & { name: string })[] = [];
  for (const volume of pluggedVolumes(vmi, launcher, attachments)) {
    const { name } = volume;
    try {
      await plug(volume, { podUid, containerId: id, volumes, procDir });
    } catch (error) {
      const message = plainText(`volume "${name}": ${explained(error)}`, LIMITS.message);
      problems.push({ name, reason: FailureReason.VolumeNotProvided, message });
    }
  }
  return { wanted, plugged: pluggedNames({ podUid, volumes }), problems };
}

function explained(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT'
    ? `${errorText(error)}; if the VM sets spec.domain.devices.disableHotplug, restart it without`
    : errorText(error);
}
