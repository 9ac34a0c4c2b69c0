import { keys } from '../../api/keys';
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
import { GuestProps } from './guest-props';
import { HyperV } from './hyperv';
import { IoThreads } from './io-threads';
import { LaunchSecurity } from './launch-security';
import { IGuestPods } from './pods';
import { VmProbe } from './probe';
import { propertyOf } from './property-of';
import { type GuestParts, type Origins, mustBeData, originsOf, passwordsOfUsers, renderInstanceSpec } from './render';
import { referencesOf } from './render-vm';
import { VmResourceClaim } from './resource-claim';
import { VmScheduling } from './scheduling';
import { Architecture, EvictionStrategy, RebootPolicy, StartStrategy } from './strategies';

/** Annotations that change with what was generated, so that a change of it is one of the guest. */
const CLOUD_INIT_CHECKSUM = keys.cloudInitChecksum;
const SYSPREP_CHECKSUM = keys.sysprepChecksum;

/** An object that is generated beside the guest's. */
interface ManifestOf {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly [field: string]: unknown;
}

/** What a subclass says of its object. */
interface Whole {
  /** Where in the object the instance's spec is. */
  readonly prefix: string;
  /** The object without apiVersion, kind and metadata. */
  readonly body: () => object;
  /** Properties of fields that are no guest's. */
  readonly locate?: (field: string) => string | undefined;
}

/** What VMs, instances, replica sets and pools have in common: a guest. Scalars are fixed, only collections grow. */
export abstract class Guest extends Resource implements IPodTarget, IGuestPods, IServiceTarget {
  public abstract readonly apiObject: ApiObject;
  /** Kind of the object. */
  public abstract get kind(): GuestKind;
  /** CPU that the guest sees, unless the platform or an instancetype decides. */
  public readonly cpu?: Cpu;

  /** What it was given, with the defaults of a preset. @internal */
  protected readonly _props: GuestProps;
  private readonly preferred: boolean;
  private readonly ownDisks: Disk[];
  private readonly ownNetworks: VmNetwork[];
  private readonly ownCredentials: AccessCredential[];
  private readonly ownClaims: VmResourceClaim[];
  private readonly generated: { readonly cloudInit?: INamedObject; readonly sysprep?: INamedObject };
  private readonly checksums: Record<string, string>;
  // most guests need none of these, and there may be many guests
  private ownMetadata?: ApiObjectMetadataDefinition;
  private ownScheduling?: VmScheduling;
  private ownDevices?: VmDevices;
  private rendered?: VirtualMachineInstanceSpec;
  private kept?: object;
  private judge: () => void = () => undefined;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param given properties of the guest
   * @internal
   */
  protected constructor(scope: Construct, id: string, given: GuestProps) {
    super(scope, id);
    checkProps(this, new.target, given);
    const props = this._withDefaults(given);
    if (props.instanceSpec) mustBeData(props.instanceSpec);
    const { preferred } = referencesOf(props);
    this._props = props;
    this.preferred = preferred;
    this.cpu = props.cpu;
    this.ownDisks = [...(props.disks ?? [])];
    this.ownNetworks = [...(props.networks ?? [VmNetwork.masquerade()])];
    this.ownCredentials = [...(props.accessCredentials ?? [])];
    this.ownClaims = [...(props.resourceClaims ?? [])];
    this.generated = { cloudInit: this.generateCloudInit(), sysprep: this.generateSysprep() };
    this.checksums = {};
    if (this.generated.cloudInit) this.checksums[CLOUD_INIT_CHECKSUM] = props.cloudInit?._checksum() ?? '';
    if (this.generated.sysprep) this.checksums[SYSPREP_CHECKSUM] = props.sysprep?._checksum() ?? '';
  }

  /** Where the guest may and should run. */
  public get scheduling(): VmScheduling {
    this.ownScheduling ??= VmScheduling._of(
      this._props.scheduling ?? {},
      () => ({ ...this.podLabels }),
      () => this._changed(),
    );
    return this.ownScheduling;
  }

  /** What is plugged in, besides disks and networks. */
  public get devices(): VmDevices {
    this.ownDevices ??= VmDevices._of(this._props.devices ?? {}, () => this._changed());
    return this.ownDevices;
  }

