import { compareQuantities, parseQuantity } from '../../../api/quantity';
import { LimitRangeItem } from '../kinds/limit-range';
import { Store } from '../store/store';
import { AnyObject } from '../types';
import { Attributes, forbid, isResource, Plugin } from './admission';
import { Amounts, podAmounts } from './pod-resources';

interface Container {
  readonly name: string;
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
}

const ANNOTATION = 'kubernetes.io/limit-ranger';

/** Adds the missing amounts in place. Returns the names of those that were added. */
function complete(amounts: Record<string, string>, defaults: Amounts): string[] {
  const missing = Object.keys(defaults).filter((name) => amounts[name] === undefined);
  for (const name of missing) amounts[name] = defaults[name];
  return missing.sort();
}

/** Adds the range's default requests and limits to a Pod's containers, in place, and records them in an annotation. */
export function applyDefaults(pod: AnyObject, items: readonly LimitRangeItem[]): void {
  const ofContainers = items.filter(({ type }) => type === 'Container');
  const requests = Object.assign({}, ...ofContainers.map((item) => item.defaultRequest)) as Amounts;
  const limits = Object.assign({}, ...ofContainers.map((item) => item.default)) as Amounts;
  const changes: string[] = [];
  for (const [list, what] of [
    ['containers', 'container'],
    ['initContainers', 'init container'],
  ]) {
    for (const container of (pod.spec?.[list] ?? []) as Container[]) {
      const given = container.resources ?? {};
      const next = { requests: { ...given.requests }, limits: { ...given.limits } };
      const setLimits = complete(next.limits, limits);
      const setRequests = complete(next.requests, requests);
      if (setRequests.length) changes.push(`${setRequests.join(', ')} request for ${what} ${container.name}`);
      if (setLimits.length) changes.push(`${setLimits.join(', ')} limit for ${what} ${container.name}`);
      const filled = Object.entries(next).filter(([, amounts]) => Object.keys(amounts).length);
      container.resources = { ...given, ...Object.fromEntries(filled) };
    }
  }
  if (!changes.length) return;
  const annotations = { ...pod.metadata.annotations, [ANNOTATION]: `LimitRanger plugin set: ${changes.join('; ')}` };
  pod.metadata.annotations = annotations;
}

interface Used {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

function belowMin(type: string, name: string, min: string, { requests, limits }: Used): string | undefined {
  const text = `minimum ${name} usage per ${type} is ${min}`;
  const [request, limit] = [requests[name], limits[name]];
  if (request === undefined) return `${text}.  No request is specified`;
  if (compareQuantities(request, min) < 0) return `${text}, but request is ${request}`;
  if (limit !== undefined && compareQuantities(limit, min) < 0) return `${text}, but limit is ${limit}`;
  return undefined;
}

function aboveMax(type: string, name: string, max: string, { requests, limits }: Used): string | undefined {
  const text = `maximum ${name} usage per ${type} is ${max}`;
  const [request, limit] = [requests[name], limits[name]];
  if (type === 'PersistentVolumeClaim') {
    if (request === undefined) return `${text}.  No request is specified`;
    return compareQuantities(request, max) > 0 ? `${text}, but request is ${request}` : undefined;
  }
  if (limit === undefined) return `${text}.  No limit is specified`;
  if (compareQuantities(limit, max) > 0) return `${text}, but limit is ${limit}`;
  if (request !== undefined && compareQuantities(request, max) > 0) return `${text}, but request is ${request}`;
  return undefined;
}

function aboveRatio(type: string, name: string, allowed: string, { requests, limits }: Used): string | undefined {
  const text = `${name} max limit to request ratio per ${type} is ${allowed}`;
  const [request, limit] = [requests[name], limits[name]].map((value) => Number(parseQuantity(value ?? '0').nanos));
  if (!request) return `${text}, but no request is specified or request is 0`;
  if (!limit) return `${text}, but no limit is specified or limit is 0`;
  const ratio = limit / request;
  if (ratio * 1e9 <= Number(parseQuantity(allowed).nanos)) return undefined;
  return `${text}, but provided ratio is ${ratio.toFixed(6)}`;
}

function violationsOf(item: LimitRangeItem, used: Used): string[] {
  return [
    ...Object.entries(item.min ?? {}).map(([name, min]) => belowMin(item.type, name, min, used)),
    ...Object.entries(item.max ?? {}).map(([name, max]) => aboveMax(item.type, name, max, used)),
    ...Object.entries(item.maxLimitRequestRatio ?? {}).map(([name, max]) => aboveRatio(item.type, name, max, used)),
  ].filter((text) => text !== undefined);
}

/** Violations of the limits by a Pod, in Kubernetes' words. */
export function podViolations(pod: AnyObject, items: readonly LimitRangeItem[]): string[] {
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])] as Container[];
  return items.flatMap((item) => {
    if (item.type === 'Pod') {
      return violationsOf(item, { requests: podAmounts(pod, 'requests'), limits: podAmounts(pod, 'limits') });
    }
    if (item.type !== 'Container') return [];
    return containers.flatMap(({ resources: { requests = {}, limits = {} } = {} }) =>
      violationsOf(item, { requests, limits }),
    );
  });
}

/** Violations of the limits by a claim. */
export function claimViolations(claim: AnyObject, items: readonly LimitRangeItem[]): string[] {
  const requests: Amounts = claim.spec?.resources?.requests ?? {};
  return items
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((item) => violationsOf({ ...item, maxLimitRequestRatio: undefined }, { requests, limits: {} }));
}

/** Several errors in one text, as Go prints an aggregate. */
const aggregate = (texts: readonly string[]): string => {
  const unique = [...new Set(texts)];
  return unique.length > 1 ? `[${unique.join(', ')}]` : unique[0];
};

/** Applies and enforces the LimitRanges of a namespace. */
export class LimitRanger implements Plugin {
  public readonly name = 'LimitRanger';

  public constructor(private readonly store: Store) {}

  public mutate(attributes: Attributes): void {
    if (!this.concerns(attributes) || !isResource(attributes, '', 'pods')) return;
    for (const items of this.ranges(attributes.namespace)) applyDefaults(attributes.object!, items);
  }

  public validate(attributes: Attributes): void {
    if (!this.concerns(attributes)) return;
    const find = isResource(attributes, '', 'pods') ? podViolations : claimViolations;
    for (const items of this.ranges(attributes.namespace)) {
      const violations = find(attributes.object!, items);
      if (violations.length) throw forbid(attributes, aggregate(violations));
    }
  }

  private concerns(attributes: Attributes): boolean {
    const { operation, object, oldObject, subresource } = attributes;
    if (!object || oldObject?.metadata.deletionTimestamp) return false;
    if (isResource(attributes, '', 'pods')) {
      return subresource ? subresource === 'resize' && operation === 'UPDATE' : operation === 'CREATE';
    }
    return isResource(attributes, '', 'persistentvolumeclaims') && !subresource;
  }

  private ranges(namespace: string): LimitRangeItem[][] {
    const ranges = [...this.store.list({ resource: '/limitranges', namespace })];
    return ranges.map(({ spec }) => (spec?.limits ?? []) as LimitRangeItem[]);
  }
}
