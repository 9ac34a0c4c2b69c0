import type { EndpointSlice, Service } from '../core-v1';
import { keyOf } from '../../runtime/kube';
import { slicesOf } from '../network/service-table';
import type { Ingress, IngressBackend, ServiceBackend } from './networking-v1';

/** The rules of all Ingresses as one table. Pure. */

export interface Target {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

/** Ready endpoints of a backend. Without any, requests are answered with `problem`. */
export interface Backend {
  readonly targets: readonly Target[];
  readonly problem: string;
}

export interface Route {
  readonly path: string;
  readonly exact: boolean;
  readonly backend: Backend;
}

/** Routes of one host, in the order in which they are compared with a path. */
export interface HostRoutes {
  readonly routes: readonly Route[];
  /** Default backend of the first Ingress with a rule for this host. */
  readonly fallback?: Backend;
}

export interface RouteTable {
  /** Exact hosts, wildcards (`*.example.org`), and `''` for rules without a host. */
  readonly hosts: ReadonlyMap<string, HostRoutes>;
  /** First default backend of all Ingresses. */
  readonly fallback?: Backend;
  /** Host -> key of the Secret with its certificate. */
  readonly certificates: ReadonlyMap<string, string>;
}

/** Mistake of a user in an Ingress or the objects that it names. */
export interface Problem {
  readonly reason: 'ServiceNotFound' | 'PortNotFound' | 'UnsupportedBackend' | 'CertificateMissing';
  readonly message: string;
}

export interface Routing {
  readonly table: RouteTable;
  /** Problems by the key of their Ingress. */
  readonly problems: ReadonlyMap<string, readonly Problem[]>;
}

export interface Observed {
  readonly ingresses: readonly Ingress[];
  readonly services: readonly Service[];
  readonly slices: readonly EndpointSlice[];
  /** Whether a Secret has a usable certificate: `undefined`, or why it has none. */
  readonly certificateProblem: (secret: string) => string | undefined;
}

interface MutableHost {
  routes: Route[];
  fallback?: Backend;
}

const SERVICE_NAME = 'kubernetes.io/service-name';

/** Computes routes and problems. Of two Ingresses with the same rule, the older one wins. */
export function routesOf(observed: Observed): Routing {
  const services = new Map(observed.services.map((service) => [keyOf(service), service]));
  const slices = Map.groupBy(
    observed.slices,
    ({ metadata }) => `${metadata.namespace}/${metadata.labels?.[SERVICE_NAME]}`,
  );
  const hosts = new Map<string, MutableHost>();
  const certificates = new Map<string, string>();
  const problems = new Map<string, Problem[]>();
  let fallback: Backend | undefined;
  for (const ingress of [...observed.ingresses].sort(byAge)) {
    const found: Problem[] = [];
    const backendOf = (backend: IngressBackend): Backend => {
      const result = resolve(ingress, backend, services, slices);
      if (result.report) found.push(result.report);
      return result;
    };
    const { defaultBackend, rules, tls } = ingress.spec ?? {};
    const standby = defaultBackend && backendOf(defaultBackend);
    fallback ??= standby;
    for (const { host = '', http } of rules ?? []) {
      const name = host.toLowerCase();
      const entry = hosts.get(name) ?? { routes: [] };
      hosts.set(name, entry);
      entry.fallback ??= standby;
      // a rule without paths sends all requests to the default backend
      for (const { path = '/', pathType, backend } of http?.paths ?? []) {
        entry.routes.push({ path, exact: pathType === 'Exact', backend: backendOf(backend) });
      }
    }
    for (const { hosts: named, secretName } of tls ?? []) {
      if (!secretName) continue;
      const secret = `${ingress.metadata.namespace}/${secretName}`;
      const why = observed.certificateProblem(secret);
      if (why) found.push(withoutCertificate(ingress, secretName, why));
      const all = named?.length ? named : (rules ?? []).flatMap(({ host }) => host ?? []);
      for (const host of all) if (!certificates.has(host.toLowerCase())) certificates.set(host.toLowerCase(), secret);
    }
    if (found.length) problems.set(keyOf(ingress), unique(found));
  }
  for (const { routes } of hosts.values()) routes.sort(byPrecedence);
  return { table: { hosts, fallback, certificates }, problems };
}

/** The backend of a request; undefined if no rule matches. `host` is without port. */
export function match({ hosts, fallback }: RouteTable, host: string, path: string): Backend | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  const entries = [name, wildcardOf(name), ''].flatMap((key) => hosts.get(key) ?? []);
  for (const { routes } of entries) {
    const route = routes.find((candidate) => covers(candidate, path));
    if (route) return route.backend;
  }
  return entries.find((entry) => entry.fallback)?.fallback ?? fallback;
}

