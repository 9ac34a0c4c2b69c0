import type { Volume } from '../../../api';
import { claimNames } from '../pod';
import { fillOf, needsConsumer, phaseOf } from '../virtual-machine/data-volumes';
import type { Observed } from './observed';
import { reasons } from '../../../api/reasons';
import type { Problem } from './problem';

/** What the disks of a VMI hold, as far as it is known. */
type Disks = Pick<Observed, 'vmi' | 'claims' | 'dataVolumes' | 'dataVolumesUnknown'>;

/** What keeps a guest from booting from its claims: one does not exist, or its DataVolume has not filled it. */
export function missingVolumes(disks: Disks): Problem | undefined {
  const { vmi, claims } = disks;
  const volumes = vmi.spec.volumes ?? [];
  for (const volume of volumes) {
    const [name] = claimNames({ volumes: [volume] });
    if (name !== undefined && !claims.has(name)) return missingClaim(disks, volume, name);
  }
  for (const volume of volumes) {
    const [name] = claimNames({ volumes: [volume] });
    const problem = name === undefined ? undefined : unfilledClaim(disks, volume, name);
    if (problem) return problem;
  }
  return undefined;
}

function missingClaim(disks: Disks, volume: Volume, claimName: string): Problem {
  if (volume.dataVolume && disks.dataVolumesUnknown !== undefined) return unknown(claimName, disks.dataVolumesUnknown);
  const dataVolume = volume.dataVolume && disks.dataVolumes.get(claimName);
  if (dataVolume) {
    return pending(
      `DataVolume "${claimName}" has no claim yet (phase ${phaseOf(dataVolume) || 'unset'}); the VM starts when it is filled`,
    );
  }
  return {
    reason: reasons.pvcNotFound,
    message:
      `volume "${volume.name}": PersistentVolumeClaim "${claimName}" does not exist in namespace ` +
      `"${disks.vmi.metadata.namespace}"; create it or name another (the VM starts by itself then)`,
  };
}

/**
 * A claim that a DataVolume controls is filled when that very DataVolume says so, whatever kind of volume names the
 * claim. The caches of claims and DataVolumes have no common order: a DataVolume that is in no cache may well be filling
 * its claim, and one of the same name may be an older one. CDI deletes DataVolumes that succeeded where it is
 * configured so; the claim has no DataVolume for a controller then and says that it was collected, or its annotations
 * say that it is filled.
 */
function unfilledClaim(disks: Disks, volume: Volume, claimName: string): Problem | undefined {
  const { dataVolume: controller, isCollected } = disks.claims.get(claimName) ?? {};
  const name = controller?.name ?? volume.dataVolume?.name;
  if (name === undefined || (!controller && isCollected)) return undefined;
  if (disks.dataVolumesUnknown !== undefined) return unknown(name, disks.dataVolumesUnknown);
  const dataVolume = disks.dataVolumes.get(name);
  if (controller && dataVolume?.metadata.uid !== controller.uid) {
    return controller.saysFilled ? undefined : unseen(claimName, controller);
  }
  if (!dataVolume) return undefined;
  const phase = phaseOf(dataVolume);
  switch (fillOf(phase)) {
    case 'filled':
      return undefined;
    case 'needs a consumer':
      return pending(needsConsumer(name, phase));
    default:
      return pending(`DataVolume "${name}" is not filled yet (phase ${phase || 'unset'}); the VM starts when it is`);
  }
}

const unseen = (claimName: string, { name, uid }: { name: string; uid: string }): Problem =>
  pending(
    `PersistentVolumeClaim "${claimName}" belongs to DataVolume "${name}" (uid ${uid}), which was not found, and nothing ` +
      'says that the claim is filled; the VM starts when that DataVolume is there and has succeeded. If it was deleted ' +
      "after it had filled the claim, remove the claim's ownerReference",
  );

const unknown = (name: string, cause: string): Problem =>
  pending(`whether DataVolume "${name}" is filled is not known: ${cause}; the VM starts by itself when it is known`);

const pending = (message: string): Problem => ({ reason: reasons.dataVolumePending, message });