  /** Memory that the guest sees, unless an instancetype, resources or `memoryOptions.quantity` decide. */
  public get memory(): Size | undefined {
    return this._props.memory;
  }

  /** How the guest boots, unless platform and preference decide. */
  public get firmware(): Firmware | undefined {
    return this._props.firmware;
  }

  /** Machine type, unless platform and preference decide. */
  public get machineType(): string | undefined {
    return this._props.machineType;
  }

  /** Instruction set, unless the platform decides. */
  public get architecture(): Architecture | undefined {
    return this._props.architecture;
  }

  /** The clock, unless a preference decides. */
  public get clock(): Clock | undefined {
    return this._props.clock;
  }

  /** What the guest finds of Hyper-V, unless a preference decides. */
  public get hyperv(): HyperV | undefined {
    return this._props.hyperv;
  }

  /** What encrypts the memory of the guest, unless a preference decides. */
  public get launchSecurity(): LaunchSecurity | undefined {
    return this._props.launchSecurity;
  }

  /** Threads of QEMU that serve disks, unless an instancetype decides. */
  public get ioThreads(): IoThreads | undefined {
    return this._props.ioThreads;
  }

  /** Host name of the guest; the name of the instance when there is none. */
  public get hostname(): string | undefined {
    return this._props.hostname;
  }

  /** Name of the headless Service under which the guest has a DNS name. */
  public get subdomain(): string | undefined {
    return this._props.subdomain;
  }

  /** Service account of the Pod; that of the namespace when there is none. */
  public get serviceAccount(): INamedObject | undefined {
    return this._props.serviceAccount;
  }

  /** In which state the guest starts; running when nothing is said. */
  public get startStrategy(): StartStrategy | undefined {
    return this._props.startStrategy;
  }

  /** What becomes of the guest when its node is drained, unless the platform decides. */
  public get evictionStrategy(): EvictionStrategy | undefined {
    return this._props.evictionStrategy;
  }

  /** How long the guest may take to shut down, unless the platform decides. */
  public get terminationGracePeriod(): Duration | undefined {
    return this._props.terminationGracePeriod;
  }

  /** What a reboot inside the guest does; it starts again when nothing is said. */
  public get rebootPolicy(): RebootPolicy | undefined {
    return this._props.rebootPolicy;
  }

  /** Whether Services lead to the guest. */
  public get readiness(): VmProbe | undefined {
    return this._props.readiness;
  }

  /** Whether the guest is beyond help. */
  public get liveness(): VmProbe | undefined {
    return this._props.liveness;
  }

  /** Disks in the order in which the guest sees them. A copy. */
  public get disks(): Disk[] {
    return [...this.ownDisks];
  }

  /** Networks that the guest is attached to. A copy. */
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

  /** Labels that the Pods of its guests carry, and no other Pod does. */
  public get podLabels(): { readonly [label: string]: string } | undefined {
    return labelOfGuest(this.name, this.hostname);
  }

  /**
   * Adds a disk behind the others.
   *
   * @param disk disk to add
   */
  public addDisk(disk: Disk): void {
    this.ownDisks.push(disk);
    this._changed();
  }

  /**
   * Attaches the guest to a further network.
   *
   * @param network network to attach
   */
  public addNetwork(network: VmNetwork): void {
    this.ownNetworks.push(network);
    this._changed();
  }

  /**
   * Lets keys or passwords of a further Secret into the guest.
   *
   * @param credential keys or passwords
   */
  public addAccessCredential(credential: AccessCredential): void {
    this.ownCredentials.push(credential);
    this._changed();
  }

  /**
   * Holds a further claim of dynamic resource allocation. Those of its devices it holds anyway.
   *
   * @param claim claim to hold
   */
  public addResourceClaim(claim: VmResourceClaim): void {
    this.ownClaims.push(claim);
    this._changed();
  }

  /**
   * Makes a Service that leads to its guests, wherever they run.
   *
   * @param id id of the new construct within this one
   * @param options ports and type of the Service
   */
  public exposeViaService(id: string, options: ExposeViaServiceOptions): VmService {
    return new VmService(this, id, { ...options, target: this });
  }

