import { Authorizer } from '../authorization/authorizer';
import { nodeOf } from '../authorization/node';
import { referencesOf } from '../authorization/node-relations';
import { errors, StatusError } from '../errors';
import { clone, deepEqual } from '../json/values';
import { subjectOf } from '../registry/kind';
import { Store } from '../store/store';
import { AnyObject } from '../types';
import { Attributes, Plugin } from './admission';

const MIRROR = 'kubernetes.io/config.mirror';
const LEASES = 'kube-node-lease';

/** Labels under Kubernetes' own prefixes that a node may set on itself. */
const OWN_LABELS = [
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
];

const within = (prefix: string, domain: string) => prefix === domain || prefix.endsWith(`.${domain}`);
const prefixOf = (label: string) => (label.includes('/') ? label.slice(0, label.indexOf('/')) : '');

function mayNotSet(label: string): boolean {
  const prefix = prefixOf(label);
  if (within(prefix, 'node-restriction.kubernetes.io')) return true;
  if (!within(prefix, 'kubernetes.io') && !within(prefix, 'k8s.io')) return false;
  if (OWN_LABELS.includes(label)) return false;
  return !within(prefix, 'kubelet.kubernetes.io') && !within(prefix, 'node.kubernetes.io');
}

/** Changed labels that a node may not set on itself, sorted. */
export function forbiddenLabels(next: Record<string, string> = {}, old: Record<string, string> = {}): string[] {
  const changed = new Set([...Object.keys(next), ...Object.keys(old)].filter((key) => next[key] !== old[key]));
  return [...changed].filter(mayNotSet).sort();
}

const quote = (text: string) => JSON.stringify(text);

/** Limits the writes of a node to its own Node, Lease and Pods, where the node authorizer does not know the content. */
export class NodeRestrictionPlugin implements Plugin {
  public readonly name = 'NodeRestriction';

  public constructor(
    private readonly store: Store,
    private readonly authorizer: Authorizer,
  ) {}

  public mutate(attributes: Attributes): void {
    const node = nodeOf(attributes.user);
    if (node === undefined) return;
    const why = node
      ? this.refusal(node, attributes)
      : `could not determine node from user ${quote(attributes.user.username)}`;
    if (why !== undefined) throw errors.forbidden(subjectOf(attributes.kind), attributes.name, why);
  }

  private refusal(node: string, attributes: Attributes): string | undefined {
    switch (`${attributes.kind.group}/${attributes.kind.plural}`) {
      case '/pods':
        return this.pod(node, attributes);
      case '/nodes':
        return ownNode(node, attributes);
      case '/persistentvolumeclaims':
        return attributes.subresource === 'status' ? claimStatus(node, attributes) : 'may only update PVC status';
      case '/serviceaccounts':
        return this.token(node, attributes);
      case 'coordination.k8s.io/leases':
        if (attributes.namespace !== LEASES) return `can only access leases in the ${quote(LEASES)} system namespace`;
        return attributes.name === node
          ? undefined
          : 'can only access node lease with the same name as the requesting node';
      case 'storage.k8s.io/csinodes':
        return attributes.name === node
          ? undefined
          : 'can only access CSINode with the same name as the requesting node';
      default:
        return undefined;
    }
  }

  private pod(node: string, attributes: Attributes): string | undefined {
    const { operation, subresource } = attributes;
    const ofNode = (pod: AnyObject | undefined) => pod?.spec?.nodeName === node;
    switch (subresource) {
      case '':
        if (operation === 'CREATE') return this.mirrorPod(node, attributes.object!);
        if (operation !== 'DELETE') {
          return `unexpected operation ${quote(operation)}, node ${quote(node)} can only create and delete mirror pods`;
        }
        return ofNode(this.existing(attributes))
          ? undefined
          : `node ${quote(node)} can only delete pods with spec.nodeName set to itself`;
      case 'status':
        return podStatus(node, attributes);
      case 'eviction':
        if (operation !== 'CREATE') return `unexpected operation ${operation}`;
        return ofNode(this.existing(attributes))
          ? undefined
          : `node ${node} can only evict pods with spec.nodeName set to itself`;
      default:
        return `unexpected pod subresource ${quote(subresource)}, only 'status' and 'eviction' are allowed`;
    }
  }

  /** @throws StatusError 404 */
  private existing({ kind, namespace, name }: Attributes): AnyObject {
    const found = this.store.get({ resource: kind.storage, namespace, name });
    if (!found) throw errors.notFound(subjectOf(kind), name);
    return found;
  }

  private mirrorPod(node: string, pod: AnyObject): string | undefined {
    const { annotations, ownerReferences = [] } = pod.metadata;
    const only = `node ${quote(node)} can only create`;
    if (annotations?.[MIRROR] === undefined) {
      return `pod does not have ${quote(MIRROR)} annotation, ${only} mirror pods`;
    }
    if (pod.spec?.nodeName !== node) return `${only} pods with spec.nodeName set to itself`;
    if (ownerReferences.length > 1) return `${only} pods with a single owner reference set to itself`;
    const [owner] = ownerReferences;
    if (!owner || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
      return `${only} pods with an owner reference set to itself`;
    }
    if (!owner.controller) return `${only} pods with a controller owner reference set to itself`;
    if (owner.blockOwnerDeletion) return `node ${quote(node)} must not set blockOwnerDeletion on an owner reference`;
    const stored = this.store.get({ resource: '/nodes', namespace: '', name: node });
    if (!stored) throw notFound('node', node);
    if (owner.uid !== stored.metadata.uid) {
      return `node ${node} UID mismatch: expected ${owner.uid} got ${stored.metadata.uid}`;
    }
    const [reference] = referencesOf({ ...pod, metadata: { ...pod.metadata, annotations: {} } });
    return reference && `node ${quote(node)} can not create pods that reference ${reference.split('/')[0]}`;
  }

