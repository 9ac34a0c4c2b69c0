import { isConflict, isNotFound, keyOf, type Informer, type Requeue } from '../../../runtime/kube';
import { finalCondition, type Job } from '../batch-v1';
import { QueueController, type ControllerContext } from '../controller';
import { resourceOf } from '../informers';

/** Time until a Job that has ended expires; undefined if it does not expire. Pure. */
export function untilExpired(job: Job, now: number): number | undefined {
  const ttl = job.spec.ttlSecondsAfterFinished;
  const ended = Date.parse(finalCondition(job)?.lastTransitionTime ?? '');
  if (ttl === undefined || Number.isNaN(ended) || job.metadata.deletionTimestamp) return undefined;
  return Math.max(0, ended + ttl * 1000 - now);
}

/** Deletes Jobs some time after they have ended. */
export class JobTtlController extends QueueController {
  private readonly jobs: Informer<Job>;

  public constructor(context: ControllerContext) {
    super('ttl-after-finished-controller', context);
    this.jobs = context.informers.get('jobs');
    const wake = (job: Job): void => {
      const ms = untilExpired(job, Date.now());
      if (ms !== undefined) this.enqueue(keyOf(job), ms);
    };
    this.jobs.onChange({ add: wake, update: wake });
  }

  protected startInformers(): Promise<void> {
    return this.context.informers.start('jobs');
  }

  protected async reconcile(key: string): Promise<Requeue | void> {
    const known = this.jobs.get(key);
    if (!known) return;
    const { namespace, name = '' } = known.metadata;
    const job = await this.context.client.find<Job>(resourceOf('jobs'), { namespace, name });
    const ms = job && untilExpired(job, Date.now());
    if (!job || ms === undefined) return;
    if (ms > 0) return { requeueAfterMs: ms };
    const { uid, resourceVersion } = job.metadata;
    try {
      await this.context.client.delete(
        resourceOf('jobs'),
        { namespace, name },
        { propagationPolicy: 'Foreground', preconditions: { uid, resourceVersion } },
      );
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}
