import { slicesOf } from '../network/service-resolver';
import { Kind } from '../registry/kind';
import { matchLabelSelector } from '../registry/label-selector';
import { Change } from '../store/store';
import { clone, deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Core, keyOf } from '../verbs/core';
import { generateName } from '../verbs/create';
import { ensure } from './bootstrap';
import type { WorkQueue } from '../../../runtime/kube';
import { controllerQueue } from './work-queue';

const MANAGER = 'endpointslice-controller.k8s.io';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const SERVICE_NAME = 'kubernetes.io/service-name';

interface ServicePort {
  name?: string;
  protocol?: string;
  port: number;
  targetPort?: number | string;
  appProtocol?: string;
}

interface EndpointPort {
  name: string;
  port: number;
  protocol: string;
  appProtocol?: string;
}

interface Slice {
  addressType: string;
  endpoints: object[];
  ports: object[];
}

/** Maintains the EndpointSlices of Services with a selector. */
export class EndpointSliceController {
  private readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];

  public constructor(
    private readonly core: Core,
    log: (message: string, details?: object) => void,
  ) {
    this.queue = controllerQueue((key) => this.reconcile(key), log);
  }

  public start(): void {
    const { store } = this.core;
    this.stops.push(
      store.subscribe('/services', ({ key, object, previous }) => {
        if (object && previous && deepEqual(object.spec, previous.spec)) return;
        this.queue.add(`${key.namespace}/${key.name}`);
      }),
      store.subscribe('/pods', (change) => this.observePod(change)),
      store.subscribe('discovery.k8s.io/endpointslices', ({ key, object, previous }) => {
        const labels = (object ?? previous)!.metadata.labels ?? {};
        if (labels[MANAGED_BY] === MANAGER) this.queue.add(`${key.namespace}/${labels[SERVICE_NAME]}`);
      }),
    );
    for (const { metadata } of store.list({ resource: '/services' })) {
      this.queue.add(`${metadata.namespace}/${metadata.name}`);
    }
  }

  public close(): void {
    this.stops.forEach((stop) => stop());
    void this.queue.stop();
  }

  private observePod({ key, object, previous }: Change): void {
    if (object && previous && deepEqual(relevant(object), relevant(previous))) return;
    for (const service of this.core.store.list({ resource: '/services', namespace: key.namespace })) {
      const selector: Record<string, string> | undefined = service.spec?.selector;
      if (!selector || !Object.keys(selector).length) continue;
      const matches = matchLabelSelector({ matchLabels: selector });
      if ((object && matches(object.metadata.labels)) || (previous && matches(previous.metadata.labels))) {
        this.queue.add(`${key.namespace}/${service.metadata.name}`);
      }
    }
  }

  private reconcile(text: string): void {
    const [namespace, name] = text.split('/');
    const { store, kinds } = this.core;
    const service = store.get({ resource: '/services', namespace, name });
    const selector: Record<string, string> = service?.spec?.selector ?? {};
    // Without a selector, users write the slices; without the Service, garbage collection deletes them.
    if (!service || service.metadata.deletionTimestamp || !Object.keys(selector).length) return;
    if (service.spec.type === 'ExternalName') return;
    const matches = matchLabelSelector({ matchLabels: selector });
    const pods = [...store.list({ resource: '/pods', namespace })].filter((pod) => matches(pod.metadata.labels));
    const wanted = desiredSlices(service, pods);
    const existing = slicesOf(store, namespace, name).filter(
      (slice) => slice.metadata.labels?.[MANAGED_BY] === MANAGER,
    );
    this.apply(service, wanted, existing, kinds.find('discovery.k8s.io', 'v1', 'endpointslices')!);
  }

  private apply(service: AnyObject, wanted: Slice[], existing: AnyObject[], kind: Kind): void {
    const { store } = this.core;
    const free = [...existing];
    for (const slice of wanted) {
      // Reuse slices with the same ports and family first, so that few objects change.
      const at = free.findIndex(
        (old) => old.addressType === slice.addressType && deepEqual(old.ports ?? [], slice.ports),
      );
      const index = at >= 0 ? at : free.findIndex((old) => old.addressType === slice.addressType);
      const [old] = index >= 0 ? free.splice(index, 1) : [];
      if (!old) {
        this.create(service, slice, kind);
        continue;
      }
      const next = { ...clone(old), ...slice };
      next.metadata.labels = labelsOf(service);
      kind.decode(next);
      next.metadata.generation = (old.metadata.generation ?? 1) + 1;
      if (deepEqual({ ...next, metadata: { ...next.metadata, generation: old.metadata.generation } }, old)) continue;
      store.update(keyOf(kind, old.metadata.namespace!, old.metadata.name!), next, old.metadata.resourceVersion!);
    }
    for (const { metadata } of free) store.delete(keyOf(kind, metadata.namespace!, metadata.name!));
  }

  private create(service: AnyObject, slice: Slice, kind: Kind): void {
    const { name = '', namespace, uid = '' } = service.metadata;
    ensure(this.core, kind, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        name: generateName(`${name}-`),
        generateName: `${name}-`,
        namespace,
        labels: labelsOf(service),
        ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true }],
      },
      ...slice,
    });
  }
}