  /** Tokens for Pods of the node, with audiences that the Pod asks for. */
  private token(node: string, attributes: Attributes): string | undefined {
    const { operation, subresource, object, namespace } = attributes;
    if (operation !== 'CREATE' || subresource !== 'token') return undefined;
    const { boundObjectRef: ref, audiences = [] } = (object?.spec ?? {}) as {
      boundObjectRef?: { kind?: string; apiVersion?: string; name?: string; uid?: string };
      audiences?: string[];
    };
    if (ref?.apiVersion !== 'v1' || ref.kind !== 'Pod' || !ref.name) return 'node requested token not bound to a pod';
    if (!ref.uid) return 'node requested token with a pod binding without a uid';
    const pod = this.store.get({ resource: '/pods', namespace, name: ref.name });
    if (!pod) throw notFound('pod', ref.name);
    if (pod.metadata.uid !== ref.uid) {
      return `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    }
    if (pod.spec?.nodeName !== node) return 'node requested token bound to a pod scheduled on a different node';
    if (audiences.length > 1) return 'node may only request 0 or 1 audiences';
    return this.audience(attributes, pod, audiences[0] ?? '');
  }

  private audience({ user, namespace, name }: Attributes, pod: AnyObject, audience: string): string | undefined {
    const sources = ((pod.spec?.volumes ?? []) as { projected?: { sources?: AnyObject[] } }[]).flatMap(
      ({ projected }) => projected?.sources ?? [],
    );
    if (sources.some(({ serviceAccountToken: token }) => token && (token.audience ?? '') === audience))
      return undefined;
    const access = {
      isResource: true,
      path: '',
      verb: 'request-serviceaccounts-token-audience',
      group: '',
      version: 'v1',
      namespace,
      resource: audience,
      subresource: '',
      name,
    };
    if (this.authorizer.authorize(user, access).allowed) return undefined;
    return `audience ${quote(audience)} not found in pod spec volume, ${user.username} is not authorized to request tokens for this audience`;
  }
}

/** Error of a lookup, which names the kind in the singular. */
const notFound = (resource: string, name: string): StatusError => errors.notFound({ group: '', resource }, name);

function podStatus(node: string, { operation, object, oldObject }: Attributes): string | undefined {
  if (operation !== 'UPDATE') return `unexpected operation ${quote(operation)}`;
  if (oldObject?.spec?.nodeName !== node) {
    return `node ${quote(node)} can only update pod status for pods with spec.nodeName set to itself`;
  }
  if (!deepEqual(oldObject.metadata.labels ?? {}, object?.metadata.labels ?? {})) {
    return `node ${quote(node)} cannot update labels through pod status`;
  }
  const claims = (pod: AnyObject | undefined) => pod?.status?.resourceClaimStatuses ?? [];
  return deepEqual(claims(oldObject), claims(object))
    ? undefined
    : `node ${quote(node)} cannot update resource claim statues`;
}

function ownNode(node: string, { operation, name, object, oldObject }: Attributes): string | undefined {
  if (name !== node) return `node ${quote(node)} is not allowed to modify node ${quote(name)}`;
  if (operation === 'CREATE') {
    if (object?.spec?.configSource) {
      return `node ${quote(node)} is not allowed to create pods with a non-nil configSource`;
    }
    const labels = forbiddenLabels(object?.metadata.labels);
    return labels.length
      ? `node ${quote(node)} is not allowed to set the following labels: ${labels.join(', ')}`
      : undefined;
  }
  if (operation !== 'UPDATE') return undefined;
  const { configSource } = object?.spec ?? {};
  if (configSource && !deepEqual(configSource, oldObject?.spec?.configSource)) {
    return `node ${quote(node)} is not allowed to update configSource to a new non-nil configSource`;
  }
  if (!deepEqual(object?.spec?.taints ?? [], oldObject?.spec?.taints ?? [])) {
    return `node ${quote(node)} is not allowed to modify taints`;
  }
  if (!deepEqual(object?.metadata.ownerReferences ?? [], oldObject?.metadata.ownerReferences ?? [])) {
    return `node ${quote(node)} is not allowed to modify ownerReferences`;
  }
  const labels = forbiddenLabels(object?.metadata.labels, oldObject?.metadata.labels);
  return labels.length ? `is not allowed to modify labels: ${labels.join(', ')}` : undefined;
}

const CLAIM_STATUS = ['capacity', 'conditions', 'allocatedResourceStatuses', 'allocatedResources'];

function claimStatus(node: string, { operation, object, oldObject }: Attributes): string | undefined {
  if (operation !== 'UPDATE') return `unexpected operation ${quote(operation)}`;
  const rest = (claim: AnyObject) => {
    const copy = clone(claim);
    delete copy.metadata.resourceVersion;
    delete copy.metadata.managedFields;
    for (const field of CLAIM_STATUS) delete copy.status?.[field];
    return copy;
  };
  return deepEqual(rest(object!), rest(oldObject!))
    ? undefined
    : `node ${quote(node)} is not allowed to update fields other than status.quantity and status.conditions`;
}
