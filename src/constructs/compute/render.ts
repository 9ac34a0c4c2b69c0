import type {
  AccessCredential,
  DataVolumeTemplateSpec,
  Devices,
  Disk as DiskSpec,
  DomainSpec,
  Filesystem,
  Volume,
  VirtualMachineInstanceSpec,
} from '../../api/generated/kubevirt-v1';
import type { VmNetwork } from '../network/vm-network';
import type { INamedObject } from '../resource';
import type { Disk } from '../storage/disk';
import { mistakeInCode } from '../validation';
import type { AccessCredential as OwnCredential } from './access-credential';
import type { Cpu } from './cpu';
import { defined, definedOrNone, listed } from '../defined';
import { renderDns } from './dns';
import { renderFeatures } from './features';
import type { GuestProps } from './guest-props';
import { renderMemory } from './memory';
import type { VmResourceClaim } from './resource-claim';
import { renderUtilityVolumes } from './utility-volume';
import { secondsOf } from '../duration';
import { secretOf, serviceAccountOf } from '../storage/reference';

/** Inputs for the spec of an instance. */
export interface GuestParts {
  readonly props: GuestProps;
  readonly cpu?: Cpu;
  readonly disks: readonly Disk[];
  readonly networks: readonly VmNetwork[];
  readonly credentials: readonly OwnCredential[];
  readonly claims: readonly VmResourceClaim[];
  readonly devices: Devices;
  readonly scheduling: Partial<VirtualMachineInstanceSpec>;
  /** Whether the VM has a preference, which then chooses the bus of disks that set none. */
  readonly preferred: boolean;
  /** Object that creates disks together with itself; undefined if it cannot. */
  readonly owner?: INamedObject;
  /** Object generated for cloud-init. */
  readonly cloudInit?: INamedObject;
  /** Object generated for sysprep. */
  readonly sysprep?: INamedObject;
}

/** Name of the disk with the answer file for Windows Setup. */
const SYSPREP = 'sysprep';

/** Renders the spec of an instance. Pure: the same input gives the same result. */
export function renderInstanceSpec(parts: GuestParts): VirtualMachineInstanceSpec {
  const { props, scheduling } = parts;
  const spec: VirtualMachineInstanceSpec = defined({
    ...scheduling,
    domain: renderDomain(parts),
    networks: listed(namedNetworks(parts.networks)?.map((network) => network._renderNetwork())),
    volumes: listed(renderVolumes(parts)),
    utilityVolumes: renderUtilityVolumes(props.utilityVolumes),
    resourceClaims: listed(renderClaims(parts)),
    accessCredentials: listed(renderCredentials(parts)),
    architecture: props.architecture?.value as 'amd64',
    hostname: props.hostname,
    subdomain: props.subdomain,
    ...renderDns(props.dns),
    readinessProbe: props.readiness?._render(),
    livenessProbe: props.liveness?._render(),
    serviceAccountName: props.serviceAccount && serviceAccountOf('serviceAccount', props.serviceAccount),
    startStrategy: props.startStrategy?.value as 'Paused',
    evictionStrategy: props.evictionStrategy?.value as 'None',
    terminationGracePeriodSeconds: secondsOf('terminationGracePeriod', props.terminationGracePeriod),
  });
  return props.instanceSpec ? (mergeOver(spec, props.instanceSpec) as VirtualMachineInstanceSpec) : spec;
}

function renderDomain(parts: GuestParts): DomainSpec {
  const { props, cpu, devices } = parts;
  const networks = namedNetworks(parts.networks);
  const { machineType, chassis } = props;
  return defined({
    cpu: cpu?._render(),
    memory: renderMemory(props.memory, props.memoryOptions),
    resources: renderResources(props),
    firmware: props.firmware?._render(),
    machine: machineType === undefined ? undefined : { type: machineType },
    chassis: chassis && defined({ ...chassis }),
    clock: props.clock?._render(),
    features: renderFeatures(props.features, props.hyperv, props.firmware?.secureBoot),
    launchSecurity: props.launchSecurity?._render(),
    ...props.ioThreads?._render(),
    rebootPolicy: props.rebootPolicy?.value as 'Reboot',
    devices: defined({
      disks: listed(renderDisks(parts)),
      filesystems: listed(renderFilesystems(parts)),
      interfaces: listed(networks?.map((network) => network._renderInterface())),
      ...(networks?.length === 0 ? { autoattachPodInterface: false } : {}),
      ...devices,
    }),
  });
}

/** Returns the networks to render; undefined if the platform chooses them. */
function namedNetworks(networks: readonly VmNetwork[]): readonly VmNetwork[] | undefined {
  if (!networks.some((network) => network._isPlatform())) return networks;
  if (networks.length > 1) {
    const message = 'cannot be combined with other networks';
    const remedy = 'use VmNetwork.masquerade() for the Pod network instead';
    mistakeInCode('VmNetwork.platform', 'networks', message, remedy, 'platform-network-alone');
  }
  return undefined;
}

/**
 * Returns undefined if no property sets resources. An empty list of requests renders an empty `resources`, as many
 * tools write it.
 */
