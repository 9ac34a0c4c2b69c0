import {
  isAlreadyExists,
  isConflict,
  isNotFound,
  keyOf,
  resources,
  type Informer,
  type Requeue,
} from '../../../runtime/kube';
import type { PersistentVolumeClaim, Pod } from '../../core-v1';
import type { ControllerRevision, StatefulSet } from '../apps-v1';
import { failureOf, inGrowingBatches } from '../batches';
import { messageOf, QueueController, type ControllerContext } from '../controller';
import { resourceOf } from '../informers';
import { candidatesOf, claim, followOwned } from '../ownership';
import { matcherOf, untilAvailable } from '../pods';
import { isSameData, nextRevision, revisionHash, revisionOf, Revisions, snapshotOf } from '../revisions';
import { decide, surplusRevisions, type Action, type Observed } from './decide';
import { ordinalOf } from './identity';

const SETS = resourceOf('statefulSets');
const HASH = 'controller.kubernetes.io/hash';
const MAX_PREFIX = 223;

/** Keeps the numbered Pods of each StatefulSet, with their claims. */
export class StatefulSetController extends QueueController {
  private readonly sets: Informer<StatefulSet>;
  private readonly pods: Informer<Pod>;
  private readonly claims: Informer<PersistentVolumeClaim>;
  private readonly revisions: Revisions;

  public constructor(context: ControllerContext) {
    super('statefulset-controller', context);
    const { client, informers } = context;
    this.sets = informers.get('statefulSets');
    this.pods = informers.get('pods');
    this.claims = informers.get('persistentVolumeClaims');
    this.revisions = new Revisions(client, informers, this.expectations, SETS);
    this.follow(this.sets);
    followOwned({
      owned: this.pods,
      owners: this.sets,
      ownerKind: 'StatefulSet',
      selectorOf: ({ spec }) => spec.selector,
      enqueue: (key) => this.enqueue(key),
    });
  }

  protected startInformers(): Promise<void> {
    return this.context.informers.start('statefulSets');
  }

  protected async reconcile(key: string): Promise<Requeue | void> {
    const set = this.sets.get(key);
    if (!set) return;
    await this.context.informers.start('pods');
    // only few clusters have claims of StatefulSets
    if (set.spec.volumeClaimTemplates?.length) await this.context.informers.start('persistentVolumeClaims');
    const revisions = await this.revisions.list(key, set, set.spec.selector);
    const observed = await this.observe(key, set, revisions);
    const { actions, status } = decide(observed);
    const failure = await failureOf(this.performAll(key, set, actions));
    await this.writeStatus(key, this.sets, SETS, set, status);
    if (failure) throw failure.error;
    for (const revision of surplusRevisions(observed, revisions)) await this.revisions.delete(revision);
    return { requeueAfterMs: untilAvailable(observed.pods, set.spec.minReadySeconds ?? 0, observed.now) };
  }

  private async observe(key: string, set: StatefulSet, revisions: readonly ControllerRevision[]): Promise<Observed> {
    const selects = matcherOf(set.spec.selector);
    const pods = await claim<Pod>({
      client: this.context.client,
      owner: set,
      ownerResource: SETS,
      resource: resources.pods,
      selects: (pod) => selects(pod.metadata.labels) && ordinalOf(set, pod) !== undefined,
      candidates: candidatesOf(this.pods, set),
      onWrite: (pod) => this.expect(key, pod),
    });
    const { update, collisionCount } = await this.updateRevision(key, set, revisions);
    const current = revisions.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
    const find = (name: string): PersistentVolumeClaim | undefined =>
      this.claims.get(`${set.metadata.namespace}/${name}`);
    return { set, pods, current, update, collisionCount, claim: find, now: Date.now() };
  }

  /** The revision of the set's template: the newest one, an older one that becomes the newest, or a new one. */
  private async updateRevision(
    key: string,
    set: StatefulSet,
    revisions: readonly ControllerRevision[],
  ): Promise<{ update: ControllerRevision; collisionCount: number }> {
    const data = snapshotOf(set.spec.template);
    let collisionCount = set.status?.collisionCount ?? 0;
    const equal = revisions.filter((revision) => isSameData(revision.data, data)).at(-1);
    if (equal && equal === revisions.at(-1)) return { update: equal, collisionCount };
    const number = nextRevision(revisions);
    if (equal) return { update: await this.revisions.renumber(key, equal, number), collisionCount };
    for (;;) {
      const hash = revisionHash(data, collisionCount);
      const created = await this.revisions.create(
        key,
        revisionOf({
          owner: set,
          name: `${(set.metadata.name ?? '').slice(0, MAX_PREFIX)}-${hash}`,
          labels: { ...set.spec.template.metadata?.labels, [HASH]: hash },
          data,
          revision: number,
        }),
      );
      if (created) return { update: created, collisionCount };
      collisionCount += 1;
    }
  }

