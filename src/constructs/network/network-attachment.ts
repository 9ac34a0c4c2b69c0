import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth, mistakeInCode } from '../validation';
import { Cni } from './cni';

/** Annotation for the resource of a device plugin. */
const RESOURCE_NAME = 'k8s.v1.cni.cncf.io/resourceName';

/** Properties of a network attachment. */
export interface NetworkAttachmentProps extends ResourceProps {
  /** Configuration of the network. */
  readonly config: Cni;
}

/**
 * Additional network for guests and Pods (`k8s.cni.cncf.io/v1` NetworkAttachmentDefinition), attached by Multus:
 * `VmNetwork.multus(attachment)`.
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
  /** Resource of the device plugin, of which each guest on the network gets one device. */
  public readonly resourceName?: string;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
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
