import { type Finding, KUBEVIRT, Path, type RuleId } from '../api/findings';
import { propertyOf } from './platform/property-of';

/**
 * What to do in code, for rules whose remedy names fields of the manifest that have other names as properties. Keyed by
 * the rule, so that rules know nothing of constructs.
 */
const REMEDIES: Partial<Record<RuleId, string | ((finding: Finding) => string)>> = {
  'acpi-volume': 'add Disk.secret(…) with this name to disks',
  'arm64-bios': 'use firmware: Firmware.efi({ secureBoot: false })',
  'arm64-secure-boot': 'use firmware: Firmware.efi({ secureBoot: false })',
  'binding-discontinued': 'use VmNetwork.passt() or VmNetwork.masquerade()',
  'bridge-pod-network':
    'use VmNetwork.masquerade(), or set configuration.bridgeOnPodNetwork: true in the KubeVirt construct',
  'cron-source': 'use DataVolumeSource.registry, DataVolumeSource.imageStream or DataVolumeSource.claim',
  'credential-volume': ({ path, allowed }) =>
    allowed
      ? `use AccessCredential.${allowed[0] === 'configDrive' ? 'sshKeysByConfigDrive' : 'sshKeysByNoCloud'}(…)`
      : `add cloudInit: ${path.parts.includes('configDrive') ? 'CloudInit.configDrive' : 'CloudInit.noCloud'}({})`,
  'dedicated-cpu-count': ({ value, remedy }) =>
    value === undefined ? 'set cpu, such as Cpu.cores(2, { dedicated: true })' : remedy,
  'dedicated-memory': 'set memory, such as Size.gibibytes(2)',
  'default-network': 'set networks: [VmNetwork.masquerade()]',
  'drivers-cdrom': 'set device: DiskDevice.CDROM',
  'io-thread-bus': 'set bus: DiskBus.VIRTIO',
  'isolate-emulator-thread':
    'set dedicated: true, as in Cpu.cores(2, { dedicated: true, isolateEmulatorThread: true })',
  'launch-security-persistent': 'remove persistent: true from the firmware',
  'launch-security-secure-boot': 'set secureBoot: false in the options of the firmware',
  'launch-security-smm': 'remove smm: true from features',
  'lun-has-claim': 'leave device: DiskDevice.LUN out, or use Disk.persistentVolumeClaim or Disk.dataVolume',
  'memory-required': 'set memory, such as Size.gibibytes(1), or an instancetype',
  'numa-dedicated': 'set dedicated: true, as in Cpu.cores(2, { dedicated: true })',
  'numa-hugepages': 'set hugepages, as in memoryOptions: { hugepages: HugepageSize.TWO_MEBIBYTES }',
  'pod-network-only': 'use the bridge binding here, or a Pod network',
  'probe-pod-network': 'use VmProbe.fromGuestAgent() or VmProbe.fromCommand(…)',
  'realtime-dedicated': 'set dedicated: true, as in Cpu.cores(2, { dedicated: true })',
  'realtime-numa': 'set numaPassthrough: true, as in Cpu.cores(2, { dedicated: true, numaPassthrough: true })',
  'restore-identity': ({ patched = '' }) =>
    `add JsonPatch.replace('${patched}', '') to patches, or write the new value without colons`,
  'schema-unknown-field': ({ path, remedy }) =>
    path.parts.at(-1) === 'volumeAttributesClassName'
      ? 'set exact: true with a size and one access mode, or remove it'
      : remedy,
  'secure-boot-smm': 'remove smm: false from features, or set secureBoot: false in the options of the firmware',
  'subdomain-service': 'set headless: true of the Service',
  toleration: ({ path, remedy }) =>
    path.parts.at(-1) === 'tolerationSeconds' ? 'set effect: TaintEffect.NO_EXECUTE, or leave evictAfter out' : remedy,
};

type Locate = (field: string) => string | undefined;

/** Returns the cause and the remedy of a finding in terms of constructs and their properties. */
export function wordsInCode(finding: Finding, locate: Locate): Pick<Finding, 'cause' | 'remedy'> {
  const remedy = REMEDIES[finding.rule] ?? finding.remedy;
  const names = namesIn(finding, locate);
  return {
    cause: renamed(finding.cause, names),
    remedy: renamed(typeof remedy === 'string' ? remedy : remedy(finding), names),
  };
}

/** Name of a field in a message, and the property that sets the field. */
interface Name {
  readonly name: string;
  readonly property: string;
  /** Whether a field below it has the property's name, too: `requests.cpu`. */
  readonly isPrefix: boolean;
}

/** Returns the fields that a finding names and that properties set. */
function namesIn({ path, field = '', fields = {} }: Finding, locate: Locate): Name[] {
  // a message may name the field at fault, a field that contains it, and KubeVirt's own name of it
  const around = path.parts.map((_, i) => Path.of(...path.parts.slice(0, i + 1))).slice(1);
  const own = [...around.map((each) => [`${each}`, each] as const), [field, path] as const];
  return [
    ...Object.entries(fields).map(([name, each]) => ({ name, property: propertyFor(each, locate), isPrefix: true })),
    ...own
      .filter(([name]) => name.includes('.') && !Object.hasOwn(fields, name))
      .map(([name, each]) => ({ name, property: propertyFor(each, locate), isPrefix: false })),
  ].filter((each): each is Name => each.property !== undefined);
}

function propertyFor(path: Path, locate: Locate): string | undefined {
  const [first, ...rest] = path.parts;
  return first === KUBEVIRT ? propertyOf(`${Path.of(...rest)}`) : locate(`${path}`);
}

function renamed(text: string, names: readonly Name[]): string {
  const used = names.filter(({ name }) => text.includes(name)).sort((a, b) => b.name.length - a.name.length);
  if (used.length === 0) return text;
  // a longer name first: it may begin with a shorter one
  const patterns = used.map(({ name, isPrefix }) => `${escaped(name)}(?![\\w[]${isPrefix ? '' : '|\\.\\w'})`);
  const properties = new Map(used.map(({ name, property }) => [name, property]));
  return text.replace(new RegExp(patterns.join('|'), 'g'), (name) => properties.get(name)!);
}

const escaped = (name: string): string => name.replace(/[[\]().{}$*+?|^\\]/g, '\\$&');
