/** Names of launcher Pods: virt-controller creates them, virt-handler and virt-api recognize them. */
import { createHash } from 'node:crypto';
import type { ObjectMeta } from './meta';

/** Kubernetes' letters for generated names, which form no words and do not look alike. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** `virt-launcher-NAME-` and five letters derived from the seed. The seed of the Pod that starts the guest is the VMI's UID. */
export const launcherPodName = (vmiName: string, seed: string): string =>
  `virt-launcher-${vmiName.slice(0, 230).replace(/[-.]+$/, '')}-${suffixOf(seed)}`;

/**
 * Whether this is the launcher Pod of the VMI. Any user who may create Pods can copy labels and ownerReferences; the
 * name is derived from the VMI's UID, and only one Pod can have it.
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

/** Returns five letters derived from the seed. */
export function suffixOf(seed: string): string {
  const digest = createHash('sha256').update(seed).digest();
  return [...digest.subarray(0, 5)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
