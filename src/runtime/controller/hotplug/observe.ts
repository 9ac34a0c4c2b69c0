import type { VirtualMachineInstance } from '../../../api';
import { hotplugClaim, isHotpluggable } from '../../../api/hotplug-volumes';
import type { Context } from '../context';
import { isFinal } from '../instance/observed';

/** Claims of the VMI's hotplugged volumes. */
export const hotplugClaims = ({ spec }: VirtualMachineInstance): string[] =>
  (spec.volumes ?? []).filter(isHotpluggable).flatMap((volume) => hotplugClaim(volume) ?? []);

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
  return (spec.volumes ?? []).some((volume) => {
    const name = hotplugClaim(volume) ?? volume.ephemeral?.persistentVolumeClaim?.claimName;
    if (name !== claim) return false;
    const found = status?.volumeStatus?.find((each) => each.name === volume.name);
    return !isHotpluggable(volume) || found?.hotplugVolume?.attachPodName !== undefined;
  });
}
