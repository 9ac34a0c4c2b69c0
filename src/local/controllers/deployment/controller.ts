import { isAlreadyExists, isNotFound, type Informer, type Requeue } from '../../../runtime/kube';
import type { Pod } from '../../core-v1';
import type { Deployment, ReplicaSet } from '../apps-v1';
import { isTerminating, messageOf, QueueController, type ControllerContext } from '../controller';
import { controllerOf, resourceOf } from '../informers';
import { candidatesOf, claim, followOwned } from '../ownership';
import { matcherOf } from '../pods';
import { difference } from '../status';
import { sameTemplate } from '../template-hash';
import { condition, hasDeadline, withCondition } from './conditions';
import { decide, type Change, type Observed } from './decide';
import { annotation } from './revisions';
import { sizeOf } from './sizes';

const DEPLOYMENTS = resourceOf('deployments');
const SETS = resourceOf('replicaSets');

/** Rolls out the template of each Deployment with ReplicaSets. */
export class DeploymentController extends QueueController {
  private readonly deployments: Informer<Deployment>;
  private readonly sets: Informer<ReplicaSet>;
  private readonly pods: Informer<Pod>;

  public constructor(context: ControllerContext) {
    super('deployment-controller', context);
    const { informers } = context;
    this.deployments = informers.get('deployments');
    this.sets = informers.get('replicaSets');
    this.pods = informers.get('pods');
    this.follow(this.deployments);
    followOwned({
      owned: this.sets,
      owners: this.deployments,
      ownerKind: 'Deployment',
      selectorOf: ({ spec }) => spec.selector,
      enqueue: (key) => this.enqueue(key),
    });
    // with strategy Recreate, the end of the last old Pod starts new ones
    this.pods.onChange({
      update: (pod) => this.wakeRecreate(pod),
      delete: (pod) => this.wakeRecreate(pod),
    });
  }

  protected startInformers(): Promise<void> {
    return this.context.informers.start('deployments', 'replicaSets');
  }

  private wakeRecreate(pod: Pod): void {
    const { namespace } = pod.metadata;
    const set = this.sets.get(`${namespace}/${controllerOf(pod.metadata)?.name}`);
    const key = `${namespace}/${set && controllerOf(set.metadata)?.name}`;
    if (set && this.deployments.get(key)?.spec.strategy?.type === 'Recreate') this.enqueue(key);
  }

  protected async reconcile(key: string): Promise<Requeue | void> {
    const deployment = this.deployments.get(key);
    if (!deployment) return;
    await this.context.informers.start('pods');
    const observed = await this.observe(key, deployment);
    const { create, changes, deletions, status, revision, recheckMs } = decide(observed);
    if (create && !(await this.create(key, observed, create))) return;
    for (const change of changes) await this.change(key, deployment, change);
    for (const set of deletions) await this.delete(set);
    const annotations = revision === undefined ? undefined : { [annotation.revision]: revision };
    await this.write(key, deployment, status, annotations);
    return { requeueAfterMs: recheckMs };
  }

  private async observe(key: string, deployment: Deployment): Promise<Observed> {
    const selects = matcherOf(deployment.spec.selector);
    const sets = await claim<ReplicaSet>({
      client: this.context.client,
      owner: deployment,
      ownerResource: DEPLOYMENTS,
      resource: SETS,
      selects: ({ metadata }) => selects(metadata.labels),
      candidates: candidatesOf(this.sets, deployment),
      onWrite: (set) => this.expect(key, set),
    });
    const pods = sets.flatMap(({ metadata }) => this.pods.byIndex('owner', metadata.uid ?? ''));
    return { deployment, sets, pods, now: Date.now() };
  }

  private expect(key: string, { metadata }: ReplicaSet): void {
    this.expectations.expect(key, this.sets, metadata.resourceVersion);
  }

  /** Creates the new ReplicaSet; returns whether it exists. Reports a failure and a collision of names in the status. */
  private async create(key: string, { deployment, now }: Observed, set: ReplicaSet): Promise<boolean> {
    const { status = {} } = deployment;
    const { client } = this.context;
    try {
      const created = await client.create(SETS, set);
      this.expect(key, created);
      if (sizeOf(created) > 0) {
        this.reportScaling(deployment, `Scaled up replica set ${created.metadata.name} from 0 to ${sizeOf(created)}`);
      }
      return true;
    } catch (error) {
      if (isTerminating(error)) return false;
      if (isAlreadyExists(error)) {
        const { namespace, name = '' } = set.metadata;
        const found = await client.find<ReplicaSet>(SETS, { namespace, name });
        const isOwn = found && controllerOf(found.metadata)?.uid === deployment.metadata.uid;
        if (isOwn && sameTemplate(found.spec.template, deployment.spec.template)) {
          this.expect(key, found);
          return true;
        }
        const collisionCount = (status.collisionCount ?? 0) + 1;
        await this.write(key, deployment, { ...status, collisionCount });
        throw error;
      }
      const message = `Failed to create new replica set "${set.metadata.name}": ${messageOf(error)}`;
      if (hasDeadline(deployment)) {
        const failed = condition('Progressing', 'False', 'ReplicaSetCreateError', message, now);
        await this.write(key, deployment, { ...status, conditions: withCondition(status.conditions, failed) });
      }
      this.events.warning(deployment, 'ReplicaSetCreateError', message);
      throw error;
    }
  }

  private async change(key: string, deployment: Deployment, { set, ...next }: Change): Promise<void> {
    const { namespace, name = '', uid, resourceVersion, annotations: before } = set.metadata;
    const annotations = difference(before, next.annotations);
    const spec = difference(
      { replicas: sizeOf(set), minReadySeconds: set.spec.minReadySeconds ?? 0 },
      { replicas: next.replicas, minReadySeconds: next.minReadySeconds },
    );
    const body = { metadata: { uid, resourceVersion, annotations }, spec };
    const written = await this.context.client.patch<ReplicaSet>(SETS, { namespace, name }, body, 'merge');
    this.expect(key, written);
    const [from, to] = [sizeOf(set), next.replicas];
    if (from === to) return;
    this.reportScaling(deployment, `Scaled ${from < to ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`);
  }

  private async delete({ metadata }: ReplicaSet): Promise<void> {
    const { namespace, name = '', uid } = metadata;
    try {
      await this.context.client.delete(SETS, { namespace, name }, { preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  private reportScaling(deployment: Deployment, message: string): void {
    this.events.normal(deployment, 'ScalingReplicaSet', message);
  }

  private write(
    key: string,
    deployment: Deployment,
    status: object,
    annotations?: Record<string, string>,
  ): Promise<void> {
    return this.writeStatus(key, this.deployments, DEPLOYMENTS, deployment, status, annotations);
  }
}
