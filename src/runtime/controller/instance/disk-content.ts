import { keys } from '../../../api/keys';
import type { Volume } from '../../../api';
import { claimNames } from '../pod';
import { fillOf, needsConsumer, phaseOf } from '../virtual-machine/data-volumes';
import type { Observed } from './observed';
import { reasons } from '../../../api/reasons';
import type { Problem } from './problem';

/** Content of a VMI's disks, as far as it is known. */
type Disks = Pick<Observed, 'vmi' | 'claims' | 'dataVolumes' | 'dataVolumesUnknown'>;

/** Returns why a guest cannot boot from its claims: one does not exist, or its DataVolume has not filled it. */
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
      `"${disks.vmi.metadata.namespace}"; create it or choose another claim (the VM will start automatically)`,
  };
}

/**
 * A claim that a DataVolume controls is filled when exactly that DataVolume reports it, regardless of the kind of volume that refers
 * to the claim. The caches of claims and DataVolumes have no common order: a DataVolume that is not cached may be filling
 * its claim, and a cached one of the same name may be an older one. CDI may be configured to delete DataVolumes that
 * succeeded; their claim then has no controlling DataVolume and is marked as collected, or its annotations show that it
 * is filled. A claim without a DataVolume that requests an upload is filled when the upload is complete.
 */
export function unfilledClaim(disks: Disks, volume: Volume, claimName: string): Problem | undefined {
  const { dataVolume: controller, isCollected, awaitsUpload } = disks.claims.get(claimName) ?? {};
  if (awaitsUpload && !controller) return pending(awaited(claimName));
  const name = controller?.name ?? volume.dataVolume?.name;
  if (name === undefined || (!controller && isCollected)) return undefined;
  if (disks.dataVolumesUnknown !== undefined) return unknown(name, disks.dataVolumesUnknown);
  const dataVolume = disks.dataVolumes.get(name);
  if (controller && dataVolume?.metadata.uid !== controller.uid) {
    return controller.saysFilled ? undefined : unseenDataVolume(claimName, controller);
  }
  if (!dataVolume) return undefined;
  const phase = phaseOf(dataVolume);
  switch (fillOf(phase)) {
    case 'filled':
    case 'filled for a Pod':
      return undefined;
    case 'needs a consumer':
      return pending(needsConsumer(name, phase));
    default:
      return pending(`DataVolume "${name}" is not filled yet (phase ${phase || 'unset'}); the VM starts when it is`);
  }
}

const awaited = (claimName: string): string =>
  `PersistentVolumeClaim "${claimName}" waits for an upload (annotation ${keys.uploadTarget}); the VM starts when it is ` +
  `complete: virt8s image-upload pvc ${claimName} --no-create --image-path FILE`;

const unseenDataVolume = (claimName: string, { name, uid }: { name: string; uid: string }): Problem =>
  pending(
    `PersistentVolumeClaim "${claimName}" belongs to DataVolume "${name}" (uid ${uid}), which was not found, and no annotation ` +
      'shows that the claim is filled; the VM starts when that DataVolume exists and has succeeded. If it was deleted ' +
      "after it had filled the claim, remove the claim's ownerReference",
  );

const unknown = (name: string, cause: string): Problem =>
  pending(
    `virt-controller cannot determine whether DataVolume "${name}" is filled: ${cause}; the VM will start automatically when it can`,
  );

const pending = (message: string): Problem => ({ reason: reasons.dataVolumePending, message });
