/** Attachment Pods: virt-controller creates them, virt-handler recognizes them. */
import { suffixOf } from './launcher-name';
import type { ObjectMeta } from './meta';

/** Value of label `kubevirt.io`, and name of the container. */
export const ATTACHMENT = 'hotplug-disk';

/** Name of the Pod that makes claims usable on the node of a launcher, by the names of the volumes. */
export const attachmentPodName = (
  launcherUid: string | undefined,
  volumes: readonly { readonly name: string; readonly claimName: string }[],
): string =>
  `hp-volume-${suffixOf([launcherUid, ...volumes.map(({ name, claimName }) => `${name}=${claimName}`)].join('/'))}`;

/** UID of the launcher Pod to which an attachment Pod belongs. */
export const launcherOf = ({ ownerReferences }: ObjectMeta): string | undefined =>
  ownerReferences?.find(({ controller, kind, apiVersion }) => controller && kind === 'Pod' && apiVersion === 'v1')?.uid;
