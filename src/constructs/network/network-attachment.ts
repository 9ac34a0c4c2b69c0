import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth, mistakeInCode } from '../validation';
import { Cni } from './cni';

/** Names the pool of devices on an attachment. */
const RESOURCE_NAME = 'k8s.v1.cni.cncf.io/resourceName';

/** What a network attachment takes. */
export interface NetworkAttachmentProps extends ResourceProps {
  /** Which network it is. */
  readonly config: Cni;
}

/**
 * A network that guests and Pods can be attached to beside their own (`k8s.cni.cncf.io/v1` NetworkAttachmentDefinition),
 * by Multus: `VmNetwork.multus(attachment)`.
 *
 * @example
 * const lan = new NetworkAttachment(chart, 'lan', { config: Cni.bridge('br1', { vlan: 20 }) });
 * new VirtualMachine(chart, 'web', {
 *   memory: Size.gibibytes(2),
 *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
 *   networks: [VmNetwork.masquerade(), VmNetwork.multus(lan)],
 * });
 */
export class NetworkAttachment extends Resource {
  public readonly apiObject: ApiObject;
  /** The pool of devices that each guest on the network gets one of. */
  public readonly resourceName?: string;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props configuration of the network
   */
  constructor(scope: Construct, id: string, props: NetworkAttachmentProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { config, metadata } = props;
    this.resourceName = config.resourceName;
    const render = (): object => ({ config: config._render(this) });
    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: config.resourceName
        ? { ...metadata, annotations: { [RESOURCE_NAME]: config.resourceName, ...metadata?.annotations } }
        : metadata,
      spec: Lazy.any({ produce: render }),
    });
    if (config._needsNamespace() && this.metadata.namespace === undefined) {
      mistakeInCode(
        `NetworkAttachment ${this.node.path}`,
        'metadata.namespace',
        'OVN-Kubernetes finds the attachment by namespace and name, and there is no namespace',
        "write metadata: { namespace: '…' }, or give the chart a namespace",
        'attachment-namespace',
      );
    }
    validateOnSynth(this, {
      body: () => ({ spec: render() }),
      locate: (field) => (field === 'spec.config' ? 'config' : undefined),
    });
  }
}
