import { ApiObject, ApiObjectMetadataDefinition, Duration, Size } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineInstanceSpec } from '../../api/generated/kubevirt-v1';
import { IPodTarget, PodPeer, PodSelection } from '../network/pod-selection';
import { labelOfGuest, selectionOf } from '../network/pod-target';
import { ExposeViaIngressOptions, VmIngress } from '../network/vm-ingress';
import { VmNetwork } from '../network/vm-network';
import { ExposeViaServiceOptions, type GuestKind, IServiceTarget, VmService } from '../network/vm-service';
import { INamedObject, Resource } from '../resource';
import { checkProps } from '../signatures';
import { Disk } from '../storage/disk';
import { validateOnSynth } from '../validation';
import { AccessCredential } from './access-credential';
import { Clock } from './clock';
import { Cpu } from './cpu';
import { defined, definedOrNone } from '../defined';
import { VmDevices } from './devices';
import { Firmware } from './firmware';
import { type GeneratedObjects, generateObjects } from './objects-of-guest';
import { GuestProps } from './guest-props';
import { HyperV } from './hyperv';
import { IoThreads } from './io-threads';
import { LaunchSecurity } from './launch-security';
import { IGuestPods } from './pods';
import { VmProbe } from './probe';
import { propertyOf } from './property-of';
import {
  type GuestParts,
  type Origins,
  requirePlainData,
  originsOf,
  passwordsOfUsers,
  renderInstanceSpec,
} from './render';
import { referencesOf } from './render-vm';
import { VmResourceClaim } from './resource-claim';
import { VmScheduling } from './scheduling';
import { Architecture, EvictionStrategy, RebootPolicy, StartStrategy } from './strategies';

/** Object of a subclass, for validation. */
interface ValidatedObject {
  /** Path of the instance's spec in the object. */
  readonly prefix: string;
  /** Returns the object without apiVersion, kind and metadata. */
  readonly body: () => object;
  /** Returns the property behind a field outside the instance's spec. */
  readonly locate?: (field: string) => string | undefined;
}

/**
 * Base of VMs, instances, replica sets and pools: a guest. Scalar properties are fixed at construction; only
 * collections grow.
 */
export abstract class Guest extends Resource implements IPodTarget, IGuestPods, IServiceTarget {
  public abstract readonly apiObject: ApiObject;
  /** Kind of the object. */
  public abstract get kind(): GuestKind;
  /** CPU that the guest sees. Undefined if the platform or an instance type sets it. */
  public readonly cpu?: Cpu;

  /** Properties that were passed, with the defaults of the subclass. @internal */
  protected readonly _props: GuestProps;
  private readonly preferred: boolean;
  private readonly ownDisks: Disk[];
  private readonly ownNetworks: VmNetwork[];
  private readonly ownCredentials: AccessCredential[];
  private readonly ownClaims: VmResourceClaim[];
  private readonly generated: GeneratedObjects;
  // created on first use: most guests need none of these, and an app can have many guests
  private ownMetadata?: ApiObjectMetadataDefinition;
  private ownScheduling?: VmScheduling;
  private ownDevices?: VmDevices;
  private rendered?: VirtualMachineInstanceSpec;
  private cached?: object;
  private revalidate: () => void = () => undefined;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param passed properties of the guest
   * @internal
   */
  protected constructor(scope: Construct, id: string, passed: GuestProps) {
    super(scope, id);
    checkProps(this, new.target, passed);
    const props = this._withDefaults(passed);
    if (props.instanceSpec) requirePlainData(props.instanceSpec);
    const { preferred } = referencesOf(props);
    this._props = props;
    this.preferred = preferred;
    this.cpu = props.cpu;
    this.ownDisks = [...(props.disks ?? [])];
    this.ownNetworks = [...(props.networks ?? [VmNetwork.masquerade()])];
    this.ownCredentials = [...(props.accessCredentials ?? [])];
    this.ownClaims = [...(props.resourceClaims ?? [])];
    this.generated = generateObjects(this, props);
  }

  /** Rules for the nodes on which the guest runs. */
  public get scheduling(): VmScheduling {
    this.ownScheduling ??= VmScheduling._of(
      this._props.scheduling ?? {},
      () => ({ ...this.podLabels }),
      () => this._changed(),
    );
    return this.ownScheduling;
  }

  /** Devices besides disks and networks. */
  public get devices(): VmDevices {
    this.ownDevices ??= VmDevices._of(this._props.devices ?? {}, () => this._changed());
    return this.ownDevices;
  }

