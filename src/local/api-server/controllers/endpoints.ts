import { matchLabelSelector } from '../registry/label-selector';
import { Change } from '../store/store';
import { clone, deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Core, keyOf } from '../verbs/core';
import { ensure } from './bootstrap';
import { isReady, portsOf, relevant } from './endpoint-slices';
import type { WorkQueue } from '../../../runtime/kube';
import { controllerQueue } from './work-queue';

const MANAGED_BY = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
const HEADLESS = { 'service.kubernetes.io/headless': '' };

interface Subset {
  addresses?: object[];
  notReadyAddresses?: object[];
  ports?: object[];
}

/** Maintains the Endpoints of Services with a selector, which older clients read (`kubectl describe service`). */
export class EndpointsController {
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
    const add = (namespace = '', name = '') => this.queue.add(`${namespace}/${name}`);
    this.stops.push(
      store.subscribe('/services', ({ key }) => add(key.namespace, key.name)),
      store.subscribe('/endpoints', ({ key }) => add(key.namespace, key.name)),
      store.subscribe('/pods', (change) => this.observePod(change)),
    );
    for (const { metadata } of store.list({ resource: '/services' })) add(metadata.namespace, metadata.name);
  }

  public close(): void {
    this.stops.forEach((stop) => stop());
    void this.queue.stop();
  }

  private observePod({ key, object, previous }: Change): void {
    if (object && previous && deepEqual(relevant(object), relevant(previous))) return;
    for (const service of this.core.store.list({ resource: '/services', namespace: key.namespace })) {
      if (!selects(service, object) && !selects(service, previous)) continue;
      this.queue.add(`${key.namespace}/${service.metadata.name}`);
    }
  }

  private reconcile(text: string): void {
    const [namespace, name] = text.split('/');
    const { store, kinds } = this.core;
    const kind = kinds.find('', 'v1', 'endpoints')!;
    const key = keyOf(kind, namespace, name);
    const current = store.get(key);
    const service = store.get({ resource: '/services', namespace, name });
    if (!service || service.metadata.deletionTimestamp) {
      if (current?.metadata.labels?.['endpoints.kubernetes.io/managed-by']) store.delete(key);
      return;
    }
    // Without a selector, users write them.
    if (!Object.keys(service.spec?.selector ?? {}).length || service.spec.type === 'ExternalName') return;
    const found = store.get({ resource: '/namespaces', namespace: '', name: namespace });
    if (!found || found.metadata.deletionTimestamp) return;
    const pods = [...store.list({ resource: '/pods', namespace })].filter((pod) => selects(service, pod));
    const labels = {
      ...service.metadata.labels,
      ...MANAGED_BY,
      ...(service.spec.clusterIP === 'None' ? HEADLESS : {}),
    };
    const subsets = desiredSubsets(service, pods);
    if (!current) {
      const metadata = { name, namespace, labels };
      const content = subsets.length ? { subsets } : {};
      ensure(this.core, kind, { apiVersion: 'v1', kind: 'Endpoints', metadata, ...content });
      return;
    }
    const next = clone(current);
    next.metadata.labels = labels;
    if (subsets.length) next.subsets = subsets;
    else delete next.subsets;
    if (!deepEqual(next, current)) store.update(key, next, current.metadata.resourceVersion!);
  }
}

function selects(service: AnyObject, pod: AnyObject | undefined): boolean {
  const selector: Record<string, string> = service.spec?.selector ?? {};
  if (!pod || !Object.keys(selector).length) return false;
  return matchLabelSelector({ matchLabels: selector })(pod.metadata.labels);
}

/** Addresses of the Pods, grouped by ports. */
function desiredSubsets(service: AnyObject, pods: readonly AnyObject[]): object[] {
  const subsets = new Map<string, Subset>();
  const everyone = !!service.spec.publishNotReadyAddresses;
  const v6 = service.spec.ipFamilies?.[0] === 'IPv6';
  for (const pod of pods) {
    const { deletionTimestamp, name, namespace, uid } = pod.metadata;
    if (['Succeeded', 'Failed'].includes(pod.status?.phase) || (deletionTimestamp && !everyone)) continue;
    const addresses: { ip: string }[] = pod.status?.podIPs ?? [];
    const ip = addresses.find((item) => item.ip.includes(':') === v6)?.ip;
    const ports = portsOf(service, pod).map(({ name: portName, ...port }) =>
      portName ? { name: portName, ...port } : port,
    );
    if (!ip || (!ports.length && service.spec.ports?.length)) continue;
    const { hostname, subdomain, nodeName } = pod.spec;
    const key = JSON.stringify(ports);
    let subset = subsets.get(key);
    if (!subset) subsets.set(key, (subset = ports.length ? { ports } : {}));
    const list = everyone || isReady(pod) ? 'addresses' : 'notReadyAddresses';
    (subset[list] ??= []).push({
      ip,
      ...(hostname && subdomain === service.metadata.name ? { hostname } : {}),
      ...(nodeName ? { nodeName } : {}),
      targetRef: { kind: 'Pod', namespace, name, uid },
    });
  }
  return [...subsets.values()];
}
