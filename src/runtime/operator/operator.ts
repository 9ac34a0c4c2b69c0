import type { Logger } from 'pino';
import type { KubeVirt } from '../../api';
import { errorText } from '../../api/error-text';
import { keys } from '../../api/keys';
import { OperatorReason } from '../../api/reasons';
import { EventRecorder, isConflict, resources, unobservedQueue } from '../kube';
import type { Informer, KubeClient, MakeQueue, Requeue, WorkQueue } from '../kube';
import { allOf, makeOperatorCaches } from './caches';
import { syncCertificates } from './certificates/execute';
import type { Certificates } from './certificates/keeper';
import { byAge, type Context } from './context';
import { definitionsOf, syncInstallation } from './install/execute';
import { foreignInstallation, ownObjects } from './install/owner';
import type { Settings } from './settings';
import { reportBlocked } from './status/report';
import type { Strategy } from './strategy';
import { syncRemoval } from './uninstall/execute';
import { Writer } from './writer';

export interface OperatorOptions {
  readonly client: KubeClient;
  readonly settings: Settings;
  /** Reads the install strategy. @throws Error while it is not the one of this operator */
  readonly strategy: () => Strategy;
  readonly log: Logger;
  readonly makeQueue?: MakeQueue;
  readonly now?: () => number;
}

/** Everything is checked this often, besides at each change. */
const RESYNC_MS = 10 * 60_000;
/** Time after which a problem that no watch reports is checked again. */
const RETRY_MS = 10_000;
/** Time after which the workloads of an uninstallation, which are not watched, are listed again. */
const REMOVAL_MS = 2_000;
/** Changes that arrive together are one pass. */
const GATHER_MS = 100;
const KEY = 'platform';

/** Installs the platform, and keeps it as its KubeVirt object says. */
export class Operator {
  private readonly context: Context;
  private readonly queue: WorkQueue;
  /** Kept once it was read: a ConfigMap of the next version must not change what this operator installs. */
  private strategy?: Strategy;

  public constructor(private readonly options: OperatorOptions) {
    const { client, settings, log, makeQueue = unobservedQueue, now = Date.now } = options;
    const warn =
      (what: string) =>
      (error: unknown): void =>
        log.warn({ error: String(error) }, what);
    const caches = makeOperatorCaches(client, settings.namespace, warn('a watch failed; resuming it'));
    this.context = {
      ...{ client, settings, caches, log, now },
      writer: new Writer(client, caches),
      recorder: new EventRecorder(client, { component: 'virt-operator', onError: warn('an event was not written') }),
    };
    this.queue = makeQueue('virt-operator-platform', {
      backoffMs: { first: 200, max: RETRY_MS },
      onError: (_key, error) => log.warn({ error: String(error) }, 'a pass failed; retrying'),
    });
  }

  /** Kinds whose list is not in the cache, with the cause. */
  public get unready(): string[] {
    return this.unlisted.map(({ resource, failure }) => `${resource.plural}: ${failure ?? 'not listed yet'}`);
  }

  private get unlisted(): Informer<never>[] {
    return allOf(this.context.caches).filter(({ listed }) => !listed);
  }

  /** Works until `signal` is aborted. */
  public async run(signal: AbortSignal): Promise<void> {
    const informers = allOf(this.context.caches);
    const again = (): void => this.queue.addAfter(KEY, GATHER_MS);
    for (const informer of informers) {
      informer.onChange({ add: again, update: again, delete: again });
      void informer.start().then(again);
    }
    again();
    const running = this.queue.run(1, () => this.pass());
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await this.queue.stop();
    await running;
    await Promise.all(informers.map((informer) => informer.stop()));
    await this.context.recorder.stop();
  }

  private async pass(): Promise<Requeue> {
    const { context } = this;
    const { kubeVirts } = context.caches;
    if (!kubeVirts.listed) return { requeueAfterMs: RETRY_MS };
    const [kubeVirt, ...others] = [...kubeVirts.list()].sort(byAge);
    if (!kubeVirt) return { requeueAfterMs: RESYNC_MS };
    for (const other of others) {
      const cause = `the KubeVirt object ${kubeVirt.metadata.name} manages the platform; delete this one`;
      await reportBlocked(context, other, undefined, OperatorReason.ExistingDeployment, cause);
    }
    const block = async (reason: OperatorReason, cause: string): Promise<Requeue> => {
      await reportBlocked(context, kubeVirt, this.strategy?.version, reason, cause);
      return { requeueAfterMs: RETRY_MS };
    };
    if (this.unlisted.length > 0) {
      // right after the start, the first lists are still on their way
      if (this.unlisted.every(({ failure }) => failure === undefined)) return { requeueAfterMs: RETRY_MS };
      return block(OperatorReason.ApiNotReadable, `the operator cannot read ${this.unready.join('; ')}`);
    }
    try {
      this.strategy ??= this.options.strategy();
    } catch (error) {
      return block(OperatorReason.StrategyMismatch, errorText(error));
    }
    const { namespace } = context.settings;
    const all = [...definitionsOf(context.settings), ...this.strategy.objects, ...ownObjects(namespace, true)];
    const foreign = foreignInstallation(all, (object) => context.writer.find(object));
    if (kubeVirt.metadata.deletionTimestamp) {
      await syncRemoval(context, kubeVirt, this.strategy, foreign !== undefined);
      return { requeueAfterMs: REMOVAL_MS };
    }
    if (foreign !== undefined) {
      const remedy = 'a cluster cannot have both: remove KubeVirt, then the platform is installed';
      return block(OperatorReason.UpstreamKubeVirt, `${foreign}; ${remedy}`);
    }
    const owned = await this.withFinalizer(kubeVirt);
    let certificates: Certificates | undefined;
    try {
      certificates = await syncCertificates(context, owned);
    } catch (error) {
      // the next pass sees what was changed meanwhile
      if (isConflict(error)) throw error;
      return block(OperatorReason.CertificatesNotWritten, `certificates cannot be written: ${errorText(error)}`);
    }
    const trouble = await syncInstallation(context, owned, this.strategy, certificates?.trusted);
    const untilRenewal = (certificates?.again ?? Infinity) - context.now();
    const untilCheck = trouble.length > 0 ? RETRY_MS : RESYNC_MS;
    return { requeueAfterMs: Math.max(Math.min(untilRenewal, untilCheck), 1000) };
  }

  /** Lets the deletion of the object wait until the installation is removed. */
  private async withFinalizer(kubeVirt: KubeVirt): Promise<KubeVirt> {
    const { name = '', namespace, resourceVersion, finalizers = [] } = kubeVirt.metadata;
    if (finalizers.includes(keys.kubeVirtFinalizer)) return kubeVirt;
    const metadata = { resourceVersion, finalizers: [...finalizers, keys.kubeVirtFinalizer] };
    return this.context.client.patch<KubeVirt>(resources.kubeVirts, { name, namespace }, { metadata }, 'merge');
  }
}
