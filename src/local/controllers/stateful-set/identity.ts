import type { ObjectMeta, PersistentVolumeClaim, Pod, Volume } from '../../core-v1';
import type { PodTemplate, StatefulSet } from '../apps-v1';
import { controllerRef } from '../../../api/owner';
import { podOf } from '../pod-control';

/** Names, labels and claims of a StatefulSet's Pods. Pure. */

export const REVISION = 'controller-revision-hash';
const POD_NAME = 'statefulset.kubernetes.io/pod-name';
const POD_INDEX = 'apps.kubernetes.io/pod-index';

/** The number in a Pod's name, if the Pod is named after this StatefulSet. */
export function ordinalOf({ metadata }: StatefulSet, pod: Pod): number | undefined {
  const [, parent, digits] = /^(.*)-([0-9]{1,10})$/.exec(pod.metadata.name ?? '') ?? [];
  const ordinal = Number(digits);
  return parent === metadata.name && ordinal <= 2147483647 ? ordinal : undefined;
}

export const firstOrdinal = ({ spec }: StatefulSet): number => spec.ordinals?.start ?? 0;

export function isInRange(set: StatefulSet, ordinal: number): boolean {
  const first = firstOrdinal(set);
  return ordinal >= first && ordinal < first + (set.spec.replicas ?? 1);
}

const claimName = (set: StatefulSet, template: PersistentVolumeClaim, ordinal: number): string =>
  `${template.metadata.name}-${set.metadata.name}-${ordinal}`;

/** Claims of the Pod with this number. */
export const claimsOf = (set: StatefulSet, ordinal: number): PersistentVolumeClaim[] =>
  (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...template.metadata,
      name: claimName(set, template, ordinal),
      namespace: set.metadata.namespace,
      labels: { ...template.metadata.labels, ...set.spec.selector.matchLabels },
    },
    spec: template.spec,
  }));

/** A new Pod with this number. */
export function newPod(set: StatefulSet, template: PodTemplate, ordinal: number, revision: string): Pod {
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = podOf(set, template, name);
  const volumes: Volume[] = (set.spec.volumeClaimTemplates ?? []).map((claim) => ({
    name: claim.metadata.name ?? '',
    persistentVolumeClaim: { claimName: claimName(set, claim, ordinal) },
  }));
  const others = (pod.spec.volumes ?? []).filter(({ name: own }) => !volumes.some((volume) => volume.name === own));
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, ...identityLabels(name, ordinal), [REVISION]: revision },
    },
    spec: {
      ...pod.spec,
      hostname: name,
      ...(set.spec.serviceName ? { subdomain: set.spec.serviceName } : {}),
      ...(volumes.length || others.length ? { volumes: [...volumes, ...others] } : {}),
    },
  };
}

export const identityLabels = (name: string, ordinal: number): Record<string, string> => ({
  [POD_NAME]: name,
  [POD_INDEX]: String(ordinal),
});

export const hasIdentity = ({ metadata }: Pod): boolean => metadata.labels?.[POD_NAME] === metadata.name;

type Owners = NonNullable<ObjectMeta['ownerReferences']>;

const refersTo = (kind: string, apiVersion: string, name: string | undefined) => (reference: Owners[number]) =>
  reference.kind === kind && reference.apiVersion === apiVersion && reference.name === name;

/** Whether the claim belongs to an earlier Pod of this name, which is being deleted with its claim. */
export const isStale = (set: StatefulSet, name: string, claim: PersistentVolumeClaim, uid?: string): boolean =>
  set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled === 'Delete' &&
  (claim.metadata.ownerReferences ?? []).some((owner) => refersTo('Pod', 'v1', name)(owner) && owner.uid !== uid);

/** Owners that the retention policy requires for a claim of this Pod; undefined if the claim has them. */
export function claimOwners(set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim): Owners | undefined {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const known = claim.metadata.ownerReferences ?? [];
  const isSet = refersTo('StatefulSet', 'apps/v1', set.metadata.name);
  const isPod = refersTo('Pod', 'v1', pod.metadata.name);
  const isOurs = ({ uid }: Owners[number]): boolean => uid === set.metadata.uid || uid === pod.metadata.uid;
  // an owner of the same name with another UID is being deleted: garbage collection decides about the claim
  if (known.some((owner) => (isSet(owner) || isPod(owner)) && !isOurs(owner))) return undefined;
  const others = known.filter((owner) => !isSet(owner) && !isPod(owner));
  const retains = whenDeleted === 'Retain' && whenScaled === 'Retain';
  const isForeign = !retains && others.some(({ controller }) => controller);
  const ordinal = ordinalOf(set, pod);
  const isScaledDown = ordinal === undefined || !isInRange(set, ordinal);
  const bySet = !isForeign && whenDeleted === 'Delete' && !(whenScaled === 'Delete' && isScaledDown);
  const byPod = !isForeign && whenScaled === 'Delete' && isScaledDown;
  const wanted = [...(bySet ? [set] : []), ...(byPod ? [pod] : [])].map(controllerRef);
  const have = known.filter(isOurs);
  const same =
    have.length === wanted.length &&
    wanted.every(({ uid }) => have.some((owner) => owner.uid === uid && owner.controller));
  return same ? undefined : [...others, ...wanted];
}
