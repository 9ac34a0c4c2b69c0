/** Names of launcher Pods: virt-controller gives them, virt-handler recognises them. */
import { createHash } from 'node:crypto';

/** Letters that make no words and no look-alikes: Kubernetes' own for generated names. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** `virt-launcher-NAME-` and five letters that follow from the seed; of the Pod that starts the guest: the VMI's UID. */
export const launcherPodName = (vmiName: string, seed: string): string =>
  `virt-launcher-${vmiName.slice(0, 230).replace(/[-.]+$/, '')}-${suffixOf(seed)}`;

/** Five letters that follow from the seed. */
export function suffixOf(seed: string): string {
  const digest = createHash('sha256').update(seed).digest();
  return [...digest.subarray(0, 5)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