function renderResources({ requests, limits, overcommitGuestOverhead }: GuestProps): DomainSpec['resources'] {
  if (requests === undefined && limits === undefined && overcommitGuestOverhead === undefined) return undefined;
  return defined({
    requests: requests && definedOrNone({ ...requests }),
    limits: limits && { ...limits },
    overcommitGuestOverhead,
  });
}

function renderDisks({ props, disks, preferred }: GuestParts): DiskSpec[] {
  return [
    ...disks.flatMap((disk, i) => disk._renderDisk(i, preferred) ?? []),
    ...(props.sysprep ? [{ name: SYSPREP, cdrom: preferred ? {} : { bus: 'sata' as const } }] : []),
    ...(props.cloudInit ? [{ name: props.cloudInit.diskName, disk: preferred ? {} : { bus: 'virtio' as const } }] : []),
  ];
}

function renderFilesystems({ disks }: GuestParts): Filesystem[] {
  return disks.flatMap((disk, i) => disk._renderFilesystem(i) ?? []);
}

function renderVolumes({ props, disks, owner, sysprep, cloudInit }: GuestParts): Volume[] {
  return [
    ...disks.flatMap((disk, i) => disk._renderVolume(i, owner) ?? []),
    ...(props.firmware?._renderVolumes() ?? []),
    ...(props.sysprep ? [props.sysprep._renderVolume(SYSPREP, sysprep)] : []),
    ...(props.cloudInit ? [props.cloudInit._renderVolume(props.cloudInit.diskName, cloudInit)] : []),
  ];
}

/** Renders the DataVolumes that are created together with a VM. */
export function renderDataVolumeTemplates(disks: readonly Disk[], owner: INamedObject): DataVolumeTemplateSpec[] {
  return disks.flatMap((disk, i) => disk._renderDataVolumeTemplate(i, owner) ?? []);
}

/** Renders each claim once, even if `resourceClaims` also lists the claim of a device. */
function renderClaims({ claims }: GuestParts): VirtualMachineInstanceSpec['resourceClaims'] {
  return [...new Set(claims)].map((claim) => claim._render());
}

/** Returns the names of the Secrets with passwords of cloud-init users. */
export function passwordsOfUsers({ cloudInit }: GuestProps): string[] {
  return [
    ...new Set(
      (cloudInit?.users ?? []).flatMap(({ passwordFrom }) =>
        passwordFrom ? [secretOf('CloudUser: passwordFrom', passwordFrom)] : [],
      ),
    ),
  ];
}

/**
 * Renders the access credentials of the property, and those for the passwords of cloud-init users and of the Windows
 * administrator, which the guest agent sets. Users of one Secret share an entry, since its keys are user names.
 */
function renderCredentials({ props, credentials }: GuestParts): AccessCredential[] {
  const adminPassword = props.sysprep?.admin?.passwordFrom;
  const secrets = new Set([...passwordsOfUsers(props), ...(adminPassword ? [adminPassword.name] : [])]);
  return [
    ...credentials.map((credential) => credential._render()),
    ...[...secrets].map((secretName) => ({
      userPassword: { source: { secret: { secretName } }, propagationMethod: { qemuGuestAgent: {} } },
    })),
  ];
}

/** Properties behind the disks, volumes and file systems of the manifest, in its order. */
export interface Origins {
  readonly disks: readonly string[];
  readonly volumes: readonly string[];
  readonly filesystems: readonly string[];
  readonly templates: readonly string[];
}

/** Returns the property behind each item of the manifest's lists. */
export function originsOf({ props, disks, owner }: GuestParts): Origins {
  const disksWith = (part: (disk: Disk, i: number) => unknown): string[] =>
    disks.flatMap((disk, i) => (part(disk, i) === undefined ? [] : `disks[${i}]`));
  const extra = [...(props.sysprep ? ['sysprep'] : []), ...(props.cloudInit ? ['cloudInit'] : [])];
  return {
    disks: [...disksWith((disk, i) => disk._renderDisk(i)), ...extra],
    volumes: [
      ...disksWith((disk, i) => disk._renderVolume(i, owner)),
      ...(props.firmware?._renderVolumes() ?? []).map(() => 'firmware'),
      ...extra,
    ],
    filesystems: disksWith((disk, i) => disk._renderFilesystem(i)),
    templates: owner ? disksWith((disk, i) => disk._renderDataVolumeTemplate(i, owner)) : [],
  };
}

/** @throws if the value is not plain data, which is all that a manifest can hold */
export function requirePlainData(instanceSpec: object): void {
  try {
    JSON.stringify(instanceSpec);
  } catch {
    const remedy = 'write the fields as plain objects, lists and scalars, as in the API';
    mistakeInCode(
      'instanceSpec',
      '',
      'is not plain data: a value in it contains itself or cannot be written as JSON',
      remedy,
      'plain-data',
    );
  }
}

/** Merges `over` into `base`: objects merge; lists and scalars replace. */
function mergeOver(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, own] of Object.entries(over)) {
    const value = Object.hasOwn(base, key) ? mergeOver(base[key], own) : own;
    // defined as a property, so that validation rejects a key such as __proto__
    Object.defineProperty(merged, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
