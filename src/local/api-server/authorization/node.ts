import { PolicyRule, Access, Authorizer, Decision, UserRules } from './authorizer';
import { UserInfo } from '../types';
import { NodeRelations, Related } from './node-relations';
import { ruleAllows } from './rules';

const PREFIX = 'system:node:';
export const NODES = 'system:nodes';
const LEASES = 'kube-node-lease';

/** Name of the node that the user is; undefined for other users. */
export function nodeOf({ username, groups }: UserInfo): string | undefined {
  return username.startsWith(PREFIX) && groups.includes(NODES) ? username.slice(PREFIX.length) : undefined;
}

const ALLOWED: Decision = { allowed: true };
const denied = (reason?: string): Decision => ({ allowed: false, ...(reason ? { reason } : {}) });
const allowIf = (allowed: boolean, reason: string): Decision => (allowed ? ALLOWED : denied(reason));

type Rule = (node: string, access: Access) => Decision;

/** Limits nodes to what belongs to them: their Pods and what these refer to, their Node and their Lease. */
export class NodeAuthorizer implements Authorizer {
  private readonly byResource: Record<string, Rule>;

  /** @param rules What every node may do with resources that are not divided among nodes. */
  public constructor(
    private readonly relations: NodeRelations,
    private readonly rules: readonly PolicyRule[],
  ) {
    this.byResource = {
      '/secrets': this.read('secrets'),
      '/configmaps': this.read('configmaps'),
      '/persistentvolumeclaims': this.claim,
      '/persistentvolumes': this.volume,
      '/serviceaccounts': this.account,
      '/nodes': ownNode,
      '/pods': this.pod,
      'coordination.k8s.io/leases': ownLease,
      'storage.k8s.io/csinodes': ownCsiNode,
    };
  }

  public authorize(user: UserInfo, access: Access): Decision {
    const node = nodeOf(user);
    if (node === undefined) return denied();
    if (!node) return denied(`unknown node for user ${JSON.stringify(user.username)}`);
    const key = `${access.group}/${access.resource}`;
    if (access.isResource && Object.hasOwn(this.byResource, key)) return this.byResource[key](node, access);
    return this.rules.some((rule) => ruleAllows(rule, access)) ? ALLOWED : denied();
  }

  public rulesFor(user: UserInfo): UserRules {
    const isNode = nodeOf(user) !== undefined;
    const errors = isNode ? ['node authorizer does not support user rule resolution'] : [];
    return { rules: [], incomplete: isNode, errors };
  }

  private related(node: string, resource: Related, { name, namespace }: Access): Decision {
    if (!name) return denied('No Object name found');
    return allowIf(this.relations.needs(node, resource, namespace, name), noRelation(node));
  }

  private read(resource: Related): Rule {
    return (node, access) => {
      if (!READ.includes(access.verb)) return denied('can only read resources of this type');
      if (access.subresource) return denied('cannot read subresource');
      if (!access.namespace) return denied('can only read namespaced object of this type');
      return this.related(node, resource, access);
    };
  }

  private readonly claim: Rule = (node, access) => {
    if (access.subresource === 'status') {
      if (!['update', 'patch'].includes(access.verb)) return denied('can only get/update/patch this type');
    } else {
      const refused = onlyGet(access);
      if (refused) return refused;
    }
    return this.related(node, 'persistentvolumeclaims', access);
  };

  private readonly volume: Rule = (node, access) => {
    const refused = onlyGet(access);
    if (refused) return refused;
    if (!access.name) return denied('No Object name found');
    return allowIf(this.relations.needsVolume(node, access.name), noRelation(node));
  };

  private readonly account: Rule = (node, access) => {
    const { verb, name, subresource } = access;
    if (verb === 'get' && !subresource) return this.read('serviceaccounts')(node, access);
    if (verb !== 'create' || !name) return denied('can only create tokens for individual service accounts');
    if (subresource !== 'token') return denied('can only create token subresource of serviceaccount');
    return this.related(node, 'serviceaccounts', access);
  };

  private readonly pod: Rule = (node, { verb, subresource, namespace, name, fields }) => {
    if (subresource === 'status') return ['update', 'patch'].includes(verb) ? ALLOWED : denied();
    if (subresource === 'eviction') return verb === 'create' ? ALLOWED : denied();
    if (subresource) return denied();
    // NodeRestriction admits only mirror Pods.
    if (verb === 'create' || verb === 'delete') return ALLOWED;
    if (!READ.includes(verb)) return denied();
    const isScoped = fields?.some((term) => term.field === 'spec.nodeName' && term.equal && term.value === node);
    if (isScoped && verb !== 'get') return ALLOWED;
    if (!name) {
      return denied(
        verb === 'get' ? 'No Object name found' : 'can only list/watch pods with spec.nodeName field selector',
      );
    }
    return allowIf(this.relations.runs(node, namespace, name), noRelation(node));
  };
}

const READ = ['get', 'list', 'watch'];
const OWN = ['get', 'create', 'update', 'patch', 'delete'];

const noRelation = (node: string) => `no relationship found between node '${node}' and this object`;

function onlyGet({ verb, subresource }: Access): Decision | undefined {
  if (verb !== 'get') return denied('can only get individual resources of this type');
  return subresource ? denied('cannot get subresource') : undefined;
}

const ownNode: Rule = (node, { verb, subresource, name }) => {
  if (subresource === 'status') return ['update', 'patch'].includes(verb) ? ALLOWED : denied();
  if (subresource) return denied();
  // NodeRestriction compares the name, which is not known here when a Node is created.
  if (['create', 'update', 'patch'].includes(verb)) return ALLOWED;
  if (!READ.includes(verb)) return denied();
  if (!name) return denied(`node '${node}' cannot read all nodes, only its own Node object`);
  return allowIf(name === node, `node '${node}' cannot read '${name}', only its own Node object`);
};

const ownLease: Rule = (node, { verb, namespace, name }) => {
  if (!OWN.includes(verb)) return denied('can only get, create, update, patch, or delete a node lease');
  if (namespace !== LEASES) {
    return denied(`can only access leases in the ${JSON.stringify(LEASES)} system namespace`);
  }
  return allowIf(
    verb === 'create' || name === node,
    'can only access node lease with the same name as the requesting node',
  );
};

const ownCsiNode: Rule = (node, { verb, subresource, name }) => {
  if (!OWN.includes(verb)) return denied('can only get, create, update, patch, or delete a CSINode');
  if (subresource) return denied('cannot authorize CSINode subresources');
  return allowIf(
    verb === 'create' || name === node,
    'can only access CSINode with the same name as the requesting node',
  );
};
