import { errors } from '../errors';
import { Kind } from '../registry/kind';
import { age, labels } from '../table/format';
import { AnyObject, deepEqual } from '../types';
import { Fields } from '../validation/fields';
import {
  dns1035Name,
  isDns1123Label,
  isDns1123Subdomain,
  isIpAddress,
  isPortName,
  isPortNumber,
  isQualifiedName,
} from '../validation/names';
import { define } from './define';
import { ServiceAllocator } from './service-allocator';

interface Port {
  name?: string;
  protocol?: string;
  port: number;
  targetPort?: number | string;
  nodePort?: number;
}

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const takesNodePorts = (type: string) => type === 'NodePort' || type === 'LoadBalancer';

function defaults(object: AnyObject): void {
  const spec = (object.spec ??= {});
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'ClientIP' && !spec.sessionAffinityConfig?.clientIP?.timeoutSeconds) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10_800 } };
  }
  spec.type ||= 'ClusterIP';
  for (const port of (spec.ports ?? []) as Port[]) {
    port.protocol ||= 'TCP';
    if (!port.targetPort) port.targetPort = port.port;
  }
  if (takesNodePorts(spec.type)) spec.externalTrafficPolicy ||= 'Cluster';
  if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}

function externalIp({ spec = {}, status = {} }: AnyObject): string {
  const ips: string[] = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'ExternalName':
      return spec.externalName;
    case 'LoadBalancer': {
      const ingress: { ip?: string; hostname?: string }[] = status.loadBalancer?.ingress ?? [];
      const all = [...ingress.map((item) => item.ip ?? item.hostname ?? ''), ...ips];
      return all.length ? all.join(',') : '<pending>';
    }
    default:
      return ips.length ? ips.join(',') : '<none>';
  }
}

