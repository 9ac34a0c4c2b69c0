import { keys } from '../../api/keys';
import { ApiObject, ApiObjectMetadata, Duration, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { Choice } from '../choice';
import { defined } from '../defined';
import { INamedObject, Resource } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';
import { beside } from './beside';
import { VmPort } from './vm-port';
import { nameOf } from '../storage/reference';
import { secondsOf } from '../duration';

/** From where a Service is reached. */
export class VmServiceType extends Choice {
  /** From inside the cluster. */
  public static readonly CLUSTER_IP = VmServiceType.of('ClusterIP');
  /** Also by a port of every node. */
  public static readonly NODE_PORT = VmServiceType.of('NodePort');
  /** Also by an address that the cloud gives. */
  public static readonly LOAD_BALANCER = VmServiceType.of('LoadBalancer');

  /**
   * Another one that Kubernetes knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VmServiceType {
    return new VmServiceType(value);
  }
}

/** To which guests traffic is sent. */
export class TrafficPolicy extends Choice {
  /** To all, wherever they run. The guest may see the node's address in place of the client's. */
  public static readonly CLUSTER = TrafficPolicy.of('Cluster');
  /** Only to those on the node where it arrived. The guest sees the client's address. */
  public static readonly LOCAL = TrafficPolicy.of('Local');

  /**
   * Another one that Kubernetes knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): TrafficPolicy {
    return new TrafficPolicy(value);
  }
}

/** Whether a client stays with its guest. */
export class SessionAffinity extends Choice {
  /** Each connection goes to any guest. */
  public static readonly NONE = SessionAffinity.of('None');
  /** Connections from one address go to one guest. */
  public static readonly CLIENT_IP = SessionAffinity.of('ClientIP');

  /**
   * Another one that Kubernetes knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): SessionAffinity {
    return new SessionAffinity(value);
  }
}

/** A version of the Internet protocol. */
export class IpFamily extends Choice {
  /** IPv4. */
  public static readonly IPV4 = IpFamily.of('IPv4');
  /** IPv6. */
  public static readonly IPV6 = IpFamily.of('IPv6');

  /**
   * Another one that Kubernetes knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): IpFamily {
    return new IpFamily(value);
  }
}

/** How many versions of the Internet protocol a Service has. */
export class IpFamilyPolicy extends Choice {
  /** One. */
  public static readonly SINGLE_STACK = IpFamilyPolicy.of('SingleStack');
  /** Both, where the cluster has them. */
  public static readonly PREFER_DUAL_STACK = IpFamilyPolicy.of('PreferDualStack');
  /** Both. */
  public static readonly REQUIRE_DUAL_STACK = IpFamilyPolicy.of('RequireDualStack');

  /**
   * Another one that Kubernetes knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): IpFamilyPolicy {
    return new IpFamilyPolicy(value);
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
   * No address of its own: its DNS name leads to the guests' addresses. With the VM's `subdomain` as the name of the
   * Service, each guest has a DNS name, too.
   * @default false
   */
  readonly headless?: boolean;
  /**
   * Address inside the cluster.
   * @default - chosen by Kubernetes
   */
  readonly clusterIp?: string;
  /**
   * Leads to guests that are not ready, too: such as one that still boots.
   * @default false
   */
  readonly publishNotReady?: boolean;
  /**
   * To which guests traffic from outside the cluster is sent. Only of the types NodePort and LoadBalancer.
   * @default TrafficPolicy.CLUSTER
   */
  readonly externalTrafficPolicy?: TrafficPolicy;
  /**
   * To which guests traffic from inside the cluster is sent.
   * @default TrafficPolicy.CLUSTER
   */
  readonly internalTrafficPolicy?: TrafficPolicy;
  /**
   * Whether a client stays with its guest: for pools and replica sets.
   * @default SessionAffinity.NONE
   */
  readonly sessionAffinity?: SessionAffinity;
  /**
   * How long a silent client stays with its guest, up to a day. Only with SessionAffinity.CLIENT_IP.
   * @default - 3 hours
   */
  readonly sessionTimeout?: Duration;
  /**
   * Which implementation serves a load balancer: `example.com/internal`.
   * @default - the cluster's
   */
  readonly loadBalancerClass?: string;
  /**
   * Networks whose clients a load balancer lets in: `203.0.113.0/24`.
   * @default - all
   */
  readonly loadBalancerSourceRanges?: string[];
  /**
   * Whether a load balancer also takes a port of every node.
   * @default true
   */
  readonly allocateLoadBalancerNodePorts?: boolean;
  /**
   * Further addresses, which something outside Kubernetes routes to the nodes.
   * @default - none
   */
  readonly externalIps?: string[];
  /**
   * Versions of the Internet protocol, the preferred one first.
   * @default - the cluster's
   */
  readonly ipFamilies?: IpFamily[];
  /**
   * How many versions of the Internet protocol it has.
   * @default IpFamilyPolicy.SINGLE_STACK
   */
  readonly ipFamilyPolicy?: IpFamilyPolicy;
  /**
   * Name, labels, annotations of the Service.
   * @default - the name follows from the construct's path; in the namespace of the target
   */
  readonly metadata?: ApiObjectMetadata;
}

const GUEST_KINDS = [
  'VirtualMachine',
  'VirtualMachineInstance',
  'VirtualMachinePool',
  'VirtualMachineInstanceReplicaSet',
] as const;

/** Kinds of objects that have guests. */
export type GuestKind = (typeof GUEST_KINDS)[number];

/** What a Service leads to: a VM, an instance, a pool, a replica set, or `{ name: 'existing-vm' }`. */
export interface IServiceTarget extends INamedObject {
  /**
   * Labels that the Pods of its guests carry, and no other Pod does.
   * @default - those of a VM of this name: `vm.kubevirt.io/name`
   */
  readonly podLabels?: { readonly [label: string]: string } | undefined;
  /** Kind of the object, where it is known. @jsii ignore */
  readonly kind?: GuestKind;
}

/** What a Service takes. */
export interface VmServiceProps extends ExposeViaServiceOptions {
  /** Whose guests answer. */
  readonly target: IServiceTarget;
}

/**
 * A Kubernetes Service (`v1`) that leads to guests, wherever they run.
 *
 * It reaches a guest through its interface on the Pod network, and there only on the ports that the interface forwards.
 *
 * @example
 * new VmService(chart, 'web', { target: vm, ports: [VmPort.HTTP, VmPort.SSH] });
 */
export class VmService extends Resource {
  public readonly apiObject: ApiObject;
  /** From where the Service is reached. */
  public readonly serviceType: VmServiceType;
  private readonly ownPorts: VmPort[];
  private readonly changed: () => void;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props guests and ports of the Service
   */
  constructor(scope: Construct, id: string, props: VmServiceProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { target, ports, ...options } = props;
    nameOf('VmService: target', target, GUEST_KINDS, 'use what runs guests, such as a VirtualMachine');
    this.serviceType = props.serviceType ?? VmServiceType.CLUSTER_IP;
    this.ownPorts = [...ports];
    const render = (): object => renderService(target, this.ownPorts, options);
    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: beside(target, props.metadata),
      spec: Lazy.any({ produce: render }),
    });
    this.changed = validateOnSynth(this, { body: () => ({ spec: render() }), locate });
  }

  /** Ports of the Service. */
  public get ports(): VmPort[] {
    return [...this.ownPorts];
  }

  /** DNS name of the Service inside its namespace. */
  public get host(): string {
    return this.name;
  }

  /**
   * Opens a further port.
   *
   * @param port port to add
   */
  public addPort(port: VmPort): void {
    this.ownPorts.push(port);
    this.changed();
  }
}

function renderService(
  target: IServiceTarget,
  ports: readonly VmPort[],
  options: Omit<ExposeViaServiceOptions, 'ports'>,
): object {
  const {
    serviceType = VmServiceType.CLUSTER_IP,
    externalTrafficPolicy,
    internalTrafficPolicy,
    sessionAffinity,
    sessionTimeout,
    ipFamilyPolicy,
  } = options;
  return defined({
    type: serviceType.value,
    clusterIP: options.headless ? 'None' : options.clusterIp,
    selector: { ...(target.podLabels ?? { [keys.vmName]: target.name }) },
    ports: ports.map(({ name, port, targetPort, protocol, nodePort, appProtocol }) =>
      defined({ name, port, targetPort, protocol: protocol.value, nodePort, appProtocol }),
    ),
    publishNotReadyAddresses: options.publishNotReady,
    externalTrafficPolicy: externalTrafficPolicy?.value,
    internalTrafficPolicy: internalTrafficPolicy?.value,
    sessionAffinity: sessionAffinity?.value,
    sessionAffinityConfig: sessionTimeout && {
      clientIP: { timeoutSeconds: secondsOf('sessionTimeout', sessionTimeout) },
    },
    loadBalancerClass: options.loadBalancerClass,
    loadBalancerSourceRanges: options.loadBalancerSourceRanges && [...options.loadBalancerSourceRanges],
    allocateLoadBalancerNodePorts: options.allocateLoadBalancerNodePorts,
    externalIPs: options.externalIps && [...options.externalIps],
    ipFamilies: options.ipFamilies?.map(({ value }) => value),
    ipFamilyPolicy: ipFamilyPolicy?.value,
  });
}

/** Fields of the manifest and the properties that make them. */
function locate(field: string): string | undefined {
  return /^spec\.(ports(?:\[\d+\])?(?:\.\w+)?)/.exec(field)?.[1] ?? (field === 'spec' ? 'target' : undefined);
}
