import { isIPv6 } from 'node:net';
import { deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import {
  isCidr,
  isDns1123Label,
  isDns1123Subdomain,
  isEndpointAddress,
  isIpAddress,
  isLabelValue,
  isPortName,
  isPortNumber,
  isQualifiedName,
} from '../validation/names';

export interface ServicePort {
  name?: string;
  protocol?: string;
  port: number;
  targetPort?: number | string;
  nodePort?: number;
  appProtocol?: string;
}

type Spec = AnyObject['spec'];

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const FAMILIES = ['IPv4', 'IPv6'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
/** Longest session affinity: a day. */
const MAX_AFFINITY = 86_400;

export const takesNodePorts = (type: string): boolean => type === 'NodePort' || type === 'LoadBalancer';
export const isHeadless = ({ type, clusterIP }: Spec): boolean => type === 'ClusterIP' && clusterIP === 'None';
export const isExternallyAccessible = ({ type, externalIPs }: Spec): boolean =>
  takesNodePorts(type) || (type === 'ClusterIP' && !!externalIPs?.length);
/** Whether load balancers probe a port of their own on each node. */
export const needsHealthCheck = ({ type, externalTrafficPolicy }: Spec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

export function validateService({ spec = {} }: AnyObject, fields: Fields): void {
  const at = fields.child('spec');
  if (!spec.ports?.length && !isHeadless(spec) && spec.type !== 'ExternalName') at.child('ports').required();
  validateType(spec, at);
  validatePorts(spec.ports ?? [], at.child('ports'));
  for (const [key, value] of Object.entries((spec.selector ?? {}) as Record<string, string>)) {
    at.child('selector').invalidEach(key, isQualifiedName(key)).invalidEach(value, isLabelValue(value));
  }
  validateAffinity(spec, at);
  validateClusterIps(spec, at);
  ((spec.externalIPs ?? []) as string[]).forEach((ip, i) => {
    const wrong = isIpAddress(ip);
    at.child('externalIPs')
      .index(i)
      .invalidEach(ip, wrong.length ? wrong : isEndpointAddress(ip));
  });
  if (!TYPES.includes(spec.type)) at.child('type').notSupported(spec.type, TYPES);
  validateNumbers(spec, at.child('ports'));
  validateLoadBalancer(spec, at);
  validateTraffic(spec, at);
}

function validateType(spec: Spec, at: Fields): void {
  if (takesNodePorts(spec.type) && spec.clusterIP === 'None') {
    at.child('clusterIPs').index(0).invalid('None', `may not be set to 'None' for ${spec.type} services`);
  }
  if (spec.type !== 'ExternalName') return;
  const why = 'may not be set for ExternalName services';
  if (spec.clusterIPs?.length) at.child('clusterIPs').forbidden(why);
  if (spec.ipFamilies?.length) at.child('ipFamilies').forbidden(why);
  if (spec.ipFamilyPolicy !== undefined) at.child('ipFamilyPolicy').forbidden(why);
  const name: string = String(spec.externalName ?? '').replace(/\.$/, '');
  if (name) at.child('externalName').invalidEach(name, isDns1123Subdomain(name));
  else at.child('externalName').required();
}

function validatePorts(list: ServicePort[], at: Fields): void {
  const names = new Set<string>();
  list.forEach((port, i) => {
    const here = at.index(i);
    if (list.length > 1 && !port.name) here.child('name').required();
    else if (port.name) {
      here.child('name').invalidEach(port.name, isDns1123Label(port.name));
      if (names.has(port.name)) here.child('name').duplicate(port.name);
      names.add(port.name);
    }
    here.child('port').invalidEach(port.port ?? 0, isPortNumber(port.port));
    if (!PROTOCOLS.includes(port.protocol ?? '')) {
      here.child('protocol').notSupported(port.protocol ?? '', PROTOCOLS);
    }
    const target = port.targetPort ?? 0;
    here
      .child('targetPort')
      .invalidEach(target, typeof target === 'number' ? isPortNumber(target) : isPortName(target));
    const { appProtocol } = port;
    if (appProtocol !== undefined) here.child('appProtocol').invalidEach(appProtocol, isQualifiedName(appProtocol));
  });
}

/** Numbers that no two ports may share. */
function validateNumbers({ type, ports = [] }: Spec, at: Fields): void {
  const list = ports as ServicePort[];
  const repeats = (of: (port: ServicePort) => unknown, report: (here: Fields, port: ServicePort) => void): void => {
    const seen = new Set<string>();
    list.forEach((port, i) => {
      const key = JSON.stringify([port.protocol, of(port)]);
      if (of(port) === undefined) return;
      if (seen.has(key)) report(at.index(i), port);
      seen.add(key);
    });
  };
  if (type === 'ClusterIP') {
    list.forEach(({ nodePort }, i) => {
      if (nodePort) at.index(i).child('nodePort').forbidden("may not be used when `type` is 'ClusterIP'");
    });
  }
  repeats(
    ({ nodePort }) => nodePort || undefined,
    (here, { nodePort }) => here.child('nodePort').duplicate(nodePort),
  );
  repeats(
    ({ port }) => port ?? 0,
    (here, { protocol, port }) =>
      here.duplicate({ Name: '', Protocol: protocol, AppProtocol: null, Port: port ?? 0, TargetPort: 0, NodePort: 0 }),
  );
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig }: Spec, at: Fields): void {
  if (!['ClientIP', 'None'].includes(sessionAffinity)) {
    at.child('sessionAffinity').notSupported(sessionAffinity, ['ClientIP', 'None']);
  }
  const here = at.child('sessionAffinityConfig');
  if (sessionAffinity !== 'ClientIP') {
    if (sessionAffinity === 'None' && sessionAffinityConfig) {
      here.forbidden('must not be set when session affinity is None');
    }
    return;
  }
  const why = 'when session affinity type is ClientIP';
  const timeout: number | undefined = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (!sessionAffinityConfig) here.required(why);
  else if (!sessionAffinityConfig.clientIP) here.child('clientIP').required(why);
  else if (timeout === undefined) here.child('clientIP', 'timeoutSeconds').required(why);
  else if (timeout <= 0 || timeout > MAX_AFFINITY) {
    here.child('clientIP', 'timeoutSeconds').invalid(timeout, `must be greater than 0 and less than ${MAX_AFFINITY}`);
  }
}

/** Validates addresses, families and their policy, which are also validated before addresses are allocated. */
export function validateClusterIps(spec: Spec, fields: Fields): void {
  if (spec.type === 'ExternalName') return;
  const at = fields.child('clusterIPs');
  const addresses: string[] = spec.clusterIPs ?? [];
  const families: string[] = spec.ipFamilies ?? [];
  if (!spec.clusterIP) {
    if (addresses.length) at.invalid(addresses, 'must be empty when `clusterIP` is not specified');
  } else if (!addresses.length) at.required();
  else if (addresses[0] !== spec.clusterIP) at.invalid(addresses, 'first value must match `clusterIP`');
  families.forEach((family, i) => {
    const here = fields.child('ipFamilies').index(i);
    if (!FAMILIES.includes(family)) here.notSupported(family, FAMILIES);
    if (families.indexOf(family) < i) here.duplicate(family);
  });
  if (spec.ipFamilyPolicy !== undefined && !POLICIES.includes(spec.ipFamilyPolicy)) {
    fields.child('ipFamilyPolicy').notSupported(spec.ipFamilyPolicy, POLICIES);
  }
  const before = at.causes.length;
  addresses.forEach((address, i) => {
    if (i > 0 || address !== 'None') at.index(i).invalidEach(address, isIpAddress(address));
    else if (addresses.length > 1) at.invalid(addresses, "'None' must be the first and only value");
  });
  const wrong = at.causes.length > before;
  if (addresses.length > 2) at.invalid(addresses, 'may only hold up to 2 values');
  if (wrong) return;
  if (addresses.length > 1 && addresses.length !== new Set(addresses.map((address) => isIPv6(address))).size) {
    at.invalid(addresses, 'may specify no more than one IP for each IP family');
  }
  if (isHeadless(spec)) return;
  addresses.forEach((address, i) => {
    const family = families[i];
    if (family && isIPv6(address) !== (family === 'IPv6')) {
      at.index(i).invalid(address, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``);
    }
  });
}

/** Fields that only load balancers have. */
function validateLoadBalancer(spec: Spec, at: Fields): void {
  const only = "may only be used when `type` is 'LoadBalancer'";
  const balanced = spec.type === 'LoadBalancer';
  const ranges: string[] = spec.loadBalancerSourceRanges ?? [];
  // Kubernetes' own spelling of the field.
  const rangesAt = at.child('LoadBalancerSourceRanges');
  if (ranges.length && !balanced) rangesAt.forbidden(only);
  ranges.forEach((range, i) => rangesAt.index(i).invalidEach(range.trim(), isCidr(range.trim())));
  if (spec.allocateLoadBalancerNodePorts !== undefined && !balanced) {
    at.child('allocateLoadBalancerNodePorts').forbidden(only);
  }
  const { loadBalancerClass } = spec;
  if (loadBalancerClass === undefined) return;
  if (!balanced) at.child('loadBalancerClass').forbidden(only);
  else at.child('loadBalancerClass').invalidEach(loadBalancerClass, isQualifiedName(loadBalancerClass));
}

function validateTraffic(spec: Spec, at: Fields): void {
  const { internalTrafficPolicy: internal, externalTrafficPolicy: external, trafficDistribution } = spec;
  const policies = ['Cluster', 'Local'];
  const externalAt = at.child('externalTrafficPolicy');
  if (!isExternallyAccessible(spec)) {
    if (external) externalAt.invalid(external, 'may only be set for externally-accessible services');
  } else if (!external) externalAt.required();
  else if (!policies.includes(external)) externalAt.notSupported(external, policies);
  validateHealthCheck(spec, at.child('healthCheckNodePort'));
  if (internal !== undefined && !policies.includes(internal)) {
    at.child('internalTrafficPolicy').notSupported(internal, policies);
  } else if (internal === undefined && spec.type !== 'ExternalName' && TYPES.includes(spec.type)) {
    at.child('internalTrafficPolicy').required();
  }
  const preferences = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
  if (trafficDistribution !== undefined && !preferences.includes(trafficDistribution)) {
    at.child('trafficDistribution').notSupported(trafficDistribution, preferences);
  }
}

function validateHealthCheck(spec: Spec, at: Fields): void {
  const port: number = spec.healthCheckNodePort ?? 0;
  if (needsHealthCheck(spec)) {
    if (port) at.invalidEach(port, isPortNumber(port));
    else at.required();
  } else if (port) {
    at.invalid(port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
  }
}

/** Validates what an update may not change: addresses, families, the class and the port of health checks. */
export function validateServiceUpdate(next: AnyObject, old: AnyObject, fields: Fields): void {
  const at = fields.child('spec');
  const [now, before]: [Spec, Spec] = [next.spec ?? {}, old.spec ?? {}];
  if (now.type !== 'ExternalName' && before.type !== 'ExternalName') {
    if (!isHeadless(now) || !isHeadless(before)) validateReleased(now, before, 'clusterIPs', at);
    if (!isHeadless(now) && !isHeadless(before)) validateReleased(now, before, 'ipFamilies', at);
  }
  if (now.type === 'LoadBalancer' && before.type === 'LoadBalancer') {
    const { loadBalancerClass } = now;
    const here = at.child('loadBalancerClass');
    if (loadBalancerClass !== before.loadBalancerClass) here.invalid(loadBalancerClass, 'may not change once set');
  }
  validateClass(now, at.child('loadBalancerClass'));
  const checked = needsHealthCheck(now) && needsHealthCheck(before);
  if (checked && now.healthCheckNodePort !== before.healthCheckNodePort) {
    at.child('healthCheckNodePort').forbidden('field is immutable');
  }
  validateService(next, fields);
}

/** Kubernetes validates the class of an update twice. */
function validateClass({ type, loadBalancerClass }: Spec, at: Fields): void {
  if (loadBalancerClass === undefined) return;
  if (type === 'LoadBalancer') at.invalidEach(loadBalancerClass, isQualifiedName(loadBalancerClass));
  else at.forbidden("may only be used when `type` is 'LoadBalancer'");
}

/** The first address and family are fixed; the second one is released only together with the policy. */
function validateReleased(now: Spec, before: Spec, field: 'clusterIPs' | 'ipFamilies', at: Fields): void {
  const [values, old]: string[][] = [now[field] ?? [], before[field] ?? []];
  const what = field === 'clusterIPs' ? 'clusterIP' : 'ipFamily';
  const here = (i: number): Fields => at.child(field).index(field === 'clusterIPs' ? i : 0);
  if (values.length === old.length) {
    old.forEach((value, i) => value !== values[i] && here(i).invalid(values, 'may not change once set'));
    return;
  }
  if (old.length > values.length && !(now.clusterIPs ?? []).length) {
    here(0).invalid(values.length ? values : null, `primary ${what} can not be unset`);
  }
  if (old.length && values.length && values[0] !== old[0]) {
    const shown = field === 'ipFamilies' && old.length > values.length ? now.clusterIPs : values;
    here(0).invalid(shown, 'may not change once set');
  }
  if (old.length > values.length && values.length === 1 && now.ipFamilyPolicy !== 'SingleStack') {
    at.child('ipFamilyPolicy').invalid(
      now.ipFamilyPolicy,
      `must be set to 'SingleStack' when releasing the secondary ${what}`,
    );
  }
}

export function serviceWarnings({ metadata, spec = {} }: AnyObject): string[] {
  const warnings: string[] = [];
  const hints = 'service.kubernetes.io/topology-aware-hints';
  if (metadata.annotations?.[hints] !== undefined) {
    warnings.push(`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`);
  }
  const external = !!spec.externalIPs?.length;
  if (isHeadless(spec)) {
    if (spec.loadBalancerIP) warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (external) warnings.push('spec.externalIPs is ignored for headless services');
    if (spec.sessionAffinity !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services');
  } else if (external && spec.type !== 'ExternalName') {
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  if (spec.type === 'ExternalName' && external) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (spec.externalName && spec.type !== 'ExternalName') {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec.trafficDistribution === 'PreferClose') {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}

export const sameValues = (a: unknown, b: unknown): boolean => deepEqual(a ?? [], b ?? []);
