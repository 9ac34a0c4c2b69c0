/** Names of launcher Pods: virt-controller gives them, virt-handler and virt-api recognise them. */
import { createHash } from 'node:crypto';
import type { ObjectMeta } from './meta';

/** Letters that make no words and no look-alikes: Kubernetes' own for generated names. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** `virt-launcher-NAME-` and five letters that follow from the seed; of the Pod that starts the guest: the VMI's UID. */
export const launcherPodName = (vmiName: string, seed: string): string =>
  `virt-launcher-${vmiName.slice(0, 230).replace(/[-.]+$/, '')}-${suffixOf(seed)}`;

/**
 * Whether this is the launcher Pod of the VMI. Any user who may create Pods can copy labels and ownerReferences; the
 * name follows from the VMI's UID, and only one Pod can have it.
 */
export function isLauncherOf(
  { metadata: { namespace, name = '', uid } }: { readonly metadata: ObjectMeta },
  { metadata: pod }: { readonly metadata: ObjectMeta },
): boolean {
  const owner = pod.ownerReferences?.find(({ controller }) => controller);
  return (
    uid !== undefined &&
    pod.namespace === namespace &&
    pod.name === launcherPodName(name, uid) &&
    owner?.kind === 'VirtualMachineInstance' &&
    owner.apiVersion.startsWith('kubevirt.io/') &&
    owner.uid === uid
  );
}

/** Five letters that follow from the seed. */
export function suffixOf(seed: string): string {
  const digest = createHash('sha256').update(seed).digest();
  return [...digest.subarray(0, 5)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
