import { keys } from '../../../api/keys';
import { namedClaim } from './claims';
import type { RenderInput } from './input';

/**
 * Labels that name the claims on which the guest may hold SCSI reservations: two such guests on one node could not be
 * told apart by the disk. A claim that is not known has none.
 */
export function reservationLabels({ vmi, claims }: RenderInput): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const { name, lun } of vmi.spec.domain.devices.disks ?? []) {
    const volume = lun?.reservation ? vmi.spec.volumes?.find((candidate) => candidate.name === name) : undefined;
    const claimName = volume && namedClaim(volume);
    const uid = claimName ? claims.get(claimName)?.uid : undefined;
    if (uid) labels[`${keys.reservationPrefix}${uid}`] = '';
  }
  return labels;
}
