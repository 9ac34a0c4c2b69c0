import type { KubeObject, ObjectMeta } from '../../api/meta';
import { Informer, resources, type KubeClient, type Resource } from '../../runtime/kube';
import type { ContainerStatus, Node, PersistentVolumeClaim, Pod } from '../core-v1';
import type { Log } from '../log';
import type { Autoscaler } from './autoscaling-v2';
import type { CronJob, Job } from './batch-v1';
import type { PodDisruptionBudget } from './policy-v1';
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from './apps-v1';

/** Collections that controllers watch. */
export interface Watched {
  pods: Pod;
  nodes: Node;
  deployments: Deployment;
  replicaSets: ReplicaSet;
  statefulSets: StatefulSet;
  daemonSets: DaemonSet;
  controllerRevisions: ControllerRevision;
  jobs: Job;
  cronJobs: CronJob;
  podDisruptionBudgets: PodDisruptionBudget;
  autoscalers: Autoscaler;
  persistentVolumeClaims: PersistentVolumeClaim;
}

interface Entry<T extends KubeObject> {
  readonly resource: Resource;
  /** Reduces an object to the fields that controllers read. */
  readonly trim?: (object: T) => T;
}

const apps = (plural: string, kind: string): Resource => ({
  group: 'apps',
  version: 'v1',
  plural,
  kind,
  namespaced: true,
});

const batch = (plural: string, kind: string): Resource => ({ ...apps(plural, kind), group: 'batch' });

const registry: { readonly [K in keyof Watched]: Entry<Watched[K]> } = {
  pods: { resource: resources.pods, trim: trimPod },
  nodes: { resource: resources.nodes, trim: trimNode },
  deployments: { resource: resources.deployments },
  replicaSets: { resource: apps('replicasets', 'ReplicaSet') },
  statefulSets: { resource: apps('statefulsets', 'StatefulSet') },
  daemonSets: { resource: resources.daemonSets },
  controllerRevisions: { resource: resources.controllerRevisions },
  jobs: { resource: batch('jobs', 'Job') },
  cronJobs: { resource: batch('cronjobs', 'CronJob') },
  autoscalers: {
    resource: {
      ...apps('horizontalpodautoscalers', 'HorizontalPodAutoscaler'),
      group: 'autoscaling',
      version: 'v2',
    },
  },
  podDisruptionBudgets: {
    resource: { ...apps('poddisruptionbudgets', 'PodDisruptionBudget'), group: 'policy' },
  },
  persistentVolumeClaims: { resource: resources.persistentVolumeClaims, trim: trimClaim },
};

/**
 * One informer per collection, shared by all controllers. A controller registers its handlers in its constructor; no
 * informer runs before all controllers exist. An informer that no controller starts costs nothing.
 */
export class Informers {
  private readonly informers = new Map<keyof Watched, Informer<KubeObject>>();

  public constructor(
    private readonly client: KubeClient,
    private readonly log: Log,
  ) {}

  /** Objects are found under their controller's UID, or under `orphansOf` their namespace: index `owner`. */
  public get<K extends keyof Watched>(name: K): Informer<Watched[K]> {
    const known = this.informers.get(name);
    if (known) return known as unknown as Informer<Watched[K]>;
    const { resource, trim } = registry[name] as Entry<Watched[K]>;
    const informer = new Informer<Watched[K]>(this.client, resource, {
      transform: (object) => (trim ? trim : dropManagedFields)(object) as Watched[K],
      indexers: { owner: ({ metadata }) => [controllerOf(metadata)?.uid ?? orphansOf(metadata.namespace)] },
      onError: (error) => this.log('warn', `watching ${resource.plural} failed; retrying`, { error: String(error) }),
    });
    this.informers.set(name, informer as unknown as Informer<KubeObject>);
    return informer;
  }

  /** Starts informers that do not run yet; resolves when their first lists are in the caches. */
  public async start(...names: (keyof Watched)[]): Promise<void> {
    await Promise.all(names.map((name) => this.get(name).start()));
    // an empty cache must not look like an empty cluster
    if (names.some((name) => !this.get(name).listed)) throw new Error(`${names.join(', ')}: the informer was stopped`);
  }

  public async stop(): Promise<void> {
    await Promise.all([...this.informers.values()].map((informer) => informer.stop()));
  }
}

export const resourceOf = (name: keyof Watched): Resource => registry[name].resource;

/** Value of the index `owner` for objects of a namespace that no controller owns. */
export const orphansOf = (namespace = ''): string => `/${namespace}`;

/** Owner of an object that manages it. */
export const controllerOf = ({ ownerReferences }: ObjectMeta) => ownerReferences?.find(({ controller }) => controller);

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function dropManagedFields<T extends KubeObject>(object: T): T {
  delete object.metadata.managedFields;
  return object;
}

function trimMeta({ managedFields: _fields, annotations, ...metadata }: ObjectMeta): ObjectMeta {
  if (!annotations) return metadata;
  const { [LAST_APPLIED]: _applied, ...kept } = annotations;
  return { ...metadata, annotations: kept };
}

function trimPod({ apiVersion, kind, metadata, spec, status }: Pod): Pod {
  const { nodeName, restartPolicy, hostname, subdomain, tolerations, affinity, priority } = spec;
  const claims = spec.volumes?.filter(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim ?? ephemeral);
  return {
    apiVersion,
    kind,
    metadata: trimMeta(metadata),
    spec: {
      nodeName,
      restartPolicy,
      hostname,
      subdomain,
      tolerations,
      priority,
      ...(affinity?.nodeAffinity ? { affinity: { nodeAffinity: affinity.nodeAffinity } } : {}),
      containers: spec.containers.map(({ name, resources: amounts }) => ({ name, resources: amounts })),
      initContainers: spec.initContainers?.map(({ name, restartPolicy: policy, resources: amounts }) => ({
        name,
        restartPolicy: policy,
        resources: amounts,
      })),
      ...(claims?.length ? { volumes: claims } : {}),
    },
    status: status && {
      phase: status.phase,
      reason: status.reason,
      message: status.message,
      startTime: status.startTime,
      conditions: status.conditions,
      containerStatuses: status.containerStatuses?.map(trimContainer),
      initContainerStatuses: status.initContainerStatuses?.map(trimContainer),
    },
  };
}

function trimClaim({ apiVersion, kind, metadata }: PersistentVolumeClaim): PersistentVolumeClaim {
  return { apiVersion, kind, metadata: trimMeta(metadata) };
}

const trimContainer = ({ name, ready, restartCount, state }: ContainerStatus): ContainerStatus => ({
  name,
  ready,
  restartCount,
  state: state?.terminated ? { terminated: state.terminated } : state,
  image: '',
  imageID: '',
});

function trimNode({ apiVersion, kind, metadata, spec, status }: Node): Node {
  return {
    apiVersion,
    kind,
    metadata: trimMeta(metadata),
    spec: spec && { unschedulable: spec.unschedulable, taints: spec.taints },
    status: status && { conditions: status.conditions },
  };
}
