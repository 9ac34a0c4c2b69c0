import { isIPv6 } from 'node:net';
import { errors } from '../errors';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { PortClaims, ServiceAllocator } from './service-allocator';
import {
  isExternallyAccessible,
  needsHealthCheck,
  sameValues,
  ServicePort,
  takesNodePorts,
  validateClusterIps,
} from './service-validation';

type Spec = AnyObject['spec'];

/**
 * Allocates families, addresses and ports of a Service, and keeps those that an update omits. A dry run reserves nothing.
 * @throws StatusError 422 if a requested one is not available
 */
export function allocate(
  allocator: ServiceAllocator,
  object: AnyObject,
  old: AnyObject | undefined,
  dryRun: boolean,
): void {
  const spec: Spec = (object.spec ??= {});
  const before: Spec | undefined = old?.spec;
  if (before) keepAllocated(spec, before);
  syncAddresses(spec, before);
  const check = (at: Fields): void => {
    if (at.causes.length) throw errors.invalid('', 'Service', object.metadata.name ?? '', at.causes);
  };
  if (spec.type !== 'ExternalName') {
    const families = Fields.root('spec');
    chooseFamilies(allocator, spec, before, families, check);
    check(families);
    const addresses = Fields.root('spec');
    allocateAddresses(allocator, spec, before, dryRun, addresses);
    check(addresses);
  }
  const claims = allocator.ports(dryRun);
  const ports = Fields.root('spec').child('ports');
  if (takesNodePorts(spec.type)) allocatePorts(claims, spec, before, ports);
  check(ports);
  if (needsHealthCheck(spec) && !(before && needsHealthCheck(before))) allocateHealthCheck(claims, spec);
}

const needsAddress = ({ type }: Spec): boolean => type !== 'ExternalName';

/** Keeps the addresses and node ports that an update omits. */
function keepAllocated(spec: Spec, before: Spec): void {
  if (needsAddress(before) && needsAddress(spec)) {
    if (!spec.clusterIP && before.clusterIP) spec.clusterIP = before.clusterIP;
    if (!spec.clusterIPs?.length && before.clusterIPs?.length) spec.clusterIPs = before.clusterIPs;
  }
  if (takesNodePorts(before.type) && takesNodePorts(spec.type)) {
    const [now, was] = [spec, before].map(({ ports = [] }) => ports as ServicePort[]);
    const used = new Set(was.map((port) => port.nodePort).filter((port) => now.some((item) => item.nodePort === port)));
    for (const port of now) {
      const earlier = was.findLast((item) => (item.name ?? '') === (port.name ?? ''))?.nodePort;
      if (!port.nodePort && earlier && !used.has(earlier)) port.nodePort = earlier;
    }
  }
  if (needsHealthCheck(before) && needsHealthCheck(spec)) spec.healthCheckNodePort ||= before.healthCheckNodePort;
}

/** Derives the list of addresses from a single address that was set or cleared alone. */
function syncAddresses(spec: Spec, before: Spec | undefined): void {
  if (!before) {
    if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
    return;
  }
  if ((spec.clusterIP ?? '') === (before.clusterIP ?? '')) return;
  if (!sameValues(spec.clusterIPs, before.clusterIPs)) return;
  if (spec.clusterIP) spec.clusterIPs = [spec.clusterIP];
  else delete spec.clusterIPs;
}

