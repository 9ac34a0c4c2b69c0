import type { KubeObject } from '../../../../api';
import { annotations } from './annotations';

/** `namespace/name` of the claim that a Pod or another claim serves. An owner cannot be in another namespace, an annotation can. */
export function targetOf({ metadata }: Pick<KubeObject, 'metadata'>): string | undefined {
  const target = metadata.annotations?.[annotations.cloneTarget];
  if (target !== undefined) return target;
  const owner = metadata.ownerReferences?.find(
    ({ kind, controller }) => controller && kind === 'PersistentVolumeClaim',
  );
  return owner && `${metadata.namespace}/${owner.name}`;
}
