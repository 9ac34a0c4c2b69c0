import type { KubeObject } from '../../../../../src/api';
import type { PlatformObject } from '../../../../../src/api/platform';
import { decide, type Observed, type Plan } from '../../../../../src/runtime/operator/install/decide';
import type { Workload } from '../../../../../src/runtime/operator/install/rollout';

const CONTENT = 'virt8s.io/installed-content';

/** Object as it must be, in the version `v`. */
export const object = (kind: string, name: string, v = 2, spec?: object): PlatformObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, annotations: { [CONTENT]: `${name} ${v}` } },
  ...(spec ? { spec } : {}),
});

export const program = (kind: string, name: string, v = 2): PlatformObject =>
  object(kind, name, v, {
    ...(kind === 'DaemonSet' ? { updateStrategy: { rollingUpdate: { maxUnavailable: '10%' } } } : { replicas: 2 }),
    template: { spec: { containers: [{ name, image: `image:${v}` }] } },
  });

const PROGRAMS = [
  ['Deployment', 'virt-api'],
  ['Deployment', 'virt-controller'],
  ['Deployment', 'cdi-uploadproxy'],
  ['DaemonSet', 'virt-handler'],
] as const;

/** Everything that an installation of version `v` has, in no particular order. */
export const platform = (v = 2): PlatformObject[] => [
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'APIService'].map((kind) =>
    object(kind, `hook-${kind}`, v),
  ),
  ...PROGRAMS.map(([kind, name]) => program(kind, name, v)),
  ...['ConfigMap', 'RoleBinding', 'Role', 'ClusterRole', 'ServiceAccount', 'CustomResourceDefinition', 'Service'].map(
    (kind) => object(kind, `the-${kind}`, v),
  ),
];

/** Stored object of a workload whose Pods all run, or some of them. */
export const running = (stored: PlatformObject, status: Workload['status'] = {}): KubeObject & PlatformObject => ({
  ...stored,
  metadata: { ...stored.metadata, generation: 1 },
  status: {
    observedGeneration: 1,
    ...(stored.kind === 'DaemonSet'
      ? { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3, numberUnavailable: 0 }
      : { replicas: 2, updatedReplicas: 2, availableReplicas: 2 }),
    ...status,
  },
});

const idOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name}`;
const isWorkload = ({ kind }: KubeObject): boolean => kind === 'Deployment' || kind === 'DaemonSet';

/** A cluster with these objects, by kind and name. */
export class Cluster {
  public readonly objects = new Map<string, KubeObject>();
  public readonly applied = new Set<string>();

  public constructor(objects: readonly PlatformObject[] = []) {
    for (const each of objects) this.objects.set(idOf(each), isWorkload(each) ? running(each) : each);
  }

  public without(...ids: string[]): this {
    for (const id of ids) this.objects.delete(id);
    return this;
  }

  public with(...objects: KubeObject[]): this {
    for (const each of objects) this.objects.set(idOf(each), each);
    return this;
  }

  /** A program with this status. */
  public programIs(name: string, status: Workload['status']): this {
    const found = [...this.objects.values()].find(({ metadata }) => metadata.name === name) as PlatformObject;
    return this.with(running(found, status));
  }

  public plan(desired: readonly PlatformObject[], rest: Partial<Observed> = {}): Plan {
    return decide({
      desired,
      find: (each) => this.objects.get(idOf(each)),
      isApplied: (each) => this.applied.has(JSON.stringify(each)),
      podsOf: () => [],
      hasCertificates: true,
      direction: 'upgrade',
      ...rest,
    });
  }

  /** Executes a plan; the Pods of changed workloads are not available. */
  public execute({ apply }: Plan): string[] {
    for (const { object: each } of apply) {
      const before = this.objects.get(idOf(each));
      const generation = (before?.metadata.generation ?? 0) + 1;
      const status = (before as Workload | undefined)?.status ?? {};
      this.with({ ...each, metadata: { ...each.metadata, generation }, status } as KubeObject);
    }
    return written({ apply });
  }

  /** All Pods of a program become available. */
  public complete(name: string): void {
    for (const [id, each] of this.objects) {
      if (each.metadata.name !== name || !isWorkload(each)) continue;
      const done = running(each as PlatformObject, { observedGeneration: each.metadata.generation });
      this.objects.set(id, { ...done, metadata: each.metadata });
    }
  }
}

export const written = ({ apply }: Pick<Plan, 'apply'>): string[] => apply.map(({ object: each }) => idOf(each));