function labelsOf(service: AnyObject): Record<string, string> {
  const headless: Record<string, string> =
    service.spec.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {};
  return { ...service.metadata.labels, [MANAGED_BY]: MANAGER, [SERVICE_NAME]: service.metadata.name!, ...headless };
}

export function isReady(pod: AnyObject): boolean {
  const conditions: { type: string; status: string }[] = pod.status?.conditions ?? [];
  return conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');
}

/** Fields of a Pod that affect its endpoint. */
export function relevant(pod: AnyObject): unknown {
  const { labels, deletionTimestamp } = pod.metadata;
  const { podIPs, phase } = pod.status ?? {};
  const { nodeName, hostname, subdomain } = pod.spec ?? {};
  return [labels, deletionTimestamp, podIPs, phase, isReady(pod), nodeName, hostname, subdomain];
}

/** Port numbers of a Service on a Pod; undefined for a port name that the Pod lacks. */
export function portsOf(service: AnyObject, pod: AnyObject): EndpointPort[] {
  const ports: ServicePort[] = service.spec.ports ?? [];
  const containers: { ports?: { name?: string; protocol?: string; containerPort: number }[] }[] =
    pod.spec.containers ?? [];
  return ports.flatMap(({ name, protocol = 'TCP', port, targetPort = port, appProtocol }) => {
    const number =
      typeof targetPort === 'number'
        ? targetPort
        : containers
            .flatMap((container) => container.ports ?? [])
            .find((item) => item.name === targetPort && (item.protocol ?? 'TCP') === protocol)?.containerPort;
    if (number === undefined) return [];
    return [{ name: name ?? '', port: number, protocol, ...(appProtocol ? { appProtocol } : {}) }];
  });
}

/** Desired slices of a Service: one per IP family and set of port numbers. */
export function desiredSlices(service: AnyObject, pods: readonly AnyObject[]): Slice[] {
  const families: string[] = service.spec.ipFamilies ?? ['IPv4'];
  const slices = new Map<string, Slice>();
  for (const family of families) {
    for (const pod of pods) {
      if (['Succeeded', 'Failed'].includes(pod.status?.phase)) continue;
      const addresses: { ip: string }[] = pod.status?.podIPs ?? [];
      const ip = addresses.find((item) => item.ip.includes(':') === (family === 'IPv6'))?.ip;
      if (!ip) continue;
      const ports = portsOf(service, pod);
      const key = JSON.stringify([family, ports]);
      let slice = slices.get(key);
      if (!slice) slices.set(key, (slice = { addressType: family, endpoints: [], ports }));
      slice.endpoints.push(endpointOf(service, pod, ip));
    }
    if (![...slices.values()].some((slice) => slice.addressType === family)) {
      slices.set(family, { addressType: family, endpoints: [], ports: [] });
    }
  }
  return [...slices.values()];
}

function endpointOf(service: AnyObject, pod: AnyObject, ip: string): object {
  const { name, namespace, uid, deletionTimestamp } = pod.metadata;
  const serving = isReady(pod);
  const terminating = !!deletionTimestamp;
  const { hostname, subdomain, nodeName } = pod.spec;
  return {
    addresses: [ip],
    conditions: { ready: service.spec.publishNotReadyAddresses || (serving && !terminating), serving, terminating },
    ...(hostname && subdomain === service.metadata.name ? { hostname } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(nodeName ? { nodeName } : {}),
  };
}
