import { isAlreadyExists, isNotFound, type Informer, type Requeue } from '../../../runtime/kube';
import { deepEqual } from '../../api-server/json/values';
import type { CronJob, Job } from '../batch-v1';
import { isTerminating, messageOf, QueueController, type ControllerContext } from '../controller';
import { controllerOf, resourceOf } from '../informers';
import { timestamp } from '../status';
import { decide, jobOf, type CronEvent } from './decide';

const JOBS = resourceOf('jobs');
const CRON_JOBS = resourceOf('cronJobs');

/** Starts Jobs at the times of each CronJob, and deletes old ones. */
export class CronJobController extends QueueController {
  private readonly cronJobs: Informer<CronJob>;
  private readonly jobs: Informer<Job>;

  public constructor(context: ControllerContext) {
    super('cronjob-controller', context);
    this.cronJobs = context.informers.get('cronJobs');
    this.jobs = context.informers.get('jobs');
    this.follow(this.cronJobs);
    const wakeOwner = ({ metadata }: Job): void => {
      const owner = controllerOf(metadata);
      if (owner?.kind === 'CronJob') this.enqueue(`${metadata.namespace}/${owner.name}`);
    };
    this.jobs.onChange({ add: wakeOwner, update: wakeOwner, delete: wakeOwner });
  }

  protected startInformers(): Promise<void> {
    return this.context.informers.start('cronJobs', 'jobs');
  }

  protected async reconcile(key: string): Promise<Requeue | void> {
    const cronJob = this.cronJobs.get(key);
    if (!cronJob) return;
    const jobs = this.jobs.byIndex('owner', cronJob.metadata.uid ?? '');
    const plan = decide({ cronJob, jobs, gone: await this.gone(cronJob, jobs), now: Date.now() });
    this.report(cronJob, plan.events);
    let { status } = plan;
    if (plan.start) {
      const { time, replaces } = plan.start;
      for (const { namespace, name = '', uid } of replaces)
        await this.deleteJob(key, cronJob, { namespace, name, uid });
      const job = await this.startJob(key, cronJob, jobOf(cronJob, time));
      const replaced = new Set(replaces.map(({ uid }) => uid));
      const active = (status.active ?? []).filter(({ uid }) => !replaced.has(uid));
      if (job) status = { ...status, active: [...active, referenceTo(job)], lastScheduleTime: timestamp(time) };
    }
    for (const { metadata } of plan.expired) {
      await this.deleteJob(key, cronJob, {
        namespace: metadata.namespace,
        name: metadata.name ?? '',
        uid: metadata.uid,
      });
    }
    if (!deepEqual(status, cronJob.status ?? {})) {
      const written = await this.context.client.replaceStatus(CRON_JOBS, { ...cronJob, status });
      this.expectations.expect(key, this.cronJobs, written.metadata.resourceVersion);
    }
    return { requeueAfterMs: plan.requeueAfterMs };
  }

  /** UIDs of active Jobs that neither the cache nor the API server has. */
  private async gone({ status }: CronJob, jobs: readonly Job[]): Promise<Set<string>> {
    const known = new Set(jobs.map(({ metadata }) => metadata.uid));
    const gone = new Set<string>();
    for (const { namespace, name = '', uid = '' } of status?.active ?? []) {
      if (known.has(uid)) continue;
      const job = await this.context.client.find<Job>(JOBS, { namespace, name });
      if (job?.metadata.uid !== uid) gone.add(uid);
    }
    return gone;
  }

  /** Returns the Job, also one that an earlier pass created without storing it in the status. */
  private async startJob(key: string, cronJob: CronJob, job: Job): Promise<Job | undefined> {
    const { namespace, name = '' } = job.metadata;
    try {
      const created = await this.context.client.create(JOBS, job);
      this.expectations.expect(key, this.jobs, created.metadata.resourceVersion);
      this.events.normal(cronJob, 'SuccessfulCreate', `Created job ${name}`);
      return created;
    } catch (error) {
      if (isTerminating(error)) return undefined;
      if (isAlreadyExists(error)) {
        const found = await this.context.client.find<Job>(JOBS, { namespace, name });
        return found && controllerOf(found.metadata)?.uid === cronJob.metadata.uid ? found : undefined;
      }
      this.events.warning(cronJob, 'FailedCreate', `Error creating job: ${messageOf(error)}`);
      throw error;
    }
  }

  private async deleteJob(
    key: string,
    cronJob: CronJob,
    { namespace, name, uid }: { namespace?: string; name: string; uid?: string },
  ): Promise<void> {
    try {
      const options = { propagationPolicy: 'Background', preconditions: { uid } } as const;
      const left = await this.context.client.delete(JOBS, { namespace, name }, options);
      if (left.kind === 'Job') this.expectations.expect(key, this.jobs, (left as Job).metadata.resourceVersion);
    } catch (error) {
      if (isNotFound(error)) return;
      this.events.warning(cronJob, 'FailedDelete', `Deleted job: ${messageOf(error)}`);
      throw error;
    }
    this.events.normal(cronJob, 'SuccessfulDelete', `Deleted job ${name}`);
  }

  private report(cronJob: CronJob, events: readonly CronEvent[]): void {
    for (const { type, reason, message } of events) this.events.record(cronJob, type, reason, message);
  }
}

const referenceTo = ({ metadata }: Job) => ({
  kind: 'Job',
  namespace: metadata.namespace,
  name: metadata.name,
  uid: metadata.uid,
  apiVersion: 'batch/v1',
  resourceVersion: metadata.resourceVersion,
});
