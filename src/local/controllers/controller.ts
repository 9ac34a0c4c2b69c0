import { errorText } from '../../api/error-text';
import type { KubeObject } from '../../api/meta';
import {
  ApiError,
  EventRecorder,
  Expectations,
  type Informer,
  isConflict,
  keyOf,
  WorkQueue,
  type KubeClient,
  type Requeue,
  type Resource,
} from '../../runtime/kube';
import type { Log } from '../log';
import type { Informers } from './informers';
import { writeStatus } from './status';

/** A program that moves objects of one kind towards their spec. Its constructor registers handlers of informers. */
export interface Controller {
  /** `deployment-controller`: also the source of its events. */
  readonly name: string;
  /** Starts the informers that it needs, and its work. */
  start(): Promise<void>;
  /** Stops after the passes in progress. */
  close(): Promise<void>;
}

/** Environment of a controller. */
export interface ControllerContext {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly log: Log;
}

/** Time after which a key that waits for its own writes is examined again, if no change of the cache wakes it earlier. */
const RECHECK_MS = 1000;

/** A controller with one queue of keys. Subclasses register handlers that call `enqueue`, and reconcile one key. */
export abstract class QueueController implements Controller {
  protected readonly events: EventRecorder;
  /** Own writes that the caches may not show yet; a key is reconciled when its writes are visible. */
  protected readonly expectations = new Expectations();
  private readonly queue: WorkQueue;
  private working?: Promise<void>;

  protected constructor(
    public readonly name: string,
    protected readonly context: ControllerContext,
    private readonly workers = 5,
  ) {
    const { client, log } = context;
    this.events = new EventRecorder(client, {
      component: name,
      onError: (error) => log('warn', `${name}: an event could not be written`, { error: String(error) }),
    });
    this.queue = new WorkQueue({
      onError: (key, error) => {
        // another writer was faster: the next pass sees its change
        if (!isConflict(error)) log('warn', `${name}: retrying`, { key, error: String(error) });
      },
    });
  }

  public async start(): Promise<void> {
    await this.startInformers();
    this.working = this.queue.run(this.workers, (key) => this.pass(key));
  }

  public async close(): Promise<void> {
    await this.queue.stop();
    await this.working;
    await this.events.stop();
  }

  /** Starts the informers that every pass reads; others may be started by the first pass that reads them. */
  protected abstract startInformers(): Promise<void>;

  /** Reads the caches, decides and acts. An error leads to another pass with backoff. */
  protected abstract reconcile(key: string): Promise<Requeue | void>;

  protected enqueue(key: string, afterMs = 0): void {
    this.queue.addAfter(key, afterMs);
  }

  /** Reconciles objects of this controller's kind when they change. */
  protected follow<T extends KubeObject>(informer: Informer<T>): void {
    const wake = (object: T): void => this.enqueue(keyOf(object));
    informer.onChange({ add: wake, update: wake, delete: (object) => this.expectations.forget(keyOf(object)) });
  }

  /** Writes a changed status; the next pass waits until the cache shows it. */
  protected async writeStatus<T extends KubeObject & { status?: object }>(
    key: string,
    informer: Informer<T>,
    resource: Resource,
    object: T,
    status: object,
    annotations?: Record<string, string>,
  ): Promise<void> {
    const written = await writeStatus(this.context.client, resource, object, status, annotations);
    this.expectations.expect(key, informer, written?.metadata.resourceVersion);
  }

  private async pass(key: string): Promise<Requeue | void> {
    if (!this.expectations.satisfied(key)) return { requeueAfterMs: RECHECK_MS };
    return this.reconcile(key);
  }
}

/** Message of the API server without the request that it rejected, for events and conditions. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError ? (error.status?.message ?? error.message) : errorText(error);

/** Whether a creation failed because its namespace is being deleted: it will never succeed. */
export const isTerminating = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status?.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
