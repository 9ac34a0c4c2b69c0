import { keys } from '../../../api/keys';
import { addQuantities } from '../../../api/quantity';
import type { KubeObject, VirtualMachineInstance } from '../../../api';
import { STATE_LABEL } from './cluster-facts';
import { defaultStateClaim, needsStateClaim, tracksChangedBlocks } from './feature-volumes';
import type { RenderInput } from './input';
import { controllerOf } from './metadata';

/** A claim to be created. */
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
 * The claim that a VMI's Pod needs for its TPM, EFI variables and changed blocks, when it has none yet. It belongs to
 * the VM and outlives the VMI; that of a VMI without a VM ends with it. Only a storage class that an administrator chose
 * for this is counted on to let two nodes write.
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
      // the second lets CDI make the claim as large as its class demands
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
