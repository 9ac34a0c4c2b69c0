/** Decides what a DataSource reports about the disk that it names. Pure. */
import type { cdi } from '../../../../api';
import { timed } from '../conditions';
import type { DataSource, StorageClaim, VolumeSnapshot } from '../types';

export interface Observed {
  readonly dataSource: DataSource;
  /** DataSource that it points to. */
  readonly target?: DataSource;
  readonly claim?: StorageClaim;
  /** Phase of the claim's DataVolume, if it has one. */
  readonly importPhase?: string;
  readonly snapshot?: VolumeSnapshot;
  readonly now: number;
}

export interface Decision {
  readonly status: cdi.DataSourceStatus;
  /** Labels that the DataSource lacks: the instance type that its disk recommends. */
  readonly labels: Readonly<Record<string, string>>;
  readonly retryMs?: number;
}

const RECOMMENDATION = 'instancetype.kubevirt.io/';
/** Snapshots are not watched. */
const SNAPSHOT_RECHECK_MS = 5_000;

export function decide(observed: Observed): Decision {
  const { dataSource, target, claim, now } = observed;
  const source = resolved(observed);
  const { reason, message, isReady } = readiness(observed);
  const ready = { type: 'Ready', status: isReady ? 'True' : 'False', reason, message } as const;
  const given = target?.metadata.labels ?? claim?.metadata.labels ?? {};
  const own = dataSource.metadata.labels ?? {};
  const labels = Object.entries(given).filter(([key]) => key.startsWith(RECOMMENDATION) && !(key in own));
  return {
    status: {
      ...(source && { source }),
      conditions: [timed(ready, dataSource.status?.conditions, now)],
    },
    labels: Object.fromEntries(labels),
    ...(source?.snapshot && !isReady && { retryMs: SNAPSHOT_RECHECK_MS }),
  };
}

/** The disk itself, not a DataSource. */
function resolved({ dataSource, target }: Observed): cdi.DataSourceSource | undefined {
  const { source } = dataSource.spec;
  if (!source.dataSource) return source.pvc || source.snapshot ? source : undefined;
  return target?.spec.source.dataSource ? undefined : target?.spec.source;
}

interface Readiness {
  readonly isReady: boolean;
  readonly reason: string;
  readonly message: string;
}

const not = (reason: string, message: string): Readiness => ({ isReady: false, reason, message });
const READY: Readiness = { isReady: true, reason: 'Ready', message: 'DataSource is ready to be consumed' };

function readiness(observed: Observed): Readiness {
  const { dataSource, target, claim, importPhase, snapshot } = observed;
  const pointer = dataSource.spec.source.dataSource;
  if (pointer && !target) {
    return not('NotFound', `DataSource ${pointer.namespace}/${pointer.name} does not exist; create it`);
  }
  if (pointer && target?.spec.source.dataSource) {
    const message = `DataSource ${pointer.namespace}/${pointer.name} points to another one; name the last of them`;
    return not('MaxDepthReached', message);
  }
  const source = resolved(observed);
  if (source?.pvc) {
    const name = `${source.pvc.namespace ?? dataSource.metadata.namespace}/${source.pvc.name}`;
    if (importPhase !== undefined && importPhase !== 'Succeeded') {
      return not(importPhase || 'Pending', `DataVolume ${name} is not filled yet`);
    }
    return claim ? READY : not('NotFound', `PVC ${name} does not exist`);
  }
  if (source?.snapshot) {
    const name = `${source.snapshot.namespace ?? dataSource.metadata.namespace}/${source.snapshot.name}`;
    if (!snapshot) return not('NotFound', `VolumeSnapshot ${name} does not exist`);
    return snapshot.status?.readyToUse ? READY : not('SnapshotNotReady', `VolumeSnapshot ${name} is not ready`);
  }
  return not('NoSource', 'spec.source names no PVC or VolumeSnapshot yet');
}
