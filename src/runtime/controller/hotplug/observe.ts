import type { VirtualMachineInstance } from '../../../api';
import { attachedVolumes, hotplugClaim } from '../../../api/hotplug-volumes';
import type { Context } from '../context';
import { isFinal } from '../instance/observed';

/** Claims of the volumes that are attached while the guest runs. */
export const hotplugClaims = ({ spec }: VirtualMachineInstance): string[] =>
  attachedVolumes(spec).flatMap((volume) => hotplugClaim(volume) ?? []);

/** Other VMIs that have the claims: from their start, or by an attachment Pod. */
export function claimUsers(
  { caches }: Context,
  { metadata }: VirtualMachineInstance,
  claims: readonly string[],
): Map<string, string> {
  const users = new Map<string, string>();
  for (const claim of claims) {
    const user = caches.vmis
      .byIndex('claim', `${metadata.namespace}/${claim}`)
      .find((vmi) => vmi.metadata.uid !== metadata.uid && !isFinal(vmi) && uses(vmi, claim));
    if (user) users.set(claim, user.metadata.name ?? '');
  }
  return users;
}

function uses({ spec, status }: VirtualMachineInstance, claim: string): boolean {
  const attached = attachedVolumes(spec);
  const isAttached = attached.some((volume) => {
    const found = status?.volumeStatus?.find((each) => each.name === volume.name);
    return hotplugClaim(volume) === claim && found?.hotplugVolume?.attachPodName !== undefined;
  });
  if (isAttached) return true;
  return (spec.volumes ?? []).some((volume) => {
    if (attached.includes(volume)) return false;
    return (hotplugClaim(volume) ?? volume.ephemeral?.persistentVolumeClaim?.claimName) === claim;
  });
}
