import { mayClone, type CloneSource } from '../../../../api/cdi/clone-source';
import { keys } from '../../../../api/keys';
import { decideWith, permissionsOf, sourceOf, verifyCloneToken } from '../../../kube';
import type { StorageContext } from '../context';
import type { DataVolume } from '../data-volume/decide';
import type { Problem } from './plan';

const DENIED_RECHECK_MS = 30_000;

/** Source that the author of a DataVolume was allowed to copy when it was created. virt-api signs it. */
export function provenSource(
  { metadata }: DataVolume,
  { trust }: Pick<StorageContext, 'trust'>,
): CloneSource | undefined {
  const token = metadata.annotations?.[keys.cloneToken];
  const authority = trust.authority();
  if (token === undefined || authority === undefined) return undefined;
  const { namespace = '', name = '', creationTimestamp = '' } = metadata;
  const use = { namespace, name, createdAt: Date.parse(creationTimestamp) };
  return verifyCloneToken(token, use, { authority, host: trust.host })?.from;
}

/**
 * Cause for which this source must not be copied into a claim of `namespace`; undefined if it may be. Either virt-api has signed that the author of
 * the DataVolume may do it, or the ServiceAccount `default` of the namespace may, as for the DataVolumes of a VM.
 */
export async function refusalOf(
  context: Pick<StorageContext, 'client' | 'trust'>,
  from: CloneSource,
  namespace: string,
  dataVolume?: DataVolume,
): Promise<Problem | undefined> {
  if (from.namespace === namespace) return undefined;
  const proven = dataVolume && provenSource(dataVolume, context);
  if (proven && isSame(proven, from)) return undefined;
  const username = `system:serviceaccount:${namespace}:default`;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  const may = permissionsOf(context.client, { username, groups });
  const isAllowed = await decideWith({ ...sourceOf(context.client), may }, (answers) =>
    mayClone(from, namespace, (access) => answers.may(access)),
  );
  if (isAllowed) return undefined;
  const message =
    `nothing proves that the author of this clone may read namespace ${from.namespace}; create the DataVolume as a user who may ` +
    `create datavolumes/source there, or give that permission to ServiceAccount "default" of namespace ${namespace}`;
  return { reason: 'CloneNotAuthorized', message, retryMs: DENIED_RECHECK_MS };
}

const isSame = (a: CloneSource, b: CloneSource): boolean =>
  a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;
