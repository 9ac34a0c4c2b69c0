import { isConflict, isNotFound, keyOf, resources, type Informer, type Requeue } from '../../../runtime/kube';
import { matchLabelSelector } from '../../api-server/registry/label-selector';
import type { Pod } from '../../core-v1';
import type { ReplicaSet } from '../apps-v1';
import { messageOf, QueueController, type ControllerContext } from '../controller';
import { controllerOf, resourceOf } from '../informers';
import type { PodDisruptionBudget } from '../policy-v1';
import { Scales } from '../scales';
import { timestamp } from '../status';
import { decide, differs, goSelector, needsScale, unmanaged, untilStale } from './decide';

const BUDGETS = resourceOf('podDisruptionBudgets');
/** Keys of Pods whose disruption was announced. */
const POD = 'pod:';

/** Keeps the status of disruption budgets, by which evictions are allowed. */
export class DisruptionController extends QueueController {
  private readonly budgets: Informer<PodDisruptionBudget>;
  private readonly pods: Informer<Pod>;
  private readonly sets: Informer<ReplicaSet>;
  private readonly scales: Scales;

  public constructor(context: ControllerContext) {
    super('controllermanager', context);
    const { client, informers } = context;
    this.budgets = informers.get('podDisruptionBudgets');
    this.pods = informers.get('pods');
    this.sets = informers.get('replicaSets');
    this.scales = new Scales(client);
    this.follow(this.budgets);
    const observe = (pod: Pod): void => {
      this.wakeBudgets(pod);
      const ms = untilStale(pod, Date.now());
      if (ms !== undefined) this.enqueue(`${POD}${keyOf(pod)}`, ms);
    };
    this.pods.onChange({
      add: observe,
      update: (pod, before) => {
        if (pod.metadata.labels !== before.metadata.labels) this.wakeBudgets(before);
        observe(pod);
      },
      delete: (pod) => this.wakeBudgets(pod),
    });
  }

  protected startInformers(): Promise<void> {
    return this.context.informers.start('podDisruptionBudgets');
  }

  protected async reconcile(key: string): Promise<Requeue | void> {
    if (key.startsWith(POD)) return this.resetStale(key.slice(POD.length));
    const budget = this.budgets.get(key);
    if (!budget) return;
    await this.context.informers.start('pods', 'replicaSets');
    const pods = this.podsOf(budget);
    if (!pods.length) this.events.normal(budget, 'NoPods', 'No matching pods found');
    const expected = await this.expectedPods(budget, pods);
    const { status, notDeleted, requeueAfterMs } = decide({ budget, pods, expected, now: Date.now() });
    for (const pod of notDeleted) {
      const { namespace } = budget.metadata;
      const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
      this.events.warning(pod, 'NotDeleted', message);
    }
    if (differs(budget, status)) {
      // An eviction may have used the budget meanwhile; then the write conflicts and the next pass counts it.
      const written = await this.context.client.replaceStatus(BUDGETS, { ...budget, status });
      this.expectations.expect(key, this.budgets, written.metadata.resourceVersion);
    }
    return { requeueAfterMs };
  }

  private podsOf({ metadata, spec }: PodDisruptionBudget): Pod[] {
    const selects = matchLabelSelector(spec.selector as Parameters<typeof matchLabelSelector>[0]);
    return this.pods
      .list()
      .filter((pod) => pod.metadata.namespace === metadata.namespace && selects(pod.metadata.labels));
  }

  private wakeBudgets({ metadata }: Pod): void {
    for (const budget of this.budgets.list()) {
      if (budget.metadata.namespace !== metadata.namespace) continue;
      const selects = matchLabelSelector(budget.spec.selector as Parameters<typeof matchLabelSelector>[0]);
      if (selects(metadata.labels)) this.enqueue(keyOf(budget));
    }
  }

  private async expectedPods(
    budget: PodDisruptionBudget,
    pods: readonly Pod[],
  ): Promise<number | { readonly failure: string }> {
    if (!needsScale(budget)) return budget.spec.minAvailable === undefined ? 0 : pods.length;
    if (unmanaged(pods).length) {
      const rule = 'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
      const cause = `Pods selected by this PodDisruptionBudget (selector: ${goSelector(budget.spec)}) were found to be unmanaged.`;
      const effect =
        'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior.';
      this.events.warning(budget, 'UnmanagedPods', `${cause} ${effect} ${rule}`);
    }
    try {
      return await this.scaleOf(pods);
    } catch (error) {
      const failure = messageOf(error);
      const message = `Failed to calculate the number of expected pods: ${failure}`;
      this.events.warning(budget, 'CalculateExpectedPodCountFailed', message);
      return { failure };
    }
  }

  /** Sum of the replicas of all controllers of these Pods. @throws Error for a controller without a scale */
  private async scaleOf(pods: readonly Pod[]): Promise<number> {
    const seen = new Set<string>();
    const scales = new Map<string, number>();
    for (const { metadata } of pods) {
      const owner = controllerOf(metadata);
      if (!owner || seen.has(owner.uid)) continue;
      seen.add(owner.uid);
      const { namespace = '', name } = metadata;
      const target = this.deploymentOf(namespace, owner) ?? owner;
      if (scales.has(target.uid)) continue;
      const scale = await this.scales.get({ ...target, namespace });
      if (scale?.metadata.uid !== target.uid) throw new Error(`found no controllers for pod ${JSON.stringify(name)}`);
      scales.set(target.uid, scale.spec?.replicas ?? 0);
    }
    return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  }

  private deploymentOf(namespace: string, owner: { kind: string; name: string; uid: string }) {
    if (owner.kind !== 'ReplicaSet') return undefined;
    const set = this.sets.get(`${namespace}/${owner.name}`);
    const above = set?.metadata.uid === owner.uid ? controllerOf(set.metadata) : undefined;
    return above?.kind === 'Deployment' ? above : undefined;
  }

  /** Withdraws the announcement of a disruption that never came. */
  private async resetStale(key: string): Promise<Requeue | void> {
    const pod = this.pods.get(key);
    const ms = pod && untilStale(pod, Date.now());
    if (!pod || ms === undefined) return;
    if (ms > 0) return { requeueAfterMs: ms };
    const { namespace, name = '', uid } = pod.metadata;
    const condition = {
      type: 'DisruptionTarget',
      status: 'False',
      reason: null,
      message: null,
      lastTransitionTime: timestamp(Date.now()),
    };
    const body = { metadata: { uid }, status: { conditions: [condition] } };
    try {
      await this.context.client.patch(resources.pods, { namespace, name, subresource: 'status' }, body, 'strategic');
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}
