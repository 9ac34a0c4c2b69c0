import { ApiObject } from 'cdk8s';
import { kinds } from '../../api/kinds/registry';
import { Construct } from 'constructs';
import { clusterObjectOf, PLATFORM_LABELS } from './objects';

/** Labels and annotations of the platform: `kubevirt.io/…`, `machine-type.node.kubevirt.io/…`, `virt8s.io/…`. */
const OURS = '^([a-z0-9-]+\\\\.)*(kubevirt|virt8s)\\\\.io/.*$';
const NODE_NAME = 'authentication.kubernetes.io/node-name';

interface Validation {
  readonly expression: string;
  readonly message: string;
}

/**
 * Restrictions that roles cannot express: the virt-handler of a node may change only that node and its guests, so that
 * a compromised virt-handler has no power over other nodes (CVE-2025-64436). The API server derives a Pod's node from
 * its token (Kubernetes 1.30 and later).
 */
export class PlatformRestrictions extends Construct {
  /** @internal */
  public static _make(scope: Construct, id: string, namespace: string, serviceAccount: string): PlatformRestrictions {
    return new PlatformRestrictions(scope, id, namespace, serviceAccount);
  }

  /** ValidatingAdmissionPolicy for nodes. */
  public readonly nodes: ApiObject;
  /** ValidatingAdmissionPolicy for VMIs. */
  public readonly instances: ApiObject;

  private constructor(scope: Construct, id: string, namespace: string, serviceAccount: string) {
    super(scope, id);
    const user = `system:serviceaccount:${namespace}:${serviceAccount}`;
    this.nodes = this.policy('kubevirt-node-restriction', user, { group: '', versions: ['v1'], resource: 'nodes' }, [
      {
        expression: 'object.metadata.name == variables.node',
        message: 'virt-handler may only change its own node',
      },
      { expression: 'object.spec == oldObject.spec', message: 'virt-handler may not change the spec of a node' },
      ...(['labels', 'annotations'] as const).map((field) => ({
        expression: unchangedButOurs(field),
        message: `virt-handler may only change ${field} of kubevirt.io and virt8s.io`,
      })),
      ...(['finalizers', 'ownerReferences'] as const).map((field) => ({
        expression: `object.metadata.?${field}.orValue([]) == oldObject.metadata.?${field}.orValue([])`,
        message: `virt-handler may not change ${field} of a node`,
      })),
    ]);
    const { group, versions, plural } = kinds.VirtualMachineInstance;
    const vmis = { group, versions: [...versions].reverse(), resource: plural };
    this.instances = this.policy('kubevirt-instance-restriction', user, vmis, [
      {
        expression: "object.?status.?nodeName.orValue('') == variables.node",
        message: 'virt-handler may only change instances of its own node',
      },
      {
        expression: "oldObject.?status.?nodeName.orValue('') in ['', variables.node]",
        message: 'virt-handler may not take an instance of another node',
      },
      { expression: 'object.spec == oldObject.spec', message: 'virt-handler may not change the spec of an instance' },
    ]);
  }

  private policy(
    name: string,
    user: string,
    of: { group: string; versions: string[]; resource: string },
    validations: readonly Validation[],
  ): ApiObject {
    const apiVersion = 'admissionregistration.k8s.io/v1';
    const metadata = { name, labels: { ...PLATFORM_LABELS } };
    const made = clusterObjectOf(this, name, {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        failurePolicy: 'Fail',
        matchConditions: [{ name: 'virt-handler', expression: `request.userInfo.username == '${user}'` }],
        matchConstraints: {
          resourceRules: [
            { apiGroups: [of.group], apiVersions: of.versions, operations: ['UPDATE'], resources: [of.resource] },
          ],
        },
        variables: [
          // a token without a node may change no node
          { name: 'node', expression: `request.userInfo.?extra[?'${NODE_NAME}'][?0].orValue('-')` },
        ],
        validations: validations.map((validation) => ({ ...validation, reason: 'Forbidden' })),
      },
    });
    clusterObjectOf(this, `${name}-binding`, {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: name, validationActions: ['Deny'] },
    });
    return made;
  }
}

/**
 * Returns a CEL expression: labels or annotations outside the platform's domains must not be added, removed or changed.
 */
function unchangedButOurs(field: 'labels' | 'annotations'): string {
  const now = `object.metadata.?${field}.orValue({})`;
  const was = `oldObject.metadata.?${field}.orValue({})`;
  return (
    `${now}.all(k, k.matches('${OURS}') || (k in ${was} && ${was}[k] == ${now}[k])) && ` +
    `${was}.all(k, k.matches('${OURS}') || k in ${now})`
  );
}
