import type { Value } from '../../kube/metrics';
import type { Snapshot } from '../protection/types';
import { unixTime } from './guest-facts';

/** Times of successful snapshots. Pure. */
export function snapshotTimes({ metadata, spec, status }: Snapshot): Value[] {
  const value = unixTime(status?.creationTime);
  if (status?.phase !== 'Succeeded' || value === undefined) return [];
  const labels = { name: spec.source.name, snapshot_name: metadata.name, namespace: metadata.namespace };
  return [{ labels, value }];
}
