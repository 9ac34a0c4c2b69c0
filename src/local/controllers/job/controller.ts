import { isNotFound, keyOf, resources, type Informer, type Requeue } from '../../../runtime/kube';
import { deepEqual } from '../../api-server/json/values';
import type { Pod } from '../../core-v1';
import { inGrowingBatches } from '../batches';
import { finalCondition, type Job, type JobStatus } from '../batch-v1';
import { QueueController, type ControllerContext } from '../controller';
import { controllerOf, resourceOf } from '../informers';
import { candidatesOf, claim, followOwned } from '../ownership';
import { PodControl } from '../pod-control';
import { matcherOf } from '../pods';
import { NO_FAILURES, type Backoff } from './backoff';
import { plan, type Observed, type Plan } from './decide';
import { isTracked, TRACKING } from './pods';
import { podFor } from './template';
import { finish, printed, track, type JobEvent } from './track';

const JOBS = resourceOf('jobs');
/** Value of `managedBy` that means this controller. */
const OURS = 'kubernetes.io/job-controller';
const JOB_LABEL = 'batch.kubernetes.io/job-name';
/** Keys of Pods that a Job no longer counts. */
const POD = 'pod:';

/** Runs the Pods of each Job to completion, and counts each of them exactly once. */
export class JobController extends QueueController {
  private readonly jobs: Informer<Job>;
  private readonly pods: Informer<Pod>;
  private readonly control: PodControl;
  private readonly backoffs = new Map<string, Backoff>();

  public constructor(context: ControllerContext) {
    super('job-controller', context);
    const { client, informers } = context;
    this.jobs = informers.get('jobs');
    this.pods = informers.get('pods');
    this.control = new PodControl(client, informers, this.events, this.expectations);
    const enqueue = (key: string): void => this.enqueue(key);
    const wake = (job: Job): void => {
      enqueue(keyOf(job));
      if (finalCondition(job)) this.releaseOwned(job);
    };
    this.jobs.onChange({
      add: wake,
      update: wake,
      delete: (job) => {
        this.expectations.forget(keyOf(job));
        this.backoffs.delete(keyOf(job));
        this.releaseOwned(job);
      },
    });
    followOwned({
      owned: this.pods,
      owners: this.jobs,
      ownerKind: 'Job',
      selectorOf: ({ spec }) => spec.selector,
      enqueue,
    });
    const orphan = (pod: Pod): void => {
      if (this.isLeft(pod)) enqueue(`${POD}${keyOf(pod)}`);
    };
    this.pods.onChange({ add: orphan, update: orphan });
  }

  protected async startInformers(): Promise<void> {
    await this.context.informers.start('jobs');
    // Pods may be left of Jobs that no longer exist
    const left = await this.context.client.list(resources.pods, { labelSelector: JOB_LABEL, most: 1 });
    if (left.items.length) await this.context.informers.start('pods');
    for (const pod of this.pods.list()) if (this.isLeft(pod)) this.enqueue(`${POD}${keyOf(pod)}`);
  }

  protected async reconcile(key: string): Promise<Requeue | void> {
    if (key.startsWith(POD)) return this.releaseLeft(key.slice(POD.length));
    const job = this.jobs.get(key);
    if (!job || !this.manages(job) || finalCondition(job)) return;
    await this.context.informers.start('pods');
    const observed = await this.observe(key, job);
    const planned = plan(observed);
    const { outcome, error } = await this.perform(key, job, planned);
    const tracked = track(observed, planned, outcome);
    const current = await this.store(key, job, tracked.status);
    this.report(job, tracked.events);
    this.backoffs.set(key, planned.backoff);
    const released = await this.release(key, tracked.release);
    const left = observed.pods.filter((pod) => !released.has(pod));
    const { status, events } = finish(tracked, job, left);
    await this.store(key, current, status);
    this.report(job, events);
    if (error) throw error.cause;
    if (released.size < tracked.release.length) throw new Error('some Pods still have the finalizer of the Job');
    return { requeueAfterMs: planned.requeueAfterMs };
  }

  private manages({ spec }: Job): boolean {
    return spec.managedBy === undefined || spec.managedBy === OURS;
  }

  private async observe(key: string, job: Job): Promise<Observed> {
    const selects = matcherOf(job.spec.selector);
    const claimed = await claim({
      client: this.context.client,
      owner: job,
      ownerResource: JOBS,
      resource: resources.pods,
      selects: ({ metadata }) => selects(metadata.labels),
      candidates: candidatesOf(this.pods, job),
      onWrite: (pod) => this.control.expect(key, pod),
    });
    const before = new Set(this.pods.byIndex('owner', job.metadata.uid ?? ''));
    const pods = await Promise.all(claimed.map((pod) => (before.has(pod) ? pod : this.adopt(key, pod))));
    return { job, pods, backoff: this.backoffs.get(key) ?? NO_FAILURES, now: Date.now() };
  }