  private async performAll(key: string, set: StatefulSet, actions: readonly Action[]): Promise<void> {
    if (set.spec.podManagementPolicy === 'Parallel') {
      await inGrowingBatches(actions.length, (i) => this.perform(key, set, actions[i]!));
    } else for (const action of actions) await this.perform(key, set, action);
  }

  private async perform(key: string, set: StatefulSet, action: Action): Promise<void> {
    switch (action.do) {
      case 'create':
        return this.report('Create', set, action.pod, async () => {
          await this.createClaims(key, set, action.pod, action.claims);
          this.expect(key, await this.context.client.create(resources.pods, action.pod));
        });
      case 'delete':
        return this.report('Delete', set, action.pod, () => this.delete(key, action.pod));
      case 'label':
        return this.report('Update', set, action.pod, () => this.label(key, action.pod, action.labels));
      case 'createClaims':
        return this.createClaims(key, set, action.pod, action.claims);
      case 'ownClaim':
        return this.ownClaim(key, action);
    }
  }

  /** Runs an action on a Pod and reports its result as an event. */
  private async report(verb: string, set: StatefulSet, { metadata }: Pod, run: () => Promise<void>): Promise<void> {
    const what = `${verb} Pod ${metadata.name} in StatefulSet ${set.metadata.name}`;
    try {
      await run();
    } catch (error) {
      // a Pod of this name exists that the cache does not show yet, or whose deletion is not complete
      if (isAlreadyExists(error)) throw error;
      this.events.warning(set, `Failed${verb}`, `${what} failed error: ${messageOf(error)}`);
      throw error;
    }
    this.events.normal(set, `Successful${verb}`, `${what} successful`);
  }

  private async createClaims(
    key: string,
    set: StatefulSet,
    pod: Pod,
    claims: readonly PersistentVolumeClaim[],
  ): Promise<void> {
    for (const wanted of claims) {
      const { name } = wanted.metadata;
      const known = this.claims.get(keyOf(wanted));
      if (known?.metadata.deletionTimestamp) throw new Error(`pvc ${name} is being deleted`);
      if (known) continue;
      const what = `Create Claim ${name} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
      try {
        const created = await this.context.client.create(resources.persistentVolumeClaims, wanted);
        this.expectations.expect(key, this.claims, created.metadata.resourceVersion);
        this.events.normal(set, 'SuccessfulCreate', `${what} success`);
      } catch (error) {
        if (isAlreadyExists(error)) continue;
        this.events.warning(set, 'FailedCreate', `${what} failed error: ${messageOf(error)}`);
        throw new Error(`failed to create PVC ${name}: ${messageOf(error)}`, { cause: error });
      }
    }
  }

  private async delete(key: string, { metadata }: Pod): Promise<void> {
    const { namespace, name = '', uid } = metadata;
    try {
      const left = await this.context.client.delete(resources.pods, { namespace, name }, { preconditions: { uid } });
      if (left.kind === 'Pod') this.expect(key, left as Pod);
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  private async label(key: string, { metadata }: Pod, labels: Record<string, string>): Promise<void> {
    const { namespace, name = '', uid } = metadata;
    const body = { metadata: { uid, labels } };
    this.expect(key, await this.context.client.patch<Pod>(resources.pods, { namespace, name }, body, 'merge'));
  }

  private async ownClaim(
    key: string,
    { claim: { metadata }, ownerReferences }: Action & { do: 'ownClaim' },
  ): Promise<void> {
    const { namespace, name = '', uid, resourceVersion } = metadata;
    const body = { metadata: { uid, resourceVersion, ownerReferences } };
    const resource = resources.persistentVolumeClaims;
    const written = await this.context.client.patch(resource, { namespace, name }, body, 'merge');
    this.expectations.expect(key, this.claims, written.metadata.resourceVersion);
  }

  private expect(key: string, { metadata }: Pod): void {
    this.expectations.expect(key, this.pods, metadata.resourceVersion);
  }
}
