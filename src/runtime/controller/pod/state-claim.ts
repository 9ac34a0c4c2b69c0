import { keys } from '../../../api/keys';
import { addQuantities } from '../../../api/quantity';
import type { KubeObject, VirtualMachineInstance } from '../../../api';
import { STATE_LABEL } from './cluster-facts';
import { defaultStateClaim, needsStateClaim, tracksChangedBlocks } from './feature-volumes';
import type { RenderInput } from './input';
import { controllerOf } from './metadata';

/** A claim to create. */
export interface StateClaim extends KubeObject {
  spec: {
    accessModes: string[];
    resources: { requests: { storage: string } };
    storageClassName?: string;
    volumeMode: 'Filesystem';
  };
}

const SIZE = '10Mi';
/** Bitmaps of changed blocks. */
const CHANGED_BLOCKS_SIZE = '512Mi';

/**
 * Claim that a VMI's Pod needs for its TPM, EFI variables and changed blocks; undefined if it exists. The VM owns it, so it
 * outlives the VMI; the claim of a VMI without a VM is deleted with the VMI. Only a storage class that an administrator
 * configured for this purpose is expected to allow writes from two nodes.
 */
export function missingStateClaim({
  vmi,
  config,
  stateClaim,
}: Pick<RenderInput, 'vmi' | 'config' | 'stateClaim'>): StateClaim | undefined {
  if (!needsStateClaim({ vmi }) || stateClaim !== undefined) return undefined;
  const { name = '', namespace } = vmi.metadata;
  const storageClassName = config.raw.vmStateStorageClass || undefined;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: defaultStateClaim(name),
      namespace,
      // the second annotation lets CDI enlarge the claim to the minimum of its storage class
      labels: { [STATE_LABEL]: name, [keys.applyStorageProfile]: 'true' },
      ownerReferences: ownersOf(vmi),
    },
    spec: {
      accessModes: [storageClassName ? 'ReadWriteMany' : 'ReadWriteOnce'],
      resources: {
        requests: { storage: tracksChangedBlocks({ vmi }) ? addQuantities(SIZE, CHANGED_BLOCKS_SIZE) : SIZE },
      },
      ...(storageClassName && { storageClassName }),
      volumeMode: 'Filesystem',
    },
  };
}

const ownersOf = ({ metadata }: VirtualMachineInstance) =>
  metadata.ownerReferences?.length
    ? metadata.ownerReferences
    : [controllerOf('kubevirt.io/v1', 'VirtualMachineInstance', metadata.name, metadata.uid)];
