import { cloneSourceOf, type CloneSource } from '../../../../api/cdi/clone-source';
import { claimSpecOf, overheadOf } from '../../../../api/cdi/claim';
import { quantityOf } from '../../../../api/quantity';
import type { KubeObject } from '../../../../api';
import { provenSource, refusalOf } from '../clone/authorize';
import { isFilled, snapshotOf } from '../clone/observe';
import { tooSmall, type Problem } from '../clone/plan';
import { smallestRequest } from '../clone/size';
import type { StorageContext } from '../context';
import type { StorageClaim } from '../types';
import type { CloneFacts, DataVolume } from './decide';

const SNAPSHOT_RECHECK_MS = 5_000;

/** Source of a DataVolume without a claim, or cause for which its claim is not created yet. */
export async function cloneFacts(context: StorageContext, dataVolume: DataVolume): Promise<CloneFacts> {
  const { namespace = '' } = dataVolume.metadata;
  const from = sourceOf(context, dataVolume);
  if ('reason' in from) return { problem: from };
  const refusal = await refusalOf(context, from, namespace, dataVolume);
  if (refusal) return { problem: refusal };
  const hasSize = (dataVolume.spec.pvc ?? dataVolume.spec.storage)?.resources?.requests?.storage !== undefined;
  if (from.kind === 'PersistentVolumeClaim') return ofClaim(context, dataVolume, from, hasSize);
  if (hasSize) return { from };
  const storage = (await snapshotOf(context, from))?.status?.restoreSize;
  if (storage !== undefined) return { from, storage };
  const message = `the source VolumeSnapshot ${from.namespace}/${from.name} does not exist or is not ready; the clone starts when it is`;
  return { problem: { reason: 'CloneWithoutSource', message, retryMs: SNAPSHOT_RECHECK_MS } };
}

/** Source of a DataVolume. A DataSource may name another one by now than when virt-api checked the permission. */
function sourceOf(context: StorageContext, dataVolume: DataVolume): CloneSource | Problem {
  const { metadata, spec } = dataVolume;
  const proven = spec.sourceRef && provenSource(dataVolume, context);
  if (proven) return proven;
  const { caches } = context;
  const find = (kind: string, namespace: string | undefined, name: string): KubeObject | undefined =>
    kind === 'DataSource' ? caches.dataSources.get(`${namespace}/${name}`) : undefined;
  const found = cloneSourceOf(spec, metadata.namespace ?? '', find);
  if (found && !('missing' in found)) return found;
  const { name = '', namespace = metadata.namespace } = spec.sourceRef ?? {};
  const state = found ? 'does not exist; create it' : 'names no PVC or VolumeSnapshot; set its spec.source';
  return { reason: 'CloneWithoutSource', message: `DataSource ${namespace}/${name} ${state}, and the clone starts` };
}

function ofClaim(context: StorageContext, dataVolume: DataVolume, from: CloneSource, hasSize: boolean): CloneFacts {
  const { caches, cluster } = context;
  const source = caches.claims.get(`${from.namespace}/${from.name}`);
  const spec = claimSpecOf(dataVolume, cluster).spec as StorageClaim['spec'] | undefined;
  if (!spec) return { from }; // the claim is not valid, which is reported without its source
  const overhead = (className: string | undefined): number => overheadOf(className, cluster);
  if (hasSize) {
    const problem = source && tooSmall(source, { spec }, overhead);
    return problem ? { problem } : { from };
  }
  if (source?.status?.phase === 'Bound' && isFilled(context, source)) {
    return { from, storage: quantityOf(BigInt(smallestRequest(source, { spec }, overhead)), 'BinarySI') };
  }
  const message = `the source PVC ${from.namespace}/${from.name} does not exist or is not filled yet; the clone starts when it is`;
  return { problem: { reason: 'CloneWithoutSource', message } };
}
