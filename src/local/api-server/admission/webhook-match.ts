import { errorText } from '../../../api/error-text';
import { matchLabelSelector } from '../registry/label-selector';
import { Kind } from '../registry/kind';
import { KindRegistry } from '../registry/registry';
import { Store } from '../store/store';
import { AnyObject } from '../types';
import { evaluateCel } from '../schema';
import { CelAuthorizer } from '../schema/cel/authorizer';
import { toCel } from '../schema/cel/values';
import { Attributes, forbid } from './admission';

export interface Rule {
  operations: string[];
  apiGroups: string[];
  apiVersions: string[];
  resources: string[];
  scope?: string;
}

export interface Webhook {
  name: string;
  /** Name of the configuration that contains the webhook. */
  configuration?: string;
  clientConfig: {
    url?: string;
    service?: { namespace: string; name: string; path?: string; port?: number };
    caBundle?: string;
  };
  rules?: Rule[];
  failurePolicy?: 'Fail' | 'Ignore';
  matchPolicy?: 'Exact' | 'Equivalent';
  namespaceSelector?: Parameters<typeof matchLabelSelector>[0];
  objectSelector?: Parameters<typeof matchLabelSelector>[0];
  sideEffects: string;
  timeoutSeconds?: number;
  admissionReviewVersions: string[];
  reinvocationPolicy?: 'Never' | 'IfNeeded';
  matchConditions?: { name: string; expression: string }[];
}

const has = (list: readonly string[], value: string) => list.includes('*') || list.includes(value);

export function matchesRule(rule: Rule, { operation, subresource, namespace }: Attributes, kind: Kind): boolean {
  if (!has(rule.operations, operation)) return false;
  if (!has(rule.apiGroups, kind.group) || !has(rule.apiVersions, kind.version)) return false;
  if (rule.scope === 'Cluster' && namespace) return false;
  if (rule.scope === 'Namespaced' && !namespace) return false;
  return rule.resources.some((text) => {
    const [resource, sub = ''] = text.split('/');
    return (resource === '*' || resource === kind.plural) && (sub === '*' || sub === subresource);
  });
}

/**
 * Kind of the request for a webhook: the request's own kind, or (matchPolicy Equivalent) another
 * version of it. Undefined if the webhook does not match the request.
 */
export function matchingKind(webhook: Webhook, attributes: Attributes, kinds: KindRegistry): Kind | undefined {
  const rules = webhook.rules ?? [];
  const { kind } = attributes;
  if (rules.some((rule) => matchesRule(rule, attributes, kind))) return kind;
  if (webhook.matchPolicy === 'Exact') return undefined;
  return kinds
    .versionsOf(kind.storage)
    .find((other) => other !== kind && rules.some((rule) => matchesRule(rule, attributes, other)));
}

/** Whether the webhook's selectors match the request's namespace and objects. */
export function matchesSelectors(
  webhook: Pick<Webhook, 'namespaceSelector' | 'objectSelector'>,
  attributes: Attributes,
  store: Store,
): boolean {
  const { namespaceSelector, objectSelector } = webhook;
  if (namespaceSelector && Object.keys(namespaceSelector).length) {
    const isNamespace = attributes.kind.plural === 'namespaces' && !attributes.kind.group;
    const labels = isNamespace
      ? (attributes.object ?? attributes.oldObject)?.metadata.labels
      : store.get({ resource: '/namespaces', namespace: '', name: attributes.namespace })?.metadata.labels;
    // A namespaceSelector does not exclude cluster-scoped objects.
    if ((isNamespace || attributes.namespace) && !matchLabelSelector(namespaceSelector)(labels)) return false;
  }
  if (objectSelector && Object.keys(objectSelector).length) {
    const matches = matchLabelSelector(objectSelector);
    const objects = [attributes.object, attributes.oldObject].filter((item): item is AnyObject => item !== undefined);
    if (!objects.some((object) => matches(object.metadata.labels))) return false;
  }
  return true;
}

/** Variables of match conditions. */
const variablesOf = (attributes: Attributes): Record<string, unknown> => {
  const { object = null, oldObject = null, operation, user, name, namespace, kind, subresource, options } = attributes;
  const { group, version, kind: kindName } = attributes.objectKind ?? kind;
  const requestKind = { group, version, kind: kindName };
  const resource = { group: kind.group, version: kind.version, resource: kind.plural };
  const variables = {
    object,
    oldObject,
    request: {
      operation,
      name,
      namespace,
      subResource: subresource,
      kind: requestKind,
      resource,
      requestKind,
      requestResource: resource,
      requestSubResource: subresource,
      userInfo: user,
      dryRun: attributes.dryRun,
      options,
    },
  };
  return toCel(variables, undefined) as Record<string, unknown>;
};

/**
 * Whether all conditions of the webhook are met. One that is not met excludes the webhook, even if another one fails.
 * @throws StatusError if a condition fails and the webhook does not ignore failures
 */
export function meetsConditions(
  { matchConditions = [], failurePolicy }: Webhook,
  attributes: Attributes,
  authorizer: CelAuthorizer,
): boolean {
  if (!matchConditions.length) return true;
  const variables = variablesOf(attributes);
  const failures: string[] = [];
  for (const { expression } of matchConditions) {
    try {
      if (evaluateCel(expression, variables, { authorizer }) !== true) return false;
    } catch (error) {
      const [line = ''] = errorText(error).split('\n');
      const why = line.charAt(0).toLowerCase() + line.slice(1);
      failures.push(`expression '${expression}' resulted in error: ${why}`);
    }
  }
  if (!failures.length) return true;
  if (failurePolicy === 'Ignore') return false;
  throw forbid(attributes, failures.length > 1 ? `[${failures.join(', ')}]` : failures[0]);
}