function ports(list: Port[] | undefined): string {
  if (!list?.length) return '<none>';
  return list
    .map(({ port, nodePort, protocol }) => (nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`))
    .join(',');
}

/** Services, with their addresses and ports from `allocator`. */
export function serviceKind(allocator: ServiceAllocator): Kind {
  return define({
    group: '',
    version: 'v1',
    kind: 'Service',
    plural: 'services',
    namespaced: true,
    shortNames: ['svc'],
    categories: ['all'],
    status: true,
    returnsDeleted: true,
    nameRule: dns1035Name,
    selectableFields: ['spec.clusterIP', 'spec.type'],
    fields: ({ spec }) => ({ 'spec.clusterIP': spec?.clusterIP ?? '', 'spec.type': spec?.type ?? '' }),
    printer: {
      columns: [
        { name: 'Name', type: 'string', format: 'name' },
        { name: 'Type', type: 'string' },
        { name: 'Cluster-IP', type: 'string' },
        { name: 'External-IP', type: 'string' },
        { name: 'Port(s)', type: 'string' },
        { name: 'Age', type: 'string' },
        { name: 'Selector', type: 'string', priority: 1 },
      ],
      row: (object, now) => [
        object.metadata.name!,
        object.spec?.type ?? '',
        object.spec?.clusterIP || '<none>',
        externalIp(object),
        ports(object.spec?.ports),
        age(object.metadata.creationTimestamp, now),
        labels(object.spec?.selector),
      ],
    },
    defaults,
    prepareForCreate(object) {
      object.status = { loadBalancer: {} };
      allocate(allocator, object, undefined);
    },
    prepareForUpdate(object, old) {
      inherit(object, old);
      allocate(allocator, object, old);
    },
    validate: validateService,
    validateUpdate(next, old, fields) {
      validateService(next, fields);
      const before: string = old.spec?.clusterIP ?? '';
      if (before && next.spec.type !== 'ExternalName' && next.spec.clusterIP !== before) {
        const at = fields.child('spec', 'clusterIPs').index(0);
        at.invalid(next.spec.clusterIPs ?? null, 'may not change once set');
      }
    },
  });
}

/** Keeps addresses, families and node ports that an update omits. */
function inherit(object: AnyObject, old: AnyObject): void {
  const { spec } = object;
  const before = old.spec ?? {};
  if (spec.type === 'ExternalName') {
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) delete spec[field];
    return;
  }
  if (!spec.clusterIP && !spec.clusterIPs?.length && before.clusterIP) {
    spec.clusterIP = before.clusterIP;
    spec.clusterIPs = before.clusterIPs;
  }
  // If only the single address was changed, it applies to both fields.
  if (spec.clusterIP && spec.clusterIP !== before.clusterIP && deepEqual(spec.clusterIPs, before.clusterIPs)) {
    spec.clusterIPs = [spec.clusterIP];
  }
  spec.ipFamilies ??= before.ipFamilies;
  spec.ipFamilyPolicy ??= before.ipFamilyPolicy;
  if (!takesNodePorts(spec.type)) {
    for (const port of (spec.ports ?? []) as Port[]) delete port.nodePort;
    delete spec.externalTrafficPolicy;
    return;
  }
  for (const port of (spec.ports ?? []) as Port[]) {
    if (port.nodePort) continue;
    const same = ((before.ports ?? []) as Port[]).find(
      (item) => item.port === port.port && item.protocol === port.protocol,
    );
    if (same?.nodePort) port.nodePort = same.nodePort;
  }
}

/** Allocates families, addresses and node ports of a Service. @throws StatusError 422 if a requested one is in use */
function allocate(allocator: ServiceAllocator, object: AnyObject, old: AnyObject | undefined): void {
  const { spec } = object;
  if (spec.type === 'ExternalName') return;
  const fields = Fields.root();
  const at = fields.child('spec');
  if (spec.clusterIPs?.length && !spec.clusterIP) spec.clusterIP = spec.clusterIPs[0];
  const headless = spec.clusterIP === 'None';
  spec.ipFamilyPolicy ??= (spec.ipFamilies?.length ?? 0) > 1 ? 'RequireDualStack' : 'SingleStack';
  chooseFamilies(allocator, spec, at);
  // validateUpdate rejects another address; none is allocated for it.
  const moved = !!old?.spec?.clusterIP && old.spec.type !== 'ExternalName' && old.spec.clusterIP !== spec.clusterIP;
  if (headless) spec.clusterIPs = ['None'];
  else if (moved) spec.clusterIPs ??= [spec.clusterIP];
  else if (!fields.causes.length) allocateAddresses(allocator, spec, old, at);
  if (takesNodePorts(spec.type) && spec.allocateLoadBalancerNodePorts !== false) {
    allocatePorts(allocator, spec, old, at);
  }
  if (fields.causes.length) throw errors.invalid('', 'Service', object.metadata.name ?? '', fields.causes);
}

function chooseFamilies(allocator: ServiceAllocator, spec: AnyObject['spec'], at: Fields): void {
  const available = allocator.families;
  const asked: string[] = spec.ipFamilies ?? [];
  asked.forEach((family, i) => {
    if (!available.includes(family)) at.child('ipFamilies').index(i).invalid(family, 'not configured on this cluster');
  });
  if (spec.ipFamilyPolicy === 'RequireDualStack' && available.length < 2) {
    at.child('ipFamilyPolicy').invalid(spec.ipFamilyPolicy, 'this cluster is not configured for dual-stack services');
  }
  const wanted = spec.ipFamilyPolicy === 'SingleStack' ? 1 : available.length;
  const fromAddress =
    spec.clusterIP && spec.clusterIP !== 'None' ? [spec.clusterIP.includes(':') ? 'IPv6' : 'IPv4'] : [];
  const order = [...new Set([...asked, ...fromAddress, ...available])];
  spec.ipFamilies = asked.length >= wanted ? asked : order.slice(0, wanted);
}

function allocateAddresses(
  allocator: ServiceAllocator,
  spec: AnyObject['spec'],
  old: AnyObject | undefined,
  at: Fields,
): void {
  const asked: string[] = spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : []);
  const before: string[] = old?.spec?.clusterIPs ?? [];
  const given: string[] = [];
  (spec.ipFamilies as string[]).forEach((family, i) => {
    const address = asked[i];
    if (address && before.includes(address)) given.push(address);
    else if (address) {
      const wrong = isIpAddress(address);
      at.child('clusterIPs').index(i).invalidEach(address, wrong);
      if (wrong.length) return;
      const refusal = allocator.claim(address);
      if (refusal) at.child('clusterIPs').invalid(asked, refusal);
      else given.push(address);
    } else {
      const free = allocator.address(family);
      if (free) given.push(free);
      else throw errors.internal(`failed to allocate a serviceIP: range is full`);
    }
  });
  spec.clusterIPs = given;
  if (given.length) spec.clusterIP = given[0];
}

function allocatePorts(
  allocator: ServiceAllocator,
  spec: AnyObject['spec'],
  old: AnyObject | undefined,
  at: Fields,
): void {
  const before = ((old?.spec?.ports ?? []) as Port[]).map((port) => port.nodePort);
  ((spec.ports ?? []) as Port[]).forEach((port, i) => {
    if (port.nodePort && before.includes(port.nodePort)) return;
    if (!port.nodePort) {
      port.nodePort = allocator.port();
      return;
    }
    const refusal = allocator.claimPort(port.nodePort);
    if (refusal) at.child('ports').index(i).child('nodePort').invalid(port.nodePort, refusal);
  });
}

function validateService({ spec = {} }: AnyObject, fields: Fields): void {
  const at = fields.child('spec');
  const headless = spec.clusterIP === 'None';
  if (!TYPES.includes(spec.type)) at.child('type').notSupported(spec.type, TYPES);
  if (spec.type === 'ExternalName') {
    const name: string = String(spec.externalName ?? '').replace(/\.$/, '');
    if (name) at.child('externalName').invalidEach(name, isDns1123Subdomain(name));
    else at.child('externalName').required();
    if (headless) at.child('clusterIPs').forbidden('must be empty for ExternalName services');
  }
  if (takesNodePorts(spec.type) && headless) {
    at.child('clusterIPs').index(0).invalid('None', `may not be set to 'None' for ${spec.type} services`);
  }
  if (!spec.ports?.length && !headless && spec.type !== 'ExternalName') at.child('ports').required();
  validatePorts(spec.ports ?? [], spec.type, at.child('ports'));
  for (const key of Object.keys(spec.selector ?? {})) at.child('selector').invalidEach(key, isQualifiedName(key));
  ((spec.externalIPs ?? []) as string[]).forEach((ip, i) => {
    at.child('externalIPs').index(i).invalidEach(ip, isIpAddress(ip));
  });
  for (const name of ['internalTrafficPolicy', 'externalTrafficPolicy']) {
    const policy: string = spec[name] || 'Cluster';
    if (!['Cluster', 'Local'].includes(policy)) at.child(name).notSupported(policy, ['Cluster', 'Local']);
  }
  const families = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
  if (spec.ipFamilyPolicy && !families.includes(spec.ipFamilyPolicy)) {
    at.child('ipFamilyPolicy').notSupported(spec.ipFamilyPolicy, families);
  }
  if (!['ClientIP', 'None'].includes(spec.sessionAffinity)) {
    at.child('sessionAffinity').notSupported(spec.sessionAffinity, ['ClientIP', 'None']);
  }
}

function validatePorts(list: Port[], type: string, at: Fields): void {
  const names = new Set<string>();
  const numbers: Port[] = [];
  list.forEach((port, i) => {
    const here = at.index(i);
    if (list.length > 1 && !port.name) here.child('name').required();
    else if (port.name) {
      here.child('name').invalidEach(port.name, isDns1123Label(port.name));
      if (names.has(port.name)) here.child('name').duplicate(port.name);
      names.add(port.name);
    }
    here.child('port').invalidEach(port.port ?? 0, isPortNumber(port.port));
    if (!['SCTP', 'TCP', 'UDP'].includes(port.protocol ?? '')) {
      here.child('protocol').notSupported(port.protocol ?? '', ['SCTP', 'TCP', 'UDP']);
    }
    const target = port.targetPort;
    if (typeof target === 'number') here.child('targetPort').invalidEach(target, isPortNumber(target));
    else if (target !== undefined) here.child('targetPort').invalidEach(target, isPortName(target));
    if (port.nodePort && !takesNodePorts(type)) {
      here.child('nodePort').forbidden("may not be used when `type` is 'ClusterIP'");
    }
    if (numbers.some((other) => deepEqual([other.port, other.protocol], [port.port, port.protocol]))) {
      here.duplicate({ protocol: port.protocol, port: port.port });
    }
    numbers.push(port);
  });
}
