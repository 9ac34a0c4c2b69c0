import { Store } from '../store/store';
import { AnyObject } from '../types';

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port?: number;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Error for a service that cannot be reached, with the reason for the condition of an APIService. */
export class ServiceError extends Error {
  public constructor(
    public readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Addresses of a Service from its EndpointSlices, because the server is outside of the cluster's network.
 * @throws ServiceError
 */
export function resolveService(store: Store, { namespace, name, port = 443 }: ServiceReference): Address[] {
  const service = store.get({ resource: '/services', namespace, name });
  if (!service)
    throw new ServiceError('ServiceNotFound', `service/${name} in ${JSON.stringify(namespace)} is not present`);
  const ports: { name?: string; port: number }[] = service.spec?.ports ?? [];
  const wanted = ports.find((item) => item.port === port);
  if (!wanted) {
    throw new ServiceError(
      'ServicePortError',
      `service/${name} in ${JSON.stringify(namespace)} is not listening on port ${port}`,
    );
  }
  const slices = slicesOf(store, namespace, name);
  if (!slices.length) {
    throw new ServiceError(
      'EndpointsNotFound',
      `cannot find endpointslices for service/${name} in ${JSON.stringify(namespace)}`,
    );
  }
  const addresses: Address[] = [];
  for (const slice of slices) {
    const slicePorts: { name?: string; port?: number }[] = slice.ports ?? [];
    const at =
      slicePorts.find((item) => (item.name ?? '') === (wanted.name ?? '')) ??
      (ports.length === 1 ? slicePorts[0] : undefined);
    if (!at?.port) continue;
    const endpoints: { addresses: string[]; conditions?: { ready?: boolean } }[] = slice.endpoints ?? [];
    for (const endpoint of endpoints) {
      if (endpoint.conditions?.ready === false) continue;
      addresses.push(...endpoint.addresses.map((host) => ({ host, port: at.port! })));
    }
  }
  if (!addresses.length) {
    throw new ServiceError(
      'MissingEndpoints',
      `endpoints for service/${name} in ${JSON.stringify(namespace)} have no addresses`,
    );
  }
  return addresses;
}

/** EndpointSlices of a Service. */
export function slicesOf(store: Store, namespace: string, service: string): AnyObject[] {
  return [...store.list({ resource: 'discovery.k8s.io/endpointslices', namespace })].filter(
    (slice) => slice.metadata.labels?.['kubernetes.io/service-name'] === service,
  );
}
