import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Resource } from '../resource';
import { objectOf } from './objects';
import { labelsOf, renderPod, selectorOf, type ComponentParts } from './pods';
import { ComponentIdentity } from './roles';

/** One program of the platform: the Deployment or DaemonSet of its Pods, and what it may do. */
export class PlatformComponent extends Resource {
  /** @internal */
  public static _make(scope: Construct, id: string, parts: ComponentParts): PlatformComponent {
    return new PlatformComponent(scope, id, parts);
  }

  public readonly apiObject: ApiObject;
  /** ServiceAccount, roles and bindings. */
  public readonly identity: ComponentIdentity;
  /** How many Pods may go at a time; undefined where there is one, or one on each node. */
  public readonly disruptionBudget?: ApiObject;
  /** Image that it runs. */
  public readonly image: string;

  private constructor(scope: Construct, id: string, { namespace, access, pod }: ComponentParts) {
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
          // guests go on without it: a tenth of the nodes at a time
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
    if (privileged || replicas < 2) return;
    this.disruptionBudget = objectOf(this, 'DisruptionBudget', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace, labels: labelsOf(name) },
      spec: { maxUnavailable: 1, selector },
    });
  }
}
