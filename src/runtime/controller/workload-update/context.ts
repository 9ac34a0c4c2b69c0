import type { ControllerReason } from '../../../api/reasons';
import type { EventRecorder, KubeClient } from '../../kube';
import type { Caches } from '../context';
import type { LastBatch } from './last-batch';

/** Context of updates of guests. */
export interface UpdateContext {
  readonly client: KubeClient;
  readonly recorder: EventRecorder<ControllerReason>;
  readonly caches: Pick<Caches, 'vmis' | 'pods' | 'kubeVirts'>;
  readonly launcherImage: string;
  readonly lastBatch: LastBatch;
  /** Only kept in memory: without it, evictions that were rejected are tried once more, and caches are complete at the start. */
  readonly refusals: Map<string, number>;
  readonly evictions: Map<string, number>;
  now(): number;
}
