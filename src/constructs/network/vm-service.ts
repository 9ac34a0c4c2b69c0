import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { validateExposure } from '../../api/admission/exposure';
import type { VirtualMachineInstanceSpec } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { Resource } from '../resource';
import { throwIfInvalid } from '../validation';
import { VmPort } from './vm-port';

/** From where a Service is reached. */
export class VmServiceType extends Choice {
  /** From inside the cluster. */
  public static readonly CLUSTER_IP = VmServiceType.of('ClusterIP');
  /** Also by a port of every node. */
  public static readonly NODE_PORT = VmServiceType.of('NodePort');
  /** Also by an address that the cloud gives. */
  public static readonly LOAD_BALANCER = VmServiceType.of('LoadBalancer');

  /** Another one that Kubernetes knows. */
  public static of(value: string): VmServiceType {
    return new VmServiceType(value);
  }
}

/** How a VM is exposed. */
export interface ExposeViaServiceOptions {
  /** Ports of the Service. The guest must listen on their target ports. */
  readonly ports: VmPort[];
  /**
   * From where the Service is reached.
   * @default VmServiceType.CLUSTER_IP
   */
  readonly serviceType?: VmServiceType;
  /**
   * Name, labels, annotations of the Service.
   * @default - the name follows from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;
}

/** What a {@link VmService} leads to. */
export interface IServiceTarget {
  /** Name of the VM. */
  readonly name: string;

  /** @internal */
  _instanceSpec(): VirtualMachineInstanceSpec;
}

/** A Kubernetes Service that leads to one VM, wherever it runs. */
export class VmService extends Resource {
  public readonly apiObject: ApiObject;
  /** Ports of the Service. */
  public readonly ports: VmPort[];

  /** @internal */
  public constructor(scope: Construct, id: string, target: IServiceTarget, options: ExposeViaServiceOptions) {
    super(scope, id);
    this.ports = [...options.ports];
    const ports = this.ports.map(({ name, port, targetPort, protocol }) => ({
      name,
      port,
      targetPort,
      protocol: protocol.value,
    }));
    throwIfInvalid(this, validateExposure(ports, target._instanceSpec()));
    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: options.metadata,
      spec: {
        type: (options.serviceType ?? VmServiceType.CLUSTER_IP).value,
        // every launcher Pod carries the name of its VM
        selector: { 'vm.kubevirt.io/name': target.name },
        ports,
      },
    });
  }

  /** DNS name of the Service inside its namespace. */
  public get host(): string {
    return this.name;
  }
}
