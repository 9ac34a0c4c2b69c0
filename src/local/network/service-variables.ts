import type { Pod, Service } from '../core-v1';

/**
 * Environment variables with the addresses of Services: always the API server's, and with `enableServiceLinks` (the
 * default) those of its own namespace. Pure.
 */
export function serviceVariables(pod: Pod, services: readonly Service[]): Map<string, string> {
  const variables = new Map<string, string>();
  const links = pod.spec.enableServiceLinks ?? true;
  for (const service of services) {
    const { name, namespace } = service.metadata;
    const apiServer = name === 'kubernetes' && namespace === 'default';
    if (!apiServer && !(links && namespace === pod.metadata.namespace)) continue;
    addVariables(service, variables);
  }
  return variables;
}

function addVariables({ metadata, spec = {} }: Service, variables: Map<string, string>): void {
  const address = spec.clusterIP;
  const [first] = spec.ports ?? [];
  if (!address || address === 'None' || !first) return;
  const prefix = (metadata.name ?? '').toUpperCase().replaceAll('-', '_');
  const host = address.includes(':') ? `[${address}]` : address;
  variables.set(`${prefix}_SERVICE_HOST`, address);
  variables.set(`${prefix}_SERVICE_PORT`, String(first.port));
  for (const { name, port } of spec.ports ?? []) {
    if (name) variables.set(`${prefix}_SERVICE_PORT_${name.toUpperCase().replaceAll('-', '_')}`, String(port));
  }
  // Docker's link variables, which Kubernetes still sets
  const url = (protocol: string, port: number): string => `${protocol.toLowerCase()}://${host}:${port}`;
  variables.set(`${prefix}_PORT`, url(first.protocol ?? 'TCP', first.port));
  for (const { port, protocol = 'TCP' } of spec.ports ?? []) {
    const one = `${prefix}_PORT_${port}_${protocol}`;
    variables.set(one, url(protocol, port));
    variables.set(`${one}_PROTO`, protocol.toLowerCase());
    variables.set(`${one}_PORT`, String(port));
    variables.set(`${one}_ADDR`, address);
  }
}