  /**
   * Makes an Ingress that leads to its guests, with the Service that it needs.
   *
   * @param id id of the new construct within this one
   * @param options host, path and TLS of the Ingress
   */
  public exposeViaIngress(id: string, options: ExposeViaIngressOptions = {}): VmIngress {
    return VmIngress._exposing(this, id, this, options);
  }

  /** The Pods of its guests, for cdk8s-plus' Services, NetworkPolicies and schedulings. */
  public toPodSelectorConfig(): PodSelection {
    return selectionOf(this.podLabels ?? {}, this.metadata.namespace);
  }

  /** Whom a NetworkPolicy of cdk8s-plus lets in or out. */
  public toNetworkPolicyPeerConfig(): PodPeer {
    return { podSelector: this.toPodSelectorConfig() };
  }

  /** The Pods of its guests. */
  public toPodSelector(): IPodTarget | undefined {
    return this;
  }

  /** The spec of an instance; the same object until something changes. @internal */
  public _instanceSpec(): VirtualMachineInstanceSpec {
    return (this.rendered ??= renderInstanceSpec(this.parts()));
  }

  /** Labels and annotations of an instance; nothing when there are none. @internal */
  protected _instanceMetadata(labels?: { readonly [label: string]: string }): object | undefined {
    const { checksums, _props: props } = this;
    const own = this.ownMetadata?.toJson() ?? props.instanceMetadata;
    const annotations = { ...checksums, ...own?.annotations };
    const allLabels = { ...labels, ...own?.labels };
    const metadata = defined({ ...own, labels: definedOrNone(allLabels), annotations: definedOrNone(annotations) });
    return Object.keys(metadata).length > 0 ? metadata : undefined;
  }

  /** The properties with what a preset sets by default. Called before anything of the construct is there. @internal */
  protected _withDefaults(props: GuestProps): GuestProps {
    return props;
  }

  /**
   * What was made last, as long as nothing has changed: it is asked for several times. Labels and annotations change
   * without a call of ours, once somebody has them in hand.
   *
   * @internal
   */
  protected _once<T extends object>(make: () => T): T {
    return this.ownMetadata ? make() : ((this.kept ??= make()) as T);
  }

  /** Annotations that change with what was generated. @internal */
  protected _checksums(): { readonly [annotation: string]: string } {
    return this.checksums;
  }

  /** What disks are made together with: they are named after it. Nothing where none can be. @internal */
  protected _owner(): INamedObject | undefined {
    return undefined;
  }

  /** Where the lists of the manifest come from. @internal */
  protected _origins(): Origins {
    return originsOf(this.parts());
  }

  /** To be called at the end of each constructor: holds the whole object to the rules. @internal */
  protected _validateOnSynth({ prefix, body, locate }: Whole): void {
    this.judge = validateOnSynth(this, {
      body,
      locate: (field) => {
        const passwords = passwordsOfUsers(this._props).length;
        const located = { prefix, origins: this._origins(), credentials: this.ownCredentials.length, passwords };
        const property = propertyOf(field, located) ?? locate?.(field);
        return property === 'memory' && this._props.memoryOptions?.quantity ? 'memoryOptions.quantity' : property;
      },
    });
  }

  /** Something was added. @internal */
  protected _changed(): void {
    this.rendered = undefined;
    this.kept = undefined;
    this.judge();
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
      ...this.generated,
    };
  }

  private generateCloudInit(): INamedObject | undefined {
    const stringData = this._props.cloudInit?._secretData();
    return stringData && this.generate('CloudInit', { kind: 'Secret', type: 'Opaque', stringData });
  }

  private generateSysprep(): INamedObject | undefined {
    const { sysprep } = this._props;
    const stringData = sysprep?._secretData();
    if (stringData) return this.generate('Sysprep', { kind: 'Secret', type: 'Opaque', stringData });
    const data = sysprep?._configData();
    return data && this.generate('Sysprep', { kind: 'ConfigMap', data });
  }

  /** An object of the guest's namespace. */
  private generate(id: string, object: ManifestOf): INamedObject {
    const { metadata } = this._props;
    return new ApiObject(this, id, {
      apiVersion: 'v1',
      ...object,
      ...(metadata?.namespace === undefined ? {} : { metadata: { namespace: metadata.namespace } }),
    });
  }
}
