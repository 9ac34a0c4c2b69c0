import { randomUUID } from 'node:crypto';
import { Kind } from '../registry/kind';
import { ExistsError } from '../store/store';
import { deepEqual } from '../json/values';
import { AnyObject, timestamp, UserInfo } from '../types';
import { Core, keyOf } from '../verbs/core';

const SYSTEM: UserInfo = { username: 'system:apiserver', groups: ['system:masters'] };

/** Stores an object of the server itself if it is missing, without admission. */
export function ensure(core: Core, kind: Kind, object: AnyObject): AnyObject | undefined {
  const { metadata } = object;
  metadata.uid = randomUUID();
  metadata.creationTimestamp = timestamp();
  kind.decode(object);
  kind.prepareForCreate(object, { user: SYSTEM, now: timestamp(), dryRun: false, warn: () => {} });
  try {
    return core.store.create(keyOf(kind, metadata.namespace ?? '', metadata.name!), object);
  } catch (error) {
    if (error instanceof ExistsError) return undefined;
    throw error;
  }
}

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Objects that exist in every new cluster. */
export function bootstrap(core: Core, advertise: { host: string; port: number }, clusterIP: string): void {
  const kind = (group: string, plural: string) => core.kinds.find(group, 'v1', plural)!;
  for (const name of NAMESPACES) {
    ensure(core, kind('', 'namespaces'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  for (const [name, value, description] of [
    [
      'system-cluster-critical',
      2_000_000_000,
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    ],
    [
      'system-node-critical',
      2_000_001_000,
      'Used for system critical pods that must not be moved from their current node.',
    ],
  ] as const) {
    ensure(core, kind('scheduling.k8s.io', 'priorityclasses'), {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value,
      description,
    });
  }
  const labels = { component: 'apiserver', provider: 'kubernetes' };
  const services = kind('', 'services');
  if (!core.store.get(keyOf(services, 'default', 'kubernetes'))) {
    ensure(core, services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kubernetes', namespace: 'default', labels },
      spec: {
        type: 'ClusterIP',
        clusterIP,
        ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: advertise.port }],
      },
    });
  }
  advertiseEndpoints(core, kind('discovery.k8s.io', 'endpointslices'), advertise);
  advertiseOldEndpoints(core, kind('', 'endpoints'), advertise);
}

/** Updates the `kubernetes` Service with the addresses of this process. */
function advertiseEndpoints(core: Core, kind: Kind, { host, port }: { host: string; port: number }): void {
  const key = keyOf(kind, 'default', 'kubernetes');
  const current = core.store.get(key);
  const content = {
    addressType: host.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [host], conditions: { ready: true } }],
    ports: [{ name: 'https', port, protocol: 'TCP' }],
  };
  if (!current) {
    const metadata = {
      name: 'kubernetes',
      namespace: 'default',
      labels: { 'kubernetes.io/service-name': 'kubernetes' },
    };
    ensure(core, kind, { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata, ...content });
  } else if (
    JSON.stringify([current.endpoints, current.ports]) !== JSON.stringify([content.endpoints, content.ports])
  ) {
    core.store.update(key, { ...current, ...content }, current.metadata.resourceVersion!);
  }
}

/** Updates its Endpoints, for clients that read them. */
function advertiseOldEndpoints(core: Core, kind: Kind, { host, port }: { host: string; port: number }): void {
  const key = keyOf(kind, 'default', 'kubernetes');
  const current = core.store.get(key);
  const subsets = [{ addresses: [{ ip: host }], ports: [{ name: 'https', port, protocol: 'TCP' }] }];
  if (!current) {
    const labels = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };
    const metadata = { name: 'kubernetes', namespace: 'default', labels };
    ensure(core, kind, { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets });
  } else if (!deepEqual(current.subsets, subsets)) {
    core.store.update(key, { ...current, subsets }, current.metadata.resourceVersion!);
  }
}
