import { closest } from '../api/names';

/**
 * A property that the user probably meant. Detects properties that a struct does not have. TypeScript reports every
 * unknown property of a literal; programs that run without a type checker silently lose them. Unknown properties that
 * resemble no other property are allowed, in the props of constructs and in options: a subclass passes its own
 * properties on, and a program may pass one object to several calls.
 */
export interface Meant {
  /** Path of the intended property, such as `bootOrder` or `scheduling.nodeSelector`. */
  readonly property: string;
  /** Example of a value, if its form differs from what the user wrote. */
  readonly example?: string;
}

/** Property or nested property, with an example of its value. */
type Neighbour = readonly [property: string, example?: string];

const all = (names: readonly string[], ...meant: Neighbour[]): [string, readonly Neighbour[]][] =>
  names.map((name) => [name, meant]);

/**
 * Names from neighbouring APIs (KubeVirt, Kubernetes, cloud-init, libvirt) and the corresponding properties of this
 * library.
 */
const NEIGHBOURS: ReadonlyMap<string, readonly Neighbour[]> = new Map([
  ...all(['running'], ['runStrategy', 'RunStrategy.ALWAYS or RunStrategy.HALTED']),
  ...all(['cpus', 'vcpus', 'vCpus', 'vCPUs', 'cores'], ['cpu', 'Cpu.sockets(2)'], ['cpus', '2']),
  ...all(['ram', 'mem', 'memoryMb', 'memoryGb', 'memoryMiB', 'memoryGiB'], ['memory', 'Size.gibibytes(2)']),
  ...all(['volumes', 'filesystems', 'dataVolumeTemplates'], ['disks', "[Disk.containerDisk('…')]"]),
  ...all(['interfaces'], ['networks', '[VmNetwork.masquerade()]']),
  ...all(['userData', 'cloudInitNoCloud', 'cloudInitConfigDrive'], ['cloudInit', 'CloudInit.raw(…)']),
  ...all(['mac', 'macaddr', 'hwaddr', 'hardwareAddress'], ['macAddress']),
  ...all(['filename', 'fileName', 'file', 'dest', 'destination'], ['path']),
  ...all(['mode', 'chmod'], ['permissions', "'0644'"]),
  ...all(['readinessProbe'], ['readiness', 'VmProbe.fromTcpSocket(22)']),
  ...all(['livenessProbe'], ['liveness', 'VmProbe.fromGuestAgent()']),
  ...all(['imagePullPolicy'], ['pullPolicy', 'PullPolicy.ALWAYS']),
  ...all(['imagePullSecret', 'imagePullSecrets'], ['pullSecret', "{ name: '…' }"], ['pullSecrets']),
  ...all(['storageClass'], ['storageClassName']),
  ...all(['type'], ['serviceType', 'VmServiceType.LOAD_BALANCER']),
  ...all(['tolerationSeconds'], ['evictAfter', 'Duration.seconds(…)']),
  ...all(['serviceAccountName'], ['serviceAccount', "{ name: '…' }"]),
  ...all(['password', 'passwd', 'plainTextPasswd', 'hashedPasswd'], ['passwordFrom', "{ name: '…' }"]),
  ...all(['ssh_keys', 'authorizedKeys', 'sshAuthorizedKeys'], ['sshKeys']),
  ...all(['secretRef'], ['credentials', "{ name: '…' }"]),
  ...all(['boot'], ['bootOrder', '1']),
  ...all(['ro'], ['readOnly', 'true']),
  ...all(['machine'], ['machineType']),
  ...all(['arch'], ['architecture', 'Architecture.AMD64']),
  ...all(['nodeSelector'], ['scheduling.nodeSelector']),
  ...all(['affinity'], ['scheduling.affinity']),
  ...all(['tolerations'], ['scheduling.tolerations']),
  ...all(['schedulerName'], ['scheduling.schedulerName']),
  ...all(['priorityClassName'], ['scheduling.priorityClass']),
  ...all(['topologySpreadConstraints'], ['scheduling.topologySpread']),
  ...all(['dnsPolicy'], ['dns.policy']),
  ...all(['hugepages'], ['memoryOptions.hugepages']),
  ...['gpus', 'hostDevices', 'tpm', 'watchdog', 'rng', 'vsock'].flatMap((name) => all([name], [`devices.${name}`])),
]);

const firmware: Neighbour = ['firmware', 'Firmware.efi({ secureBoot: true })'];
const users: Neighbour = ['users', "[CloudUser.named('ops', { sshKeys: ['…'] })]"];
const passwordFrom: Neighbour = ['passwordFrom', "{ name: '…' }"];
const configured: Neighbour = ['cloudInit', 'CloudInit.noCloud({ … })'];

