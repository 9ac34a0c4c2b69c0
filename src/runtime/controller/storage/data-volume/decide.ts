/** Decides what a DataVolume needs. Pure. */
import { adoptsClaims } from '../../../../api/cdi/adoption';
import { claimSpecOf, type Cluster } from '../../../../api/cdi/claim';
import type { CloneSource } from '../../../../api/cdi/clone-source';
import { keys } from '../../../../api/keys';
import { controllerRef } from '../../../../api/owner';
import type { cdi, KubeObject, OwnerReference } from '../../../../api';
import type { Problem } from '../clone/plan';
import { contentKindOf, contents, type Content, type ContentKind } from '../content';
import { CDI_GROUP, type StorageClaim, type StorageClass } from '../types';
import { waitsForConsumer } from '../population/decide';
import { notServed } from './served';
import { statusOf } from './status';

export type DataVolume = cdi.DataVolume & KubeObject;

export interface Observed {
  readonly dataVolume: DataVolume;
  /** Claim with the DataVolume's name. */
  readonly claim?: StorageClaim;
  readonly storageClass?: StorageClass;
  /** Object that describes the content for the populator. */
  readonly source?: KubeObject;
  /** Source of a clone without a claim, or cause for which it does not begin. */
  readonly clone?: CloneFacts;
  /** Cause for which the API server refused the claim just now. */
  readonly refused?: Problem;
  readonly cluster: Cluster;
  readonly now: number;
}

export type Action =
  | { readonly do: 'createSource'; readonly object: KubeObject }
  | { readonly do: 'createClaim'; readonly object: StorageClaim }
  /** Makes the DataVolume the owner of a claim that has its content already. */
  | { readonly do: 'adoptClaim'; readonly object: StorageClaim; readonly owner: OwnerReference }
  | { readonly do: 'deleteSource'; readonly object: KubeObject };

/** Source of a clone; `storage` is the size of the claim, if the DataVolume has none. */
export type CloneFacts = { readonly from: CloneSource; readonly storage?: string } | { readonly problem: Problem };

export interface Decision {
  readonly actions: readonly Action[];
  /** The whole status. */
  readonly status: cdi.DataVolumeStatus;
  /** Time after which a problem is checked again, if no event reports its end. */
  readonly retryMs?: number;
}

/** Name of the object that describes the content of a DataVolume for the populator. */
export const sourceName = ({ metadata }: Pick<DataVolume, 'metadata'>, kind: ContentKind): string =>
  `${contents[kind].prefix}-${metadata.uid}`;

/** Whether the DataVolume controls the claim. */
export const isOwned = (claim: StorageClaim, { metadata }: DataVolume): boolean =>
  claim.metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === metadata.uid) ?? false;

/** Whether the DataVolume takes over the claim, which belongs to no other object. */
function adopts(dataVolume: DataVolume, { metadata }: StorageClaim, cluster: Cluster): boolean {
  if (metadata.deletionTimestamp || metadata.ownerReferences?.some(({ controller }) => controller)) return false;
  // a restore fills a claim before its DataVolume exists
  if (metadata.annotations?.[keys.populatedFor] === dataVolume.metadata.name) return true;
  return adoptsClaims(dataVolume, cluster.find('CDIConfig', undefined, 'config') as cdi.CDIConfig | undefined);
}

export function decide(observed: Observed): Decision {
  const { dataVolume, claim, storageClass, source, clone, refused, cluster, now } = observed;
  const { metadata, status } = dataVolume;
  const kind = contentKindOf(dataVolume.spec);
  const settled = (problem?: { reason: string; message: string }, hasClaim = true): cdi.DataVolumeStatus => {
    const own = hasClaim ? claim : undefined;
    return statusOf(
      {
        claim: own,
        kind,
        waitsForConsumer: own !== undefined && waitsForConsumer({ claim: own, storageClass }),
        problem,
      },
      status,
      now,
    );
  };
  const stopped = (problem: Problem): Decision => ({
    actions: [],
    status: settled(problem),
    retryMs: problem.retryMs,
  });
  if (metadata.deletionTimestamp) return { actions: [], status: status ?? {} };
  if (claim && !isOwned(claim, dataVolume) && adopts(dataVolume, claim, cluster)) {
    return { actions: [{ do: 'adoptClaim', object: claim, owner: controllerRef(dataVolume) }], status: settled() };
  }
  if (claim && !isOwned(claim, dataVolume)) {
    const message = `PersistentVolumeClaim "${claim.metadata.name}" exists and does not belong to this DataVolume; delete the claim, rename the DataVolume, or annotate it ${keys.allowClaimAdoption}: "true" if the claim has no controller`;
    return { actions: [], status: settled({ reason: 'ErrClaimExists', message }, false) };
  }
  if (!claim) {
    const unread = notServed(dataVolume.spec);
    if (unread || !kind) return { actions: [], status: settled(unread) };
    if (refused) return stopped(refused);
    if (clone && 'problem' in clone) return stopped(clone.problem);
    const made = claimOf(dataVolume, kind, cluster, clone?.storage);
    if ('problem' in made) return stopped({ reason: 'ErrClaimNotValid', message: made.problem });
    const object = sourceOf(dataVolume, kind, clone?.from);
    const actions: Action[] = [
      ...(source ? [] : [{ do: 'createSource', object } as const]),
      { do: 'createClaim', object: made },
    ];
    return { actions, status: settled() };
  }
  const after = settled();
  // the source object is needed until the content is complete
  return {
    actions: after.phase === 'Succeeded' && source ? [{ do: 'deleteSource', object: source }] : [],
    status: after,
  };
}

function sourceOf(dataVolume: DataVolume, kind: ContentKind, from?: CloneSource): KubeObject {
  const { metadata, spec } = dataVolume;
  const content: Content = contents[kind];
  const annotations = from && content.annotationsOf?.(from, metadata.namespace ?? '');
  return {
    apiVersion: `${CDI_GROUP}/v1beta1`,
    kind,
    metadata: {
      name: sourceName(dataVolume, kind),
      namespace: metadata.namespace,
      ...(annotations && { annotations }),
      ownerReferences: [controllerRef(dataVolume)],
    },
    spec: content.specOf(spec, from),
  } as KubeObject;
}

function claimOf(
  dataVolume: DataVolume,
  kind: ContentKind,
  cluster: Cluster,
  storage?: string,
): StorageClaim | { readonly problem: string } {
  const { metadata, spec } = dataVolume;
  const made = claimSpecOf(dataVolume, cluster);
  if (made.problem !== undefined) return { problem: made.problem };
  const { [keys.cloneToken]: _token, ...given } = metadata.annotations ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: metadata.name,
      namespace: metadata.namespace,
      labels: { ...metadata.labels, app: 'containerized-data-importer', 'app.kubernetes.io/component': 'storage' },
      annotations: {
        ...given,
        [keys.contentType]: spec.contentType ?? 'kubevirt',
        ...(spec.priorityClassName && { [keys.priorityClass]: spec.priorityClassName }),
      },
      ownerReferences: [controllerRef(dataVolume)],
    },
    spec: {
      ...made.spec,
      ...(storage && { resources: { ...made.spec.resources, requests: { storage } } }),
      dataSourceRef: { apiGroup: CDI_GROUP, kind, name: sourceName(dataVolume, kind) },
    },
  };
}
