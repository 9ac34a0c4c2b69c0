import { matchLabelSelector } from '../registry/label-selector';
import { Kind } from '../registry/kind';
import { KindRegistry } from '../registry/registry';
import { Store } from '../store/store';
import { AnyObject } from '../types';
import { Attributes } from './admission';

export interface Rule {
  operations: string[];
  apiGroups: string[];
  apiVersions: string[];
  resources: string[];
  scope?: string;
}

export interface Webhook {
  name: string;
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

function matchesRule(rule: Rule, { operation, subresource, namespace }: Attributes, kind: Kind): boolean {
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
  const equivalents = kinds.all().filter((other) => other.storage === kind.storage && other !== kind);
  return equivalents.find((other) => rules.some((rule) => matchesRule(rule, attributes, other)));
}

/** Whether the webhook's selectors match the request's namespace and objects. */
export function matchesSelectors(webhook: Webhook, attributes: Attributes, store: Store): boolean {
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