/** Names that a subclass may use for properties of its own. */
const DIRECT_NEIGHBOURS: ReadonlyMap<string, readonly Neighbour[]> = new Map([
  ...all(['bios', 'efi', 'uefi', 'secureBoot', 'bootloader'], firmware),
  ...all(['nics', 'networkInterfaces'], ['networks', '[VmNetwork.masquerade()]']),
  ...all(['containerDisk', 'bootDisk', 'rootDisk'], ['disks', "[Disk.containerDisk('…')]"]),
  ...all(['cpuModel'], ['cpu', "Cpu.cores(2, { model: '…' })"]),
  ...all(['resources'], ['requests', "{ memory: '2Gi' }"]),
  ...all(['domain'], ['instanceSpec', '{ domain: { … } }']),
  ...all(['restartPolicy'], ['runStrategy', 'RunStrategy.RERUN_ON_FAILURE']),
  ...all(['paused'], ['startStrategy', 'StartStrategy.PAUSED']),
  ...all(['priorityClass'], ['scheduling.priorityClass']),
  ...all(['cloudConfig', 'userdata', 'user_data'], configured, ['userData']),
  ...all(['sshKeys', 'sshAuthorizedKeys', 'ssh_authorized_keys', 'packages', 'users'], configured, users, ['sshKeys']),
  ...all(['authorizedKeys', 'keys', 'key', 'sshKey'], ['sshKeys', "['…']"]),
  ...all(['password', 'passwd', 'hashedPasswd', 'hashed_passwd', 'chpasswd'], passwordFrom, users),
  ...all(['home', 'homedir'], ['homeDirectory', "'/home/…'"]),
  ...all(['network', 'networkData'], ['networkConfig', 'CloudNetwork.v2({ … })']),
  ...all(['commands', 'runCommands', 'script'], ['runcmd', "['…']"]),
  ...all(['files'], ['writeFiles', "[{ path: '…', content: '…' }]"]),
  ...all(['cron', 'every', 'interval'], ['schedule', "'@daily'"]),
  ...all(['retention', 'retain', 'keepLast', 'max', 'count'], ['keep', '7']),
  ...all(['tz'], ['timeZone', "'Europe/Prague'"], ['timezone', "'Europe/Prague'"]),
]);

/** Text to write instead of a property that is an argument or another factory, by a property of the same options. */
const ADVICE: readonly (readonly [name: string, beside: string, remedy: string])[] = [
  ['protocol', 'targetPort', 'use VmPort.udp(…), or VmPort.of(VmProtocol.…, …) for another protocol'],
  ['port', 'targetPort', 'the port is the first argument'],
  ['vlan', 'acpiIndex', 'set the VLAN in the attachment: Cni.bridge(…, { vlan })'],
  ['ip', 'acpiIndex', 'set the address in CloudInit (networkConfig), or by ipam of the attachment'],
  ['ipAddress', 'acpiIndex', 'set the address in CloudInit (networkConfig), or by ipam of the attachment'],
];

/** Returns what to do instead of using a property that options do not have, if it is known. */
export const adviceFor = (name: string, properties: ReadonlySet<string>): string | undefined =>
  ADVICE.find(([each, beside]) => each === name && properties.has(beside))?.[2];

/** Shorter names resemble too many others. */
const SHORTEST = 5;
const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');
const singular = (name: string): string => name.replace(/s$/, '');

/** Context of an unknown property. */
export interface Found {
  /** Properties of the struct. */
  readonly properties: readonly string[];
  /** Whether the object has a value for this property of the struct. */
  readonly isGiven: (property: string) => boolean;
  /** Whether any struct has a property of this name: the object may be intended for several calls. */
  readonly isKnown: (name: string) => boolean;
  /**
   * Whether a subclass passes the object on. A subclass may have properties of its own, such as `disk` beside `disks`.
   */
  readonly ofSubclass: boolean;
}

/** Returns the property that the user probably meant by an unknown one, if there is a similar one. */
export function meantBy(name: string, { properties, isGiven, isKnown, ofSubclass }: Found): Meant | undefined {
  const free = properties.filter((property) => !isGiven(property));
  const direct = ofSubclass ? undefined : DIRECT_NEIGHBOURS.get(name);
  for (const [property, example] of NEIGHBOURS.get(name) ?? direct ?? []) {
    if (free.includes(property.split('.')[0])) return { property, example };
  }
  const duration = name.replace(/(Seconds|Secs|Sec)$/, '');
  if (duration !== name && free.includes(duration)) return { property: duration, example: 'Duration.seconds(…)' };
  // the existing value may be a default that the misspelt property was meant to replace
  const candidates = ofSubclass ? free : properties;
  const same = candidates.find((property) => plain(property) === plain(name));
  if (same !== undefined) return { property: same };
  if (isKnown(name) || name.length < SHORTEST) return undefined;
  const near = closest(name, candidates, name.length < 9 ? 1 : 2);
  if (near === undefined) return undefined;
  const isPlural = singular(near) === singular(name);
  return isPlural && (ofSubclass || isGiven(near)) ? undefined : { property: near };
}
