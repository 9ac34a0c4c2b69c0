import { resources, type Informer, type Requeue } from '../../../runtime/kube';
import type { Pod } from '../../core-v1';
import type { ReplicaSet } from '../apps-v1';
import { failureOf, forAll, inGrowingBatches } from '../batches';
import { messageOf, QueueController, type ControllerContext } from '../controller';
import { controllerOf, resourceOf } from '../informers';
import { candidatesOf, claim, followOwned } from '../ownership';
import { PodControl, podOf } from '../pod-control';
import { isActive, isEnding, matcherOf, untilAvailable } from '../pods';
import { decide, statusOf, type Observed } from './decide';

/** Keeps the number of Pods of each ReplicaSet. */
export class ReplicaSetController extends QueueController {
  private readonly sets: Informer<ReplicaSet>;
  private readonly pods: Informer<Pod>;
  private readonly control: PodControl;

  public constructor(context: ControllerContext) {
    super('replicaset-controller', context);
    const { client, informers } = context;
    this.sets = informers.get('replicaSets');
    this.pods = informers.get('pods');
    this.control = new PodControl(client, informers, this.events, this.expectations);
    this.follow(this.sets);
    followOwned({
      owned: this.pods,
      owners: this.sets,
      ownerKind: 'ReplicaSet',
      selectorOf: ({ spec }) => spec.selector,
      enqueue: (key) => this.enqueue(key),
    });
  }

  protected startInformers(): Promise<void> {
    return this.context.informers.start('replicaSets');
  }

  protected async reconcile(key: string): Promise<Requeue | void> {
    const set = this.sets.get(key);
    if (!set) return;
    await this.context.informers.start('pods');
    const observed = await this.observe(key, set);
    const failure = await failureOf(this.manage(key, observed));
    const status = statusOf(observed, failure && messageOf(failure.error));
    await this.writeStatus(key, this.sets, resourceOf('replicaSets'), set, status);
    if (failure) throw failure.error;
    return { requeueAfterMs: untilAvailable(observed.active, set.spec.minReadySeconds ?? 0, observed.now) };
  }

  private async observe(key: string, set: ReplicaSet): Promise<Observed> {
    const selects = matcherOf(set.spec.selector);
    const candidates = candidatesOf(this.pods, set);
    const active = await claim({
      client: this.context.client,
      owner: set,
      ownerResource: resourceOf('replicaSets'),
      resource: resources.pods,
      selects: ({ metadata }) => selects(metadata.labels),
      candidates: candidates.filter(isActive),
      onWrite: (pod) => this.control.expect(key, pod),
    });
    const ending = candidates.filter(
      (pod) => isEnding(pod) && controllerOf(pod.metadata)?.uid === set.metadata.uid && selects(pod.metadata.labels),
    );
    return { set, active, ending, related: this.relatedTo(set), now: Date.now() };
  }

  private relatedTo({ metadata }: ReplicaSet): Pod[] {
    const owner = controllerOf(metadata)?.uid;
    if (!owner) return [];
    return this.sets.byIndex('owner', owner).flatMap((set) => this.pods.byIndex('owner', set.metadata.uid ?? ''));
  }

  private async manage(key: string, observed: Observed): Promise<void> {
    const { set } = observed;
    const plan = decide(observed);
    if (plan.do === 'create') {
      const pod = podOf(set, set.spec.template);
      await inGrowingBatches(plan.count, () => this.control.create(key, set, pod));
    }
    if (plan.do === 'delete') await forAll(plan.pods, (pod) => this.control.delete(key, set, pod));
  }
}
