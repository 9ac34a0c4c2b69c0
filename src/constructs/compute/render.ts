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

/** Everything that makes up the spec of an instance. */
export interface GuestParts {
  readonly props: GuestProps;
  readonly cpu?: Cpu;
  readonly disks: readonly Disk[];
  readonly networks: readonly VmNetwork[];
  readonly credentials: readonly OwnCredential[];
  readonly claims: readonly VmResourceClaim[];
  readonly devices: Devices;
  readonly scheduling: Partial<VirtualMachineInstanceSpec>;
  /** Is there a preference, to which a bus that was not chosen is left? */
  readonly preferred: boolean;
  /** What disks are made together with; nothing where none can be. */
  readonly owner?: INamedObject;
  /** What was generated for cloud-init. */
  readonly cloudInit?: INamedObject;
  /** What was generated for sysprep. */
  readonly sysprep?: INamedObject;
}

/** Name of the disk that Windows Setup reads. */
const SYSPREP = 'sysprep';

/** The instance's spec. Pure: rendering twice gives the same. */
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

/** The networks that are rendered; undefined when they are left to the platform. */
function namedNetworks(networks: readonly VmNetwork[]): readonly VmNetwork[] | undefined {
  if (!networks.some((network) => network._isPlatform())) return networks;
  if (networks.length > 1) {
    const message = 'the platform attaches a network only to a guest that names none';
    const remedy = 'name the Pod network, too: VmNetwork.masquerade()';
    mistakeInCode('VmNetwork.platform', 'networks', message, remedy, 'platform-network-alone');
  }
  return undefined;
}

/** Nothing named is nothing rendered; an empty list of requests is an empty `resources`, as many tools write it. */
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

/** DataVolumes that are made together with a VM. */
export function renderDataVolumeTemplates(disks: readonly Disk[], owner: INamedObject): DataVolumeTemplateSpec[] {
  return disks.flatMap((disk, i) => disk._renderDataVolumeTemplate(i, owner) ?? []);
}

/** Claims of devices come once, whoever else names them. */
function renderClaims({ claims }: GuestParts): VirtualMachineInstanceSpec['resourceClaims'] {
  return [...new Set(claims)].map((claim) => claim._render());
}

/** Names of the Secrets with passwords of cloud-init's users. */
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
 * What was asked for, and passwords of cloud-init's users and of Windows' administrator, which the guest agent sets.
 * Users of one Secret share one entry: the Secret's keys are their names.
 */
function renderCredentials({ props, credentials }: GuestParts): AccessCredential[] {
  const ofAdmin = props.sysprep?.admin?.passwordFrom;
  const secrets = new Set([...passwordsOfUsers(props), ...(ofAdmin ? [ofAdmin.name] : [])]);
  return [
    ...credentials.map((credential) => credential._render()),
    ...[...secrets].map((secretName) => ({
      userPassword: { source: { secret: { secretName } }, propagationMethod: { qemuGuestAgent: {} } },
    })),
  ];
}

/** Where the disks, volumes and folders of a manifest come from, in its order. */
export interface Origins {
  readonly disks: readonly string[];
  readonly volumes: readonly string[];
  readonly filesystems: readonly string[];
  readonly templates: readonly string[];
}

/** The properties behind the lists of the manifest. */
export function originsOf({ props, disks, owner }: GuestParts): Origins {
  const those = (is: (disk: Disk, i: number) => unknown): string[] =>
    disks.flatMap((disk, i) => (is(disk, i) === undefined ? [] : `disks[${i}]`));
  const extra = [...(props.sysprep ? ['sysprep'] : []), ...(props.cloudInit ? ['cloudInit'] : [])];
  return {
    disks: [...those((disk, i) => disk._renderDisk(i)), ...extra],
    volumes: [
      ...those((disk, i) => disk._renderVolume(i, owner)),
      ...(props.firmware?._renderVolumes() ?? []).map(() => 'firmware'),
      ...extra,
    ],
    filesystems: those((disk, i) => disk._renderFilesystem(i)),
    templates: owner ? those((disk, i) => disk._renderDataVolumeTemplate(i, owner)) : [],
  };
}

/** @throws when what was given is no data, which a manifest could not hold */
export function mustBeData(instanceSpec: object): void {
  try {
    JSON.stringify(instanceSpec);
  } catch {
    const remedy = 'write the fields out, as the API has them';
    mistakeInCode(
      'instanceSpec',
      '',
      'is no data: something in it contains itself, or has no form',
      remedy,
      'plain-data',
    );
  }
}

/** Objects merge; lists and scalars replace. */
function mergeOver(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, own] of Object.entries(over)) {
    const value = Object.hasOwn(base, key) ? mergeOver(base[key], own) : own;
    // a key like __proto__ stays a key, so that it is refused as one
    Object.defineProperty(merged, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
