import { controllerRef } from '../../../../api/owner';
import { annotations } from './annotations';
import { WORK_LABELS, type StorageClaim } from '../types';

/** First part of the names of claims that are filled in place of others. */
export const PRIME = 'prime-';

/** Name of the claim that is filled in place of another one, whose volume it then hands over. */
export const primeName = ({ metadata }: Pick<StorageClaim, 'metadata'>): string => `${PRIME}${metadata.uid}`;

/**
 * Claim that an importer fills. It has the class, size and modes of the user's claim, which stays unbound until its content is
 * complete: a Pod cannot start with half a disk.
 */
export function primeOf(claim: StorageClaim): StorageClaim {
  const { metadata } = claim;
  const node = metadata.annotations?.[annotations.selectedNode];
  const { dataSource: _source, dataSourceRef: _reference, volumeName: _volume, ...spec } = claim.spec;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: primeName(claim),
      namespace: metadata.namespace,
      labels: { ...WORK_LABELS },
      annotations: {
        // the volume is created where the first consumer of the user's claim will run
        ...(node && { [annotations.selectedNode]: node }),
      },
      ownerReferences: [controllerRef(claim)],
    },
    spec,
  };
}
