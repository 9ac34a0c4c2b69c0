import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Resource } from '../resource';
import { objectOf } from './objects';
import { labelsOf, renderPod, selectorOf, type ComponentParts } from './pods';
import { ComponentIdentity } from './roles';

/** Program of the platform: the Deployment or DaemonSet of its Pods, and its permissions. */
export class PlatformComponent extends Resource {
  /** @internal */
  public static _make(scope: Construct, id: string, parts: ComponentParts): PlatformComponent {
    return new PlatformComponent(scope, id, parts);
  }

  public readonly apiObject: ApiObject;
  /** ServiceAccount, roles and bindings. */
  public readonly identity: ComponentIdentity;
  /** Disruption budget of the Pods; undefined for a single Pod, or for one Pod on each node. */
  public readonly disruptionBudget?: ApiObject;
  /** Service of the Pods, for users; undefined for most components. */
  public readonly service?: ApiObject;
  /** Image of the Pods. */
  public readonly image: string;

  private constructor(
    scope: Construct,
    id: string,
    { namespace, access, pod, hasService, aliases = [] }: ComponentParts,
  ) {
    super(scope, id);
    const { name, size, privileged } = pod;
    this.image = pod.image;
    this.identity = ComponentIdentity._make(this, 'Identity', namespace, access);
    const template = renderPod({ ...pod, serviceAccount: this.identity.serviceAccountName });
    const metadata = { name, namespace, labels: labelsOf(name) };
    const selector = { matchLabels: selectorOf(name) };
    const replicas = size.replicas ?? 1;
    this.apiObject = privileged
      ? objectOf(this, 'Resource', {
          apiVersion: 'apps/v1',
          kind: 'DaemonSet',
          metadata,
          // guests keep running without virt-handler, so a tenth of the nodes can be updated at a time
          spec: {
            selector,
            updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
            template,
          },
        })
      : objectOf(this, 'Resource', {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata,
          spec: {
            replicas,
            selector,
            strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
            template,
          },
        });
    if (hasService) {
      const service = (id: string, serviceName: string): ApiObject =>
        objectOf(this, id, {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { ...metadata, name: serviceName },
          spec: {
            type: 'ClusterIP',
            ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 'https' }],
            selector: selectorOf(name),
          },
        });
      this.service = service('Service', name);
      for (const alias of aliases) service(`Service-${alias}`, alias);
    }
    if (privileged || replicas < 2) return;
    this.disruptionBudget = objectOf(this, 'DisruptionBudget', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace, labels: labelsOf(name) },
      spec: { maxUnavailable: 1, selector },
    });
  }
}