  /** Tracks a Pod that the Job has adopted. */
  private async adopt(key: string, pod: Pod): Promise<Pod> {
    const { namespace, name = '', uid } = pod.metadata;
    const body = { metadata: { uid, finalizers: [TRACKING] } };
    const adopted = await this.context.client.patch<Pod>(resources.pods, { namespace, name }, body, 'strategic');
    this.control.expect(key, adopted);
    return adopted;
  }

  /** Deletes and creates Pods. The status has to count those that worked, so the first error is thrown later. */
  private async perform(key: string, job: Job, { remove, create, verdict, facts }: Plan) {
    const removed: Pod[] = [];
    let created = 0;
    let error: { cause: unknown } | undefined;
    const attempt = async (work: () => Promise<unknown>): Promise<void> => {
      try {
        await work();
      } catch (cause) {
        error ??= { cause };
      }
    };
    await Promise.all(
      remove.map((pod) =>
        attempt(async () => {
          // Pods of a Job that ends stay until the status counts them; others are not counted.
          if (!verdict) await this.removeFinalizer(key, pod);
          await this.control.delete(key, job, pod);
          removed.push(pod);
        }),
      ),
    );
    await attempt(() =>
      inGrowingBatches(create.length, async (i) => {
        const index = create[i]!;
        if (await this.control.create(key, job, podFor(job, index, facts.replaced.get(index)))) created++;
      }),
    );
    return { outcome: { created, removed }, error };
  }

  /** Removes the finalizer of each Pod. Returns those that it was removed from. */
  private async release(key: string, pods: readonly Pod[]): Promise<Set<Pod>> {
    const results = await Promise.allSettled(pods.map((pod) => this.removeFinalizer(key, pod)));
    return new Set(pods.filter((_, i) => results[i]?.status === 'fulfilled'));
  }

  private async removeFinalizer(key: string, { metadata }: Pod): Promise<void> {
    if (!metadata.finalizers?.includes(TRACKING)) return;
    const { namespace, name = '', uid } = metadata;
    const body = { metadata: { uid, '$deleteFromPrimitiveList/finalizers': [TRACKING] } };
    try {
      const pod = await this.context.client.patch<Pod>(resources.pods, { namespace, name }, body, 'strategic');
      this.control.expect(key, pod);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Stores the status if it changed; a concurrent change of the Job fails the pass. */
  private async store(key: string, job: Job, status: JobStatus): Promise<Job> {
    const next = printed(status);
    if (deepEqual(next, printed(job.status ?? {}))) return job;
    const written = await this.context.client.replaceStatus(JOBS, { ...job, status: next });
    this.expectations.expect(key, this.jobs, written.metadata.resourceVersion);
    return written;
  }

  private report(job: Job, events: readonly JobEvent[]): void {
    for (const { type, reason, message } of events) this.events.record(job, type, reason, message);
  }

  private releaseOwned({ metadata }: Job): void {
    for (const pod of this.pods.byIndex('owner', metadata.uid ?? '')) {
      if (isTracked(pod)) this.enqueue(`${POD}${keyOf(pod)}`);
    }
  }

  /** Whether a Pod has the finalizer although no Job will count it. */
  private isLeft(pod: Pod): boolean {
    if (!isTracked(pod) || !this.jobs.listed) return false;
    const owner = controllerOf(pod.metadata);
    if (!owner) return true;
    if (owner.kind !== 'Job' || owner.apiVersion !== 'batch/v1') return false;
    const job = this.jobs.get(`${pod.metadata.namespace}/${owner.name}`);
    if (job?.metadata.uid !== owner.uid) return true;
    return this.manages(job) && Boolean(finalCondition(job));
  }

  private async releaseLeft(podKey: string): Promise<void> {
    const pod = this.pods.get(podKey);
    if (!pod || !this.isLeft(pod)) return;
    const owner = controllerOf(pod.metadata);
    // The cache may not show a new Job yet.
    const ref = { namespace: pod.metadata.namespace, name: owner?.name ?? '' };
    const job = owner && (await this.context.client.find<Job>(JOBS, ref));
    if (job?.metadata.uid === owner?.uid && job && !finalCondition(job)) return;
    await this.removeFinalizer(`${POD}${podKey}`, pod);
  }
}
