import { quantityOf, quantityValue } from '../../../../api/quantity';
import { isTerminal, podQosClass } from '../../kinds/pod-status';
import { isExtendedResource, isNativeResource } from '../../kinds/resource-names';
import { matchLabelSelector } from '../../registry/label-selector';
import { AnyObject } from '../../types';
import { addAmounts, Amounts, podAmounts } from '../pod-resources';

/** One requirement of a quota's scope. */
export interface Scope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Rules by which quotas count the objects of one resource. Pure. */
export interface Evaluator {
  /** Whether quotas may limit `name` through objects of this resource. */
  counts(name: string): boolean;
  usage(object: AnyObject, now: number): Amounts;
  inScope(scope: Scope, object: AnyObject): boolean;
  /** Amounts that the object must set but does not, in Kubernetes' words. */
  missing?(names: readonly string[], object: AnyObject): string | undefined;
}

type Spec = AnyObject['spec'];

const ONE = '1';
/** Amounts that every container must set if a quota limits them. */
const EXPLICIT = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];
const POD_AMOUNTS = [
  ...EXPLICIT,
  'ephemeral-storage',
  'requests.ephemeral-storage',
  'limits.ephemeral-storage',
  'pods',
];

/** Names under which quotas count requests and limits. */
function countedAmounts(requests: Amounts, limits: Amounts): Amounts {
  const counted: Record<string, string> = { pods: ONE };
  for (const name of ['cpu', 'memory', 'ephemeral-storage']) {
    if (requests[name] !== undefined) counted[name] = counted[`requests.${name}`] = requests[name];
    if (limits[name] !== undefined) counted[`limits.${name}`] = limits[name];
  }
  for (const [name, value] of Object.entries(requests)) {
    if (name.startsWith('hugepages-')) counted[name] = counted[`requests.${name}`] = value;
    else if (isExtendedResource(name)) counted[`requests.${name}`] = value;
  }
  return counted;
}

/** Whether the Pod uses compute resources: it has not ended, and its node did not miss the end of its grace period. */
function usesCompute({ status, metadata }: AnyObject, now: number): boolean {
  if (isTerminal(status?.phase ?? '')) return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return true;
  return now <= Date.parse(deletionTimestamp) + Number(deletionGracePeriodSeconds) * 1000;
}

const isTerminating = ({ spec }: AnyObject): boolean => spec?.activeDeadlineSeconds >= 0;

function crossesNamespaces({ affinity = {} }: Spec): boolean {
  return ['podAffinity', 'podAntiAffinity'].some((field) => {
    const { requiredDuringSchedulingIgnoredDuringExecution: required, ...other } = affinity[field] ?? {};
    const preferred: { podAffinityTerm?: Spec }[] = other.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const terms: Spec[] = [...(required ?? []), ...preferred.map(({ podAffinityTerm = {} }) => podAffinityTerm)];
    return terms.some(({ namespaces, namespaceSelector }) => namespaces?.length || namespaceSelector);
  });
}

/** Whether a scope with values matches the name that the object refers to. */
function matchesName({ scopeName, operator, values }: Scope, name: string | undefined): boolean {
  const matches = matchLabelSelector({ matchExpressions: [{ key: scopeName, operator, values: [...(values ?? [])] }] });
  return matches(name ? { [scopeName]: name } : {});
}

const pods: Evaluator = {
  counts: (name) =>
    name === 'count/pods' ||
    POD_AMOUNTS.includes(name) ||
    /^(requests\.)?hugepages-/.test(name) ||
    (name.startsWith('requests.') && !isNativeResource(name)),
  usage(pod, now) {
    if (!usesCompute(pod, now)) return { 'count/pods': ONE };
    return { 'count/pods': ONE, ...countedAmounts(podAmounts(pod, 'requests'), podAmounts(pod, 'limits')) };
  },
  inScope(scope, pod) {
    const { spec = {} } = pod;
    switch (scope.scopeName) {
      case 'Terminating':
        return isTerminating(pod);
      case 'NotTerminating':
        return !isTerminating(pod);
      case 'BestEffort':
        return podQosClass(spec) === 'BestEffort';
      case 'NotBestEffort':
        return podQosClass(spec) !== 'BestEffort';
      case 'PriorityClass':
        return matchesName(scope, spec.priorityClassName);
      case 'CrossNamespacePodAffinity':
        return crossesNamespaces(spec);
      default:
        return false;
    }
  },
  missing(names, { spec = {} }) {
    if (spec.resources?.requests || spec.resources?.limits) return undefined;
    const containers: { name: string; resources?: { requests?: Amounts; limits?: Amounts } }[] = [
      ...(spec.containers ?? []),
      ...(spec.initContainers ?? []),
    ];
    const required = names.filter((name) => EXPLICIT.includes(name)).sort();
    const lines = required.flatMap((name) => {
      const without = containers.filter(
        ({ resources: { requests = {}, limits = {} } = {} }) => countedAmounts(requests, limits)[name] === undefined,
      );
      const list = [...new Set(without.map((container) => container.name))].sort();
      return list.length ? [`${name} for: ${list.join(',')}`] : [];
    });
    return lines.length ? `must specify ${lines.join('; ')}` : undefined;
  },
};

