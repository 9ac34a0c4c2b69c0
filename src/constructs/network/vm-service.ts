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

/** Where a Service can be reached from. */
export class VmServiceType extends Choice {
  /** Inside the cluster. */
  public static readonly CLUSTER_IP = VmServiceType.of('ClusterIP');
  /** Additionally through a port of every node. */
  public static readonly NODE_PORT = VmServiceType.of('NodePort');
  /** Additionally through an address that the cloud provider assigns. */
  public static readonly LOAD_BALANCER = VmServiceType.of('LoadBalancer');

  /**
   * Any other value that Kubernetes supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VmServiceType {
    return new VmServiceType(value);
  }
}

/** Guests to which traffic is sent. */
export class TrafficPolicy extends Choice {
  /** All guests, on any node. The guest may see the node's address instead of the client's. */
  public static readonly CLUSTER = TrafficPolicy.of('Cluster');
  /** Only guests on the node where the traffic arrived. The guest sees the client's address. */
  public static readonly LOCAL = TrafficPolicy.of('Local');

  /**
   * Any other value that Kubernetes supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): TrafficPolicy {
    return new TrafficPolicy(value);
  }
}

/** Whether connections of one client reach the same guest. */
export class SessionAffinity extends Choice {
  /** Each connection may reach any guest. */
  public static readonly NONE = SessionAffinity.of('None');
  /** All connections from one address reach the same guest. */
  public static readonly CLIENT_IP = SessionAffinity.of('ClientIP');

  /**
   * Any other value that Kubernetes supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): SessionAffinity {
    return new SessionAffinity(value);
  }
}

/** Version of the Internet Protocol. */
export class IpFamily extends Choice {
  /** IPv4. */
  public static readonly IPV4 = IpFamily.of('IPv4');
  /** IPv6. */
  public static readonly IPV6 = IpFamily.of('IPv6');

  /**
   * Any other value that Kubernetes supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): IpFamily {
    return new IpFamily(value);
  }
}

/** IP versions of a Service. */
export class IpFamilyPolicy extends Choice {
  /** One version. */
  public static readonly SINGLE_STACK = IpFamilyPolicy.of('SingleStack');
  /** Both versions, if the cluster supports them. */
  public static readonly PREFER_DUAL_STACK = IpFamilyPolicy.of('PreferDualStack');
  /** Both versions. */
  public static readonly REQUIRE_DUAL_STACK = IpFamilyPolicy.of('RequireDualStack');