  /** Memory that the guest sees. Undefined if an instance type, resources or `memoryOptions.quantity` set it. */
  public get memory(): Size | undefined {
    return this._props.memory;
  }

  /** Firmware that boots the guest. Undefined if the platform or a preference sets it. */
  public get firmware(): Firmware | undefined {
    return this._props.firmware;
  }

  /** Machine type. Undefined if the platform or a preference sets it. */
  public get machineType(): string | undefined {
    return this._props.machineType;
  }

  /** Instruction set (CPU architecture). Undefined if the platform sets it. */
  public get architecture(): Architecture | undefined {
    return this._props.architecture;
  }

  /** Clock and its timers. Undefined if a preference or the platform sets them. */
  public get clock(): Clock | undefined {
    return this._props.clock;
  }

  /** Hyper-V enlightenments, if the properties set any. A preference may set others. */
  public get hyperv(): HyperV | undefined {
    return this._props.hyperv;
  }

  /** Encryption of the guest's memory, if the properties set one. A preference may set another. */
  public get launchSecurity(): LaunchSecurity | undefined {
    return this._props.launchSecurity;
  }

  /** QEMU threads that handle disk I/O, if the properties set any. An instance type may set others. */
  public get ioThreads(): IoThreads | undefined {
    return this._props.ioThreads;
  }

  /** Host name of the guest. Undefined if it is the name of the instance. */
  public get hostname(): string | undefined {
    return this._props.hostname;
  }

  /** Name of the headless Service under which the guest has a DNS name. */
  public get subdomain(): string | undefined {
    return this._props.subdomain;
  }

  /** Service account of the Pod. Undefined if it is the default of the namespace. */
  public get serviceAccount(): INamedObject | undefined {
    return this._props.serviceAccount;
  }

  /** State in which the guest starts. Undefined if the guest starts running. */
  public get startStrategy(): StartStrategy | undefined {
    return this._props.startStrategy;
  }

  /** Action when the node of the guest is drained. Undefined if the platform chooses it. */
  public get evictionStrategy(): EvictionStrategy | undefined {
    return this._props.evictionStrategy;
  }

  /** Time that the guest has to shut down. Undefined if the platform sets it. */
  public get terminationGracePeriod(): Duration | undefined {
    return this._props.terminationGracePeriod;
  }

  /** Effect of a reboot inside the guest. Undefined if the guest restarts. */
  public get rebootPolicy(): RebootPolicy | undefined {
    return this._props.rebootPolicy;
  }

  /** Readiness probe. Services send traffic to the guest only while it succeeds. */
  public get readiness(): VmProbe | undefined {
    return this._props.readiness;
  }

  /** Liveness probe. If it fails, the guest is killed. */
  public get liveness(): VmProbe | undefined {
    return this._props.liveness;
  }

  /** Disks, in the order in which the guest sees them (a copy). */
  public get disks(): Disk[] {
    return [...this.ownDisks];
  }

  /** Networks that the guest is attached to (a copy). */
  public get networks(): VmNetwork[] {
    return [...this.ownNetworks];
  }

  /** Labels and annotations of the running instance and its Pod. */
  public get instanceMetadata(): ApiObjectMetadataDefinition {
    this.ownMetadata ??= new ApiObjectMetadataDefinition({
      ...this._props.instanceMetadata,
      apiObject: this.apiObject,
    });
    return this.ownMetadata;
  }

  /** Labels that only the Pods of these guests have. */
  public get podLabels(): { readonly [label: string]: string } | undefined {
    return labelOfGuest(this.name, this.hostname);
  }

  /**
   * Adds a disk after the existing ones.
   *
   * @param disk disk to add
   */
  public addDisk(disk: Disk): void {
    this.ownDisks.push(disk);
    this._changed();
  }

  /**
   * Attaches the guest to another network.
   *
   * @param network network to attach
   */
  public addNetwork(network: VmNetwork): void {
    this.ownNetworks.push(network);
    this._changed();
  }

  /**
   * Gives the guest SSH keys or passwords from another Secret.
   *
   * @param credential SSH keys or passwords to add
   */
  public addAccessCredential(credential: AccessCredential): void {
    this.ownCredentials.push(credential);
    this._changed();
  }

  /**
   * Adds a claim of dynamic resource allocation. Claims of the guest's devices are added automatically.
   *
   * @param claim claim to add
   */
  public addResourceClaim(claim: VmResourceClaim): void {
    this.ownClaims.push(claim);
    this._changed();
  }