const CLASS = '.storageclass.storage.k8s.io/';
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const CLAIM_AMOUNTS = ['persistentvolumeclaims', 'requests.storage'];

const claims: Evaluator = {
  counts: (name) =>
    name === 'count/persistentvolumeclaims' ||
    CLAIM_AMOUNTS.includes(name) ||
    CLAIM_AMOUNTS.some((amount) => name.endsWith(CLASS + amount)),
  usage({ metadata, spec = {} }) {
    const storage: string | undefined = spec.resources?.requests?.storage;
    const own: Amounts = {
      persistentvolumeclaims: ONE,
      // Whole bytes, rounded up.
      ...(storage === undefined ? {} : { 'requests.storage': wholeBytes(storage) }),
    };
    const className = metadata.annotations?.[CLASS_ANNOTATION] ?? (spec.storageClassName as string | undefined);
    const ofClass = Object.entries(own).map(([name, value]) => [className + CLASS + name, value]);
    return { 'count/persistentvolumeclaims': ONE, ...own, ...(className ? Object.fromEntries(ofClass) : {}) };
  },
  inScope: (scope, { spec = {} }) =>
    scope.scopeName === 'VolumeAttributesClass' && matchesName(scope, spec.volumeAttributesClassName),
};

const wholeBytes = (text: string): string => (/m$/.test(text) ? quantityOf(quantityValue(text), 'DecimalSI') : text);

const services: Evaluator = {
  counts: (name) => ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'].includes(name),
  usage({ spec = {} }) {
    const all: { nodePort?: number }[] = spec.ports ?? [];
    const balanced = spec.type === 'LoadBalancer';
    const allocated = balanced && spec.allocateLoadBalancerNodePorts === false ? all.filter((p) => p.nodePort) : all;
    const nodePorts = balanced || spec.type === 'NodePort' ? allocated.length : 0;
    return {
      'count/services': ONE,
      services: ONE,
      'services.loadbalancers': balanced ? ONE : '0',
      'services.nodeports': String(nodePorts),
    };
  },
  inScope: () => false,
};

/** Resources that quotas also know by their own name. */
const ALIASES = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];
const IGNORED = ['/events', 'events.k8s.io/events'];

/** Evaluator of a resource (`apps/deployments`); undefined if quotas ignore it. */
export function evaluatorOf(group: string, plural: string): Evaluator | undefined {
  const resource = `${group}/${plural}`;
  if (resource === '/pods') return pods;
  if (resource === '/persistentvolumeclaims') return claims;
  if (resource === '/services') return services;
  if (IGNORED.includes(resource)) return undefined;
  const names = [`count/${group ? `${plural}.${group}` : plural}`];
  if (!group && ALIASES.includes(plural)) names.push(plural);
  const usage = Object.fromEntries(names.map((name) => [name, ONE]));
  return { counts: (name) => names.includes(name), usage: () => usage, inScope: () => false };
}

/** Scopes of a quota, from both of its fields. */
export function scopesOf({ spec = {} }: AnyObject): Scope[] {
  const named: string[] = spec.scopes ?? [];
  return [
    ...named.map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...((spec.scopeSelector?.matchExpressions ?? []) as Scope[]),
  ];
}

/** Amounts of the names only. */
export const mask = (amounts: Amounts, names: readonly string[]): Amounts =>
  Object.fromEntries(Object.entries(amounts).filter(([name]) => names.includes(name)));

/** Usage of all objects of one resource that are in the scopes, by the names that the evaluator counts. */
export function totalUsage(
  evaluator: Evaluator,
  names: readonly string[],
  scopes: readonly Scope[],
  objects: Iterable<AnyObject>,
  now: number,
): Amounts {
  let total: Amounts = Object.fromEntries(names.map((name) => [name, '0']));
  for (const object of objects) {
    if (!scopes.every((scope) => evaluator.inScope(scope, object))) continue;
    total = addAmounts(total, mask(evaluator.usage(object, now), names));
  }
  return total;
}
