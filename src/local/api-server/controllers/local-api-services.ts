import type { Kind } from '../registry/kind';
import { AnyObject } from '../types';
import { Core, keyOf } from '../verbs/core';
import { ensure } from './bootstrap';

const RESOURCE = 'apiregistration.k8s.io/apiservices';
const CRDS = 'apiextensions.k8s.io/customresourcedefinitions';
const LABEL = 'kube-aggregator.kubernetes.io/automanaged';

/** `groupPriorityMinimum` of local groups. */
const GROUPS: Record<string, number> = {
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'discovery.k8s.io': 16_200,
  'metrics.k8s.io': 100,
};

interface Served {
  readonly group: string;
  readonly version: string;
}

const nameOf = ({ group, version }: Served) => `${version}.${group}`;

/** Maintains an APIService without a Service for each local group-version, including those of custom resources. */
export class LocalApiServices {
  private readonly stops: (() => void)[] = [];
  /** Whether the last change was followed to its end. If it was not, the next one looks at all definitions. */
  private isComplete = false;

  public constructor(
    private readonly core: Core,
    private readonly virtual: readonly Served[],
  ) {}

  public start(): void {
    const { store } = this.core;
    this.complete(() => this.provide());
    this.stops.push(
      store.subscribe(CRDS, ({ object, previous }) => {
        if (object?.metadata.generation === previous?.metadata.generation) return;
        // A new definition only adds versions. Reading all definitions for each new one takes quadratic time.
        const isNew = object && !previous && this.isComplete;
        this.complete(() => (isNew ? this.add(servicesOf(object)) : this.provide()));
      }),
      store.subscribe(RESOURCE, ({ object }) => !object && setImmediate(() => this.stops.length && this.provide())),
    );
  }

  public close(): void {
    this.stops.splice(0).forEach((stop) => stop());
  }

  private complete(work: () => void): void {
    this.isComplete = false;
    work();
    this.isComplete = true;
  }

  /** Stores those that are missing. */
  private add(services: Iterable<AnyObject>): void {
    for (const service of services) ensure(this.core, this.kind, service);
  }

  private get kind(): Kind {
    return this.core.kinds.find('apiregistration.k8s.io', 'v1', 'apiservices')!;
  }

  private provide(): void {
    const { store, kinds } = this.core;
    const own = [...kinds.all().filter((item) => !item.custom), ...this.virtual];
    const wanted = new Map<string, AnyObject>();
    for (const served of own) {
      const priority = GROUPS[served.group];
      if (priority) wanted.set(nameOf(served), apiService(served, priority, served.group ? 15 : 1, 'onstart'));
    }
    for (const crd of store.list({ resource: CRDS })) {
      for (const service of servicesOf(crd)) wanted.set(service.metadata.name!, service);
    }
    this.add(wanted.values());
    for (const { metadata } of [...store.list({ resource: RESOURCE })]) {
      if (metadata.labels?.[LABEL] === 'true' && !wanted.has(metadata.name!)) {
        store.delete(keyOf(this.kind, '', metadata.name!));
      }
    }
  }
}

/** Returns the APIServices of a definition's served versions. */
function servicesOf({ spec }: AnyObject): AnyObject[] {
  const versions = spec.versions as { name: string; served: boolean }[];
  return versions
    .filter(({ served }) => served)
    .map(({ name }) => apiService({ group: spec.group as string, version: name }, 1000, 100, 'true'));
}

function apiService({ group, version }: Served, priority: number, versionPriority: number, managed: string): AnyObject {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: nameOf({ group, version }), labels: { [LABEL]: managed } },
    spec: { ...(group ? { group } : {}), version, groupPriorityMinimum: priority, versionPriority },
  };
}