  /**
   * Any other value that Kubernetes supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): IpFamilyPolicy {
    return new IpFamilyPolicy(value);
  }
}

/** Options for exposing a VM through a Service. */
export interface ExposeViaServiceOptions {
  /** Ports of the Service. The guest must listen on their target ports. */
  readonly ports: VmPort[];
  /**
   * Where the Service can be reached from.
   * @default VmServiceType.CLUSTER_IP
   */
  readonly serviceType?: VmServiceType;
  /**
   * Whether the Service has no address of its own. Its DNS name then resolves to the guests' addresses. If the Service
   * has the name of the VM's `subdomain`, each guest also gets a DNS name.
   * @default false
   */
  readonly headless?: boolean;
  /**
   * Address of the Service inside the cluster.
   * @default - chosen by Kubernetes
   */
  readonly clusterIp?: string;
  /**
   * Whether the Service includes guests that are not ready, for example because they are still booting.
   * @default false
   */
  readonly publishNotReady?: boolean;
  /**
   * Guests that receive traffic from outside the cluster. Only for the types NodePort and LoadBalancer.
   * @default TrafficPolicy.CLUSTER
   */
  readonly externalTrafficPolicy?: TrafficPolicy;
  /**
   * Guests that receive traffic from inside the cluster.
   * @default TrafficPolicy.CLUSTER
   */
  readonly internalTrafficPolicy?: TrafficPolicy;
  /**
   * Whether connections of one client reach the same guest, for pools and replica sets.
   * @default SessionAffinity.NONE
   */
  readonly sessionAffinity?: SessionAffinity;
  /**
   * Idle time after which a client may reach another guest, up to one day. Only with SessionAffinity.CLIENT_IP.
   * @default - 3 hours
   */
  readonly sessionTimeout?: Duration;
  /**
   * Load balancer implementation: `example.com/internal`.
   * @default - the cluster's default
   */
  readonly loadBalancerClass?: string;
  /**
   * Networks whose clients can use the load balancer: `203.0.113.0/24`.
   * @default - all networks
   */
  readonly loadBalancerSourceRanges?: string[];
  /**
   * Whether a load balancer also opens a port on every node.
   * @default true
   */
  readonly allocateLoadBalancerNodePorts?: boolean;
  /**
   * Additional addresses that something outside Kubernetes routes to the nodes.
   * @default - none
   */
  readonly externalIps?: string[];
  /**
   * IP versions of the Service, the preferred one first.
   * @default - the cluster's default
   */
  readonly ipFamilies?: IpFamily[];
  /**
   * Whether the Service has one or both IP versions.
   * @default IpFamilyPolicy.SINGLE_STACK
   */
  readonly ipFamilyPolicy?: IpFamilyPolicy;
  /**
   * Name, labels and annotations of the Service.
   * @default - the name is generated from the construct's path; the namespace is the target's
   */
  readonly metadata?: ApiObjectMetadata;
}

const GUEST_KINDS = [
  'VirtualMachine',
  'VirtualMachineInstance',
  'VirtualMachinePool',
  'VirtualMachineInstanceReplicaSet',
] as const;

/** Kind of an object that has guests. */
export type GuestKind = (typeof GUEST_KINDS)[number];

/** Target of a Service: a VM, an instance, a pool, a replica set, or `{ name: 'existing-vm' }`. */
export interface IServiceTarget extends INamedObject {
  /**
   * Labels that all Pods of the target's guests have, and no other Pods.
   * @default - the label `vm.kubevirt.io/name` with the target's name
   */
  readonly podLabels?: { readonly [label: string]: string } | undefined;
  /** Kind of the object, if it is known. @jsii ignore */
  readonly kind?: GuestKind;
}

/** Properties of a Service. */
export interface VmServiceProps extends ExposeViaServiceOptions {
  /** VM, instance, pool or replica set whose guests receive the traffic. */
  readonly target: IServiceTarget;
}

/**
 * Kubernetes Service (`v1`) for guests, on whichever node they run.
 *
 * It reaches a guest through the guest's interface on the Pod network, and only on the ports that the interface
 * forwards.
 *
 * @example
 * new VmService(chart, 'web', { target: vm, ports: [VmPort.HTTP, VmPort.SSH] });
 */
export class VmService extends Resource {
  public readonly apiObject: ApiObject;
  /** Where the Service can be reached from. */
  public readonly serviceType: VmServiceType;
  private readonly ownPorts: VmPort[];
  private readonly changed: () => void;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props guests and ports of the Service
   */
  constructor(scope: Construct, id: string, props: VmServiceProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { target, ports, ...options } = props;
    nameOf('VmService: target', target, GUEST_KINDS, 'use an object with guests, such as a VirtualMachine');
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
   * Opens another port.
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

/** Properties by the field that they set, where one property sets one field. */
const PROPERTIES: Readonly<Record<string, string>> = {
  type: 'serviceType',
  clusterIP: 'clusterIp',
  externalIPs: 'externalIps',
  externalTrafficPolicy: 'externalTrafficPolicy',
  internalTrafficPolicy: 'internalTrafficPolicy',
  sessionAffinity: 'sessionAffinity',
  sessionAffinityConfig: 'sessionTimeout',
  loadBalancerClass: 'loadBalancerClass',
  loadBalancerSourceRanges: 'loadBalancerSourceRanges',
  allocateLoadBalancerNodePorts: 'allocateLoadBalancerNodePorts',
  ipFamilies: 'ipFamilies',
  ipFamilyPolicy: 'ipFamilyPolicy',
};

/** Returns the property that sets a field of the manifest. */
function locate(field: string): string | undefined {
  const port = /^spec\.(ports(?:\[\d+\])?(?:\.\w+)?)/.exec(field)?.[1];
  if (port !== undefined) return port;
  const [, name = '', index = ''] = /^spec\.(\w+)(\[\d+\])?/.exec(field) ?? [];
  const property = Object.hasOwn(PROPERTIES, name) ? PROPERTIES[name] : undefined;
  return property === undefined ? (field === 'spec' ? 'target' : undefined) : `${property}${index}`;
}
