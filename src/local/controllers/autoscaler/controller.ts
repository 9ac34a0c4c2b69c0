import { keyOf, type Informer, type Requeue } from '../../../runtime/kube';
import { deepEqual } from '../../api-server/json/values';
import { parseLabelSelector } from '../../api-server/registry/label-selector';
import type { Pod } from '../../core-v1';
import type { Autoscaler, AutoscalerStatus } from '../autoscaling-v2';
import { messageOf, QueueController, type ControllerContext } from '../controller';
import { resourceOf } from '../informers';
import { nameOf, Scales, type Scale, type ScaleTarget } from '../scales';
import { afterRescale, decide, type AutoscalerEvent, type Plan } from './decide';
import { NO_HISTORY, withChange, type History } from './limits';
import { podUsage } from './metrics';

const AUTOSCALERS = resourceOf('autoscalers');
const PERIOD_MS = 15_000;

/** Sets the replicas of any object with a scale by the metrics of its Pods. */
export class AutoscalerController extends QueueController {
  private readonly autoscalers: Informer<Autoscaler>;
  private readonly pods: Informer<Pod>;
  private readonly scales: Scales;
  private readonly histories = new Map<string, History>();
  /** Last known selector of each autoscaler's Pods. */
  private readonly selectors = new Map<string, string>();

  public constructor(context: ControllerContext) {
    super('horizontal-pod-autoscaler', context);
    this.autoscalers = context.informers.get('autoscalers');
    this.pods = context.informers.get('pods');
    this.scales = new Scales(context.client);
    this.autoscalers.onChange({
      add: (autoscaler) => this.enqueue(keyOf(autoscaler)),
      update: (after, before) => {
        if (!deepEqual(after.spec, before.spec)) this.enqueue(keyOf(after));
      },
      delete: (autoscaler) => {
        const key = keyOf(autoscaler);
        this.expectations.forget(key);
        this.histories.delete(key);
        this.selectors.delete(key);
      },
    });
  }

  protected startInformers(): Promise<void> {
    return this.context.informers.start('autoscalers');
  }

  protected async reconcile(key: string): Promise<Requeue | void> {
    const autoscaler = this.autoscalers.get(key);
    if (!autoscaler) return;
    await this.context.informers.start('pods');
    const { namespace = '' } = autoscaler.metadata;
    const { apiVersion = '', kind, name } = autoscaler.spec.scaleTargetRef;
    const target = { apiVersion, kind, namespace, name };
    const { scale, failure } = await this.scaleOf(target);
    const selector = scale?.status?.selector ?? '';
    if (scale) this.selectors.set(key, selector);
    const pods = this.podsOf(namespace, selector);
    const plan = decide({
      autoscaler,
      scale: scale ? { replicas: scale.spec?.replicas ?? 0, selector } : { failure: failure ?? '' },
      pods,
      usage: selector ? await podUsage(this.context.client, namespace, selector) : [],
      rivals: 'failure' in pods ? [] : this.rivals(namespace, pods),
      history: this.histories.get(key) ?? NO_HISTORY,
      now: Date.now(),
    });
    this.histories.set(key, plan.history);
    this.report(autoscaler, plan.events);
    const status = plan.rescale && scale ? await this.rescale(key, autoscaler, plan, target, scale) : plan.status;
    await this.store(key, autoscaler, status);
    return { requeueAfterMs: PERIOD_MS };
  }

  private async scaleOf(target: ScaleTarget): Promise<{ scale?: Scale; failure?: string }> {
    try {
      const resource = await this.scales.resourceOf(target);
      if (!resource.hasScale) return { failure: 'the server could not find the requested resource' };
      const scale = await this.scales.get(target);
      return scale ? { scale } : { failure: `${nameOf(resource)} ${JSON.stringify(target.name)} not found` };
    } catch (error) {
      return { failure: messageOf(error) };
    }
  }

  private podsOf(namespace: string, selector: string): Pod[] | { failure: string } {
    if (!selector) return [];
    try {
      const selects = parseLabelSelector(selector);
      return this.pods.list().filter(({ metadata }) => metadata.namespace === namespace && selects(metadata.labels));
    } catch (error) {
      return { failure: messageOf(error) };
    }
  }

  /** Keys of the autoscalers that select any of these Pods. */
  private rivals(namespace: string, pods: readonly Pod[]): string[] {
    const keys: string[] = [];
    for (const [key, text] of this.selectors) {
      if (!key.startsWith(`${namespace}/`) || !text) continue;
      try {
        const selects = parseLabelSelector(text);
        if (pods.some(({ metadata }) => selects(metadata.labels))) keys.push(key);
      } catch {
        // an invalid selector selects nothing
      }
    }
    return keys.sort();
  }

  private async rescale(
    key: string,
    autoscaler: Autoscaler,
    plan: Plan,
    target: ScaleTarget,
    scale: Scale,
  ): Promise<AutoscalerStatus> {
    const replicas = plan.rescale!.replicas;
    let failure: string | undefined;
    try {
      await this.scales.set(target, scale, replicas);
      const by = replicas - (scale.spec?.replicas ?? 0);
      this.histories.set(key, withChange(plan.history, by, Date.now()));
    } catch (error) {
      failure = messageOf(error);
    }
    const { status, event } = afterRescale(autoscaler, plan, failure, Date.now());
    this.report(autoscaler, [event]);
    return status;
  }

  private async store(key: string, autoscaler: Autoscaler, status: AutoscalerStatus): Promise<void> {
    if (deepEqual(autoscaler.status, status)) return;
    const written = await this.context.client.replaceStatus(AUTOSCALERS, { ...autoscaler, status });
    this.expectations.expect(key, this.autoscalers, written.metadata.resourceVersion);
  }

  private report(autoscaler: Autoscaler, events: readonly AutoscalerEvent[]): void {
    for (const { type, reason, message } of events) this.events.record(autoscaler, type, reason, message);
  }
}