function chooseFamilies(
  allocator: ServiceAllocator,
  spec: Spec,
  before: Spec | undefined,
  at: Fields,
  check: (at: Fields) => void,
): void {
  const available = allocator.families;
  const selectorless = spec.clusterIP === 'None' && !Object.keys(spec.selector ?? {}).length;
  spec.ipFamilyPolicy ??= before?.ipFamilyPolicy ?? (selectorless ? 'RequireDualStack' : 'SingleStack');
  validateClusterIps(spec, at);
  check(at);
  const single = spec.ipFamilyPolicy === 'SingleStack';
  if (before && single) {
    for (const field of ['clusterIPs', 'ipFamilies']) {
      if (sameValues(spec[field], before[field]) && spec[field]?.length > 1) spec[field] = [spec[field][0]];
    }
  }
  if (single) {
    const why = (what: string) => `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
    if (spec.clusterIPs?.length === 2) at.child('ipFamilyPolicy').invalid('SingleStack', why('cluster IPs'));
    if (spec.ipFamilies?.length === 2) at.child('ipFamilyPolicy').invalid('SingleStack', why('IP families'));
  }
  const families: string[] = [...(spec.ipFamilies ?? before?.ipFamilies ?? [])];
  ((spec.clusterIPs ?? []) as string[]).forEach((address, i) => {
    if (address === 'None' || i < families.length) return;
    const family = isIPv6(address) ? 'IPv6' : 'IPv4';
    if (available.includes(family)) families.push(family);
    else at.child('clusterIPs').index(i).invalid(spec.clusterIPs, `${family} is not configured on this cluster`);
  });
  check(at);
  if (!selectorless) {
    if (spec.ipFamilyPolicy === 'RequireDualStack' && available.length < 2) {
      at.child('ipFamilyPolicy').invalid(spec.ipFamilyPolicy, 'this cluster is not configured for dual-stack services');
    }
    families.forEach((family, i) => {
      if (!available.includes(family))
        at.child('ipFamilies').index(i).invalid(family, 'not configured on this cluster');
    });
    check(at);
  }
  if (!families.length) families.push(available[0]);
  // The endpoints of a Service without a selector may have any address.
  if (!single && families.length === 1 && (selectorless || available.length === 2)) {
    families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4');
  }
  spec.ipFamilies = families;
}

function allocateAddresses(
  allocator: ServiceAllocator,
  spec: Spec,
  before: Spec | undefined,
  dryRun: boolean,
  at: Fields,
): void {
  const asked: string[] = spec.clusterIPs ?? [];
  if (asked[0] === 'None') return;
  const had: string[] = before && needsAddress(before) ? (before.clusterIPs ?? []) : [];
  // Validation rejects another first address, or none.
  if (had.length && had[0] !== asked[0]) return;
  const given = [...asked];
  (spec.ipFamilies as string[]).forEach((family, i) => {
    const address = asked[i];
    if (address && had.includes(address)) return;
    if (address) {
      const refusal = allocator.claim(address, dryRun);
      if (refusal) at.child('clusterIPs').invalid(asked, refusal);
    } else {
      const free = allocator.address(family, dryRun);
      if (!free) throw errors.internal(`failed to allocate a serviceIP: range is full`);
      given[i] = free;
    }
  });
  spec.clusterIPs = given;
  spec.clusterIP = given[0];
}

function allocatePorts(claims: PortClaims, spec: Spec, before: Spec | undefined, at: Fields): void {
  const ports = (spec.ports ?? []) as ServicePort[];
  const had = ((before?.ports ?? []) as ServicePort[]).map((port) => port.nodePort);
  const automatic = spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false;
  const claimed = new Map<number, number>();
  ports.forEach((port, i) => {
    if (!port.nodePort && !automatic) return;
    // Ports with the same number share a node port when they are created.
    const shared = before ? undefined : claimed.get(port.port);
    const wanted = port.nodePort || shared || (before ? undefined : requested(ports, port.port));
    if (!wanted) port.nodePort = claims.next();
    else {
      const known = [...claimed.values()].includes(wanted) || had.includes(wanted);
      const refusal = known ? undefined : claims.claim(wanted);
      if (refusal) at.index(i).child('nodePort').invalid(wanted, refusal);
      port.nodePort = wanted;
    }
    if (port.nodePort) claimed.set(port.port, port.nodePort);
  });
}

const requested = (ports: readonly ServicePort[], port: number): number | undefined =>
  ports.find((item) => item.port === port && item.nodePort)?.nodePort;

function allocateHealthCheck(claims: PortClaims, spec: Spec): void {
  const wanted: number = spec.healthCheckNodePort ?? 0;
  if (!wanted) {
    spec.healthCheckNodePort = claims.next();
    return;
  }
  const refusal = claims.claim(wanted);
  if (refusal) throw errors.internal(`failed to allocate requested HealthCheck NodePort ${wanted}: ${refusal}`);
}

/** Removes values that the new type of an updated Service does not have, unless the update changes them. */
export function dropOutdated(object: AnyObject, old: AnyObject): void {
  const spec: Spec = object.spec;
  const before: Spec = old.spec ?? {};
  const drop = (had: boolean, has: boolean, field: string): void => {
    if (had && !has && sameValues(spec[field], before[field])) delete spec[field];
  };
  if (needsAddress(before) && !needsAddress(spec)) {
    if (sameValues(spec.clusterIPs, before.clusterIPs) && (spec.clusterIP ?? '') === (before.clusterIP ?? '')) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    drop(true, false, 'ipFamilies');
    drop(true, false, 'ipFamilyPolicy');
  }
  const numbers = ({ ports = [] }: Spec): unknown => (ports as ServicePort[]).map(({ nodePort }) => nodePort ?? 0);
  if (takesNodePorts(before.type) && !takesNodePorts(spec.type) && sameValues(numbers(spec), numbers(before))) {
    for (const port of (spec.ports ?? []) as ServicePort[]) delete port.nodePort;
  }
  drop(needsHealthCheck(before), needsHealthCheck(spec), 'healthCheckNodePort');
  const balanced = [before, spec].map(({ type }) => type === 'LoadBalancer') as [boolean, boolean];
  drop(...balanced, 'allocateLoadBalancerNodePorts');
  drop(...balanced, 'loadBalancerClass');
  drop(isExternallyAccessible(before), isExternallyAccessible(spec), 'externalTrafficPolicy');
  if (spec.type !== 'LoadBalancer' && object.status) object.status.loadBalancer = {};
}