  /**
   * Creates a Service that sends traffic to the guests, on whichever nodes they run.
   *
   * @param id id of the new construct within this one
   * @param options ports and type of the Service
   */
  public exposeViaService(id: string, options: ExposeViaServiceOptions): VmService {
    return new VmService(this, id, { ...options, target: this });
  }

  /**
   * Creates an Ingress that sends traffic to the guests, and the Service that the Ingress requires.
   *
   * @param id id of the new construct within this one
   * @param options host, path and TLS of the Ingress
   */
  public exposeViaIngress(id: string, options: ExposeViaIngressOptions = {}): VmIngress {
    return VmIngress._exposing(this, id, this, options);
  }

  /** Returns the selector of the guests' Pods, for Services, NetworkPolicies and scheduling rules of cdk8s-plus. */
  public toPodSelectorConfig(): PodSelection {
    return selectionOf(this.podLabels ?? {}, this.metadata.namespace);
  }

  /** Returns the guests' Pods as the peer of a cdk8s-plus NetworkPolicy. */
  public toNetworkPolicyPeerConfig(): PodPeer {
    return { podSelector: this.toPodSelectorConfig() };
  }

  /** Returns this construct, as the selector of the guests' Pods. */
  public toPodSelector(): IPodTarget | undefined {
    return this;
  }

  /** Returns the spec of an instance: the same object until something changes. @internal */
  public _instanceSpec(): VirtualMachineInstanceSpec {
    return (this.rendered ??= renderInstanceSpec(this.parts()));
  }

  /** Returns the labels and annotations of an instance, or undefined without any. @internal */
  protected _instanceMetadata(labels?: { readonly [label: string]: string }): object | undefined {
    const { generated, _props: props } = this;
    const own = this.ownMetadata?.toJson() ?? props.instanceMetadata;
    const annotations = { ...generated.checksums, ...own?.annotations };
    const allLabels = { ...labels, ...own?.labels };
    const metadata = defined({ ...own, labels: definedOrNone(allLabels), annotations: definedOrNone(annotations) });
    return Object.keys(metadata).length > 0 ? metadata : undefined;
  }

  /**
   * Returns the properties with the defaults of the subclass. The base constructor calls this method before any field
   * of the subclass is set.
   *
   * @internal
   */
  protected _withDefaults(props: GuestProps): GuestProps {
    return props;
  }

  /**
   * Returns the cached result until something changes, because synthesis needs it several times. Labels and annotations
   * can change through `instanceMetadata` without notice, so nothing is cached once that has been read.
   *
   * @internal
   */
  protected _cached<T extends object>(produce: () => T): T {
    return this.ownMetadata ? produce() : ((this.cached ??= produce()) as T);
  }

  /** Returns the annotations with checksums of the generated objects. @internal */
  protected _checksums(): { readonly [annotation: string]: string } {
    return this.generated.checksums;
  }

  /**
   * Returns the object that creates disks together with itself and whose name prefixes theirs; undefined if it cannot.
   *
   * @internal
   */
  protected _owner(): INamedObject | undefined {
    return undefined;
  }

  /** Returns the property behind each item of the manifest's lists. @internal */
  protected _origins(): Origins {
    return originsOf(this.parts());
  }

  /** Registers the validation of the whole object. Each constructor calls this method last. @internal */
  protected _validateOnSynth({ prefix, body, locate }: ValidatedObject): void {
    this.revalidate = validateOnSynth(this, {
      body,
      locate: (field) => {
        const passwords = passwordsOfUsers(this._props).length;
        const located = { prefix, origins: this._origins(), credentials: this.ownCredentials.length, passwords };
        const property = propertyOf(field, located) ?? locate?.(field);
        return property === 'memory' && this._props.memoryOptions?.quantity ? 'memoryOptions.quantity' : property;
      },
    });
  }

  /** Discards cached results and validates again. Called after each addition. @internal */
  protected _changed(): void {
    this.rendered = undefined;
    this.cached = undefined;
    this.revalidate();
  }

  private parts(): GuestParts {
    const { _props: props, cpu, ownDisks: disks, ownNetworks: networks, ownCredentials: credentials } = this;
    const devices = props.devices || this.ownDevices ? this.devices : undefined;
    const scheduling = props.scheduling || this.ownScheduling ? this.scheduling : undefined;
    return {
      props,
      cpu,
      disks,
      networks,
      credentials,
      claims: devices ? [...this.ownClaims, ...devices._claims()] : this.ownClaims,
      devices: devices?._render() ?? {},
      scheduling: scheduling?._render() ?? {},
      owner: this._owner(),
      preferred: this.preferred,
      cloudInit: this.generated.cloudInit,
      sysprep: this.generated.sysprep,
    };
  }
}
