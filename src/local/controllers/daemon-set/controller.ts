import { keyOf, resources, type Informer, type Requeue } from '../../../runtime/kube';
import type { Node, Pod } from '../../core-v1';
import type { ControllerRevision, DaemonSet } from '../apps-v1';
import { failureOf, forAll, inGrowingBatches } from '../batches';
import { QueueController, type ControllerContext } from '../controller';
import { resourceOf } from '../informers';
import { candidatesOf, claim, followOwned } from '../ownership';
import { PodControl, podOf } from '../pod-control';
import { matcherOf, untilAvailable } from '../pods';
import { isSameData, nextRevision, revisionOf, Revisions, snapshotOf } from '../revisions';
import { templateHash } from '../template-hash';
import { Backoff } from './backoff';
import { decide, surplusRevisions, type Decision } from './decide';
import { HASH, nodeOf, templateFor } from './nodes';

const SETS = resourceOf('daemonSets');

/** Keeps a Pod of each DaemonSet on every node that its template fits. */
export class DaemonSetController extends QueueController {
  private readonly sets: Informer<DaemonSet>;
  private readonly pods: Informer<Pod>;
  private readonly nodes: Informer<Node>;
  private readonly control: PodControl;
  private readonly revisions: Revisions;
  private readonly backoff = new Backoff();

  public constructor(context: ControllerContext) {
    super('daemonset-controller', context);
    const { client, informers } = context;
    this.sets = informers.get('daemonSets');
    this.pods = informers.get('pods');
    this.nodes = informers.get('nodes');
    this.control = new PodControl(client, informers, this.events, this.expectations);
    this.revisions = new Revisions(client, informers, this.expectations, SETS);
    const enqueue = (key: string): void => this.enqueue(key);
    this.follow(this.sets);
    followOwned({
      owned: this.pods,
      owners: this.sets,
      ownerKind: 'DaemonSet',
      selectorOf: ({ spec }) => spec.selector,
      enqueue,
    });
    const wakeAll = (): void => this.sets.list().forEach((set) => enqueue(keyOf(set)));
    this.nodes.onChange({
      add: wakeAll,
      update: (after, before) => {
        if (placing(after) !== placing(before)) wakeAll();
      },
      delete: wakeAll,
    });
  }

  protected startInformers(): Promise<void> {
    return this.context.informers.start('daemonSets');
  }

  protected async reconcile(key: string): Promise<Requeue | void> {
    const set = this.sets.get(key);
    // the revisions of a DaemonSet that is being deleted may be gone already
    if (!set || set.metadata.deletionTimestamp) return;
    await this.context.informers.start('pods', 'nodes');
    const selects = matcherOf(set.spec.selector);
    const pods = await claim<Pod>({
      client: this.context.client,
      owner: set,
      ownerResource: SETS,
      resource: resources.pods,
      selects: ({ metadata }) => selects(metadata.labels),
      candidates: candidatesOf(this.pods, set),
      onWrite: (pod) => this.control.expect(key, pod),
    });
    const history = await this.history(key, set);
    if (!history) return;
    const { hash, old } = history;
    const now = Date.now();
    const backoffMs = (node: string): number => this.backoff.remaining(this.backoffKey(set, node), now);
    const decision = decide({ set, nodes: this.nodes.list(), pods, hash, backoffMs, now });
    const failure = await failureOf(this.perform(key, set, hash, decision));
    await this.writeStatus(key, this.sets, SETS, set, decision.status);
    if (failure) throw failure.error;
    for (const revision of surplusRevisions(set, pods, old)) await this.revisions.delete(revision);
    const waits = [decision.recheckMs, untilAvailable(pods, set.spec.minReadySeconds ?? 0, now)];
    const known = waits.filter((ms) => ms !== undefined);
    return known.length ? { requeueAfterMs: Math.min(...known) } : undefined;
  }

  /** The hash of the current template and the revisions of older ones. Undefined: the collision count was raised. */
  private async history(key: string, set: DaemonSet): Promise<{ hash: string; old: ControllerRevision[] } | undefined> {
    const revisions = await this.revisions.list(key, set, set.spec.selector);
    const data = snapshotOf(set.spec.template);
    const equal = revisions.filter((revision) => isSameData(revision.data, data));
    const old = revisions.filter((revision) => !equal.includes(revision));
    const current = equal.at(-1);
    const number = nextRevision(old);
    if (current) {
      if (current.revision < number) await this.revisions.renumber(key, current, number);
      return { hash: current.metadata.labels?.[HASH] ?? '', old };
    }
    const hash = templateHash(set.spec.template, set.status?.collisionCount);
    const labels = { ...set.spec.template.metadata?.labels, [HASH]: hash };
    const name = `${set.metadata.name}-${hash}`;
    const created = await this.revisions.create(key, revisionOf({ owner: set, name, labels, data, revision: number }));
    if (created) return { hash, old };
    const status = { ...set.status, collisionCount: (set.status?.collisionCount ?? 0) + 1 };
    await this.writeStatus(key, this.sets, SETS, set, status);
    return undefined;
  }

  private backoffKey({ metadata, status }: DaemonSet, node: string): string {
    return `${metadata.uid}/${status?.observedGeneration ?? 0}/${node}`;
  }

  private async perform(key: string, set: DaemonSet, hash: string, decision: Decision): Promise<void> {
    for (const pod of decision.ended) this.reportEnded(set, pod);
    const creations = inGrowingBatches(decision.create.length, (i) =>
      this.control.create(key, set, podOf(set, templateFor(set, decision.create[i]!, hash))),
    );
    await forAll([creations, ...decision.delete.map((pod) => this.control.delete(key, set, pod))], (done) => done);
  }

  private reportEnded(set: DaemonSet, pod: Pod): void {
    const { namespace, name } = pod.metadata;
    const node = nodeOf(pod) ?? '';
    const what = `daemon pod ${namespace}/${name} on node ${node}`;
    if (pod.status?.phase === 'Failed') {
      this.backoff.next(this.backoffKey(set, node), Date.now());
      this.events.warning(set, 'FailedDaemonPod', `Found failed ${what}, will try to kill it`);
    } else {
      this.events.normal(set, 'SucceededDaemonPod', `Found succeeded ${what}, will try to delete it`);
    }
  }
}

/** Fields of a node that affect which Pods run there. */
const placing = ({ metadata, spec }: Node): string => JSON.stringify([metadata.labels, spec]);
