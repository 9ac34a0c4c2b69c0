import { Kind } from '../registry/kind';
import { age, labels } from '../table/format';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { labelName } from '../validation/names';
import { define, fieldLabelNotSupported } from './define';
import { validateIngressPoints } from './ingress';
import { allocate, dropOutdated } from './service-allocation';
import { ServiceAllocator } from './service-allocator';
import {
  isExternallyAccessible,
  ServicePort,
  serviceWarnings,
  takesNodePorts,
  validateService,
  validateServiceUpdate,
} from './service-validation';

function defaults(object: AnyObject): void {
  const spec = (object.spec ??= {});
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  else if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10_800 } };
  }
  spec.type ||= 'ClusterIP';
  for (const port of (spec.ports ?? []) as ServicePort[]) {
    port.protocol ||= 'TCP';
    if (!port.targetPort) port.targetPort = port.port;
  }
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (takesNodePorts(spec.type) || spec.type === 'ClusterIP') spec.internalTrafficPolicy ??= 'Cluster';
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

function ports(list: ServicePort[] | undefined): string {
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
    createOnUpdate: true,
    returnsDeleted: true,
    nameRule: labelName,
    selectableFields: ['spec.clusterIP', 'spec.type'],
    unsupportedField: fieldLabelNotSupported,
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
    prepareForCreate(object, context) {
      object.status = { loadBalancer: {} };
      allocate(allocator, object, undefined, context.dryRun);
      serviceWarnings(object).forEach((warning) => context.warn(warning));
    },
    prepareForUpdate(object, old, context) {
      allocate(allocator, object, old, context.dryRun);
      dropOutdated(object, old);
      serviceWarnings(object).forEach((warning) => context.warn(warning));
    },
    validate: validateService,
    validateStatus: validateServiceStatus,
    validateUpdate: validateServiceUpdate,
  });
}

function validateServiceStatus({ spec = {}, status = {} }: AnyObject, _old: AnyObject, fields: Fields): void {
  const ingress: { ip?: string; hostname?: string }[] = status.loadBalancer?.ingress ?? [];
  const at = fields.child('status', 'loadBalancer', 'ingress');
  if (ingress.length && spec.type !== 'LoadBalancer') {
    at.forbidden("may only be used when `spec.type` is 'LoadBalancer'");
    return;
  }
  validateIngressPoints(ingress, at);
}