/** The wildcard that covers a host: it replaces exactly one label. */
export const wildcardOf = (host: string): string => `*${host.slice(Math.max(host.indexOf('.'), 0))}`;

/** Compares element by element: `/a` covers `/a/b`, but not `/ab`. An implementation-specific path is a prefix. */
function covers({ path, exact }: Route, requested: string): boolean {
  if (exact) return requested === path;
  const prefix = path.replace(/\/+$/, '');
  return requested === prefix || requested.startsWith(`${prefix}/`);
}

/** The longest path first; of two equal ones, the exact one. The sort is stable, so that age decides otherwise. */
function byPrecedence(a: Route, b: Route): number {
  const length = ({ path, exact }: Route): number => (exact ? path : path.replace(/\/+$/, '')).length;
  return length(b) - length(a) || Number(b.exact) - Number(a.exact);
}

function byAge(a: Ingress, b: Ingress): number {
  const [first, second] = [a, b].map(({ metadata }) => metadata.creationTimestamp ?? '');
  return first === second ? (keyOf(a) < keyOf(b) ? -1 : 1) : first! < second! ? -1 : 1;
}

interface Resolved extends Backend {
  readonly report?: Problem;
}

const failed = (reason: Problem['reason'], problem: string, remedy: string): Resolved => ({
  targets: [],
  problem,
  report: { reason, message: `${problem}: ${remedy}` },
});

function resolve(
  { metadata }: Ingress,
  { service: named, resource }: IngressBackend,
  services: ReadonlyMap<string, Service>,
  slices: ReadonlyMap<string, readonly EndpointSlice[]>,
): Resolved {
  if (!named) {
    const problem = `backend ${resource?.kind} "${resource?.name}" is not supported`;
    return failed('UnsupportedBackend', problem, 'name a Service');
  }
  const service = services.get(`${metadata.namespace}/${named.name}`);
  const name = `Service "${named.name}"`;
  if (!service) {
    const remedy = 'create it, or correct the name of the backend';
    return failed('ServiceNotFound', `${name} does not exist in namespace "${metadata.namespace}"`, remedy);
  }
  if (service.spec?.type === 'ExternalName') {
    return failed('UnsupportedBackend', `${name} has type ExternalName`, 'name a Service that selects Pods');
  }
  const port = portOf(service, named);
  if (!port) {
    const ports = (service.spec?.ports ?? []).map((item) => (item.name ? `${item.port} ("${item.name}")` : item.port));
    const wanted = named.port?.name ? `"${named.port.name}"` : named.port?.number;
    return failed('PortNotFound', `${name} has no TCP port ${wanted}`, `its ports are ${ports.join(', ') || 'none'}`);
  }
  return {
    targets: targetsOf(service, port.name ?? '', slices.get(keyOf(service)) ?? []),
    problem: `${name} has no ready endpoints`,
  };
}

function portOf({ spec }: Service, { port }: ServiceBackend): { name?: string } | undefined {
  return (spec?.ports ?? []).find(
    (item) =>
      (item.protocol ?? 'TCP') === 'TCP' &&
      (port?.name ? item.name === port.name : port?.number !== undefined && item.port === port.number),
  );
}

function targetsOf(service: Service, portName: string, slices: readonly EndpointSlice[]): Target[] {
  const seen = new Map<string, Target>();
  for (const { endpoints, ports, addressType } of slicesOf(service, slices)) {
    // the cluster's Pods have both families, and one of them suffices
    if (addressType === 'FQDN') continue;
    const port = (ports ?? []).find((item) => (item.name ?? '') === portName && (item.protocol ?? 'TCP') === 'TCP');
    if (!port?.port) continue;
    for (const { addresses, conditions, targetRef } of endpoints ?? []) {
      const [host] = addresses;
      if (!host || conditions?.ready === false) continue;
      const key = targetRef?.uid ?? `${host} ${port.port}`;
      const known = seen.get(key);
      if (!known || known.host.includes(':')) {
        seen.set(key, { host, port: port.port, tls: port.appProtocol === 'https' });
      }
    }
  }
  return [...seen.values()];
}

function withoutCertificate({ metadata }: Ingress, secret: string, why: string): Problem {
  const command = `kubectl create secret tls ${secret} -n ${metadata.namespace} --cert=FILE --key=FILE`;
  return {
    reason: 'CertificateMissing',
    message: `Secret "${secret}" ${why}, so a self-signed certificate is used: run ${command}`,
  };
}

const unique = (problems: readonly Problem[]): Problem[] => [
  ...new Map(problems.map((problem) => [problem.message, problem])).values(),
];
