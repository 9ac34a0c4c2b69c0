import type { Origins } from './render';

type Rule = readonly [pattern: RegExp, property: string];

/** Path of a guest's spec in the manifest, and the properties behind its lists. */
export interface Located {
  /** Path of the instance's spec: `spec`, `spec.template.spec`, … */
  readonly prefix: string;
  readonly origins: Origins;
  /** Number of access credentials from the property `accessCredentials`. */
  readonly credentials: number;
  /**
   * Number of access credentials of cloud-init users, which follow those. The rest belong to the Windows administrator.
   */
  readonly passwords: number;
}

/** Fields of a disk and their properties. */
const diskFields: readonly Rule[] = [
  [/^(?:disk|cdrom|lun)\.(bus|tray|pciAddress|reservation)\b.*/, '$1'],
  [/^(?:disk|cdrom|lun)\.readonly\b/, 'readOnly'],
  [/^dedicatedIOThread\b/, 'dedicatedIoThread'],
  [/^(blockSize|bootOrder|cache|errorPolicy|io|name|serial|shareable|tag)\b.*/, '$1'],
];

/** Fields of a volume that are set by properties of the disk. */
const volumeFields: readonly Rule[] = [
  [/^name\b/, 'name'],
  [/^containerDisk\.path\b/, 'path'],
  [/^containerDisk\.imagePullPolicy\b/, 'pullPolicy'],
  [/^containerDisk\.imagePullSecret\b/, 'pullSecret'],
  [/^\w+\.(hotpluggable|volumeLabel|optional)\b/, '$1'],
];

/** Fields of an interface and their properties. */
const interfaceFields: readonly Rule[] = [
  [/^state\b/, 'linkState'],
  [/^(acpiIndex|bootOrder|macAddress|model|name|pciAddress|tag|dhcpOptions|ports)\b/, '$1'],
];

/** Properties outside `disks` that also render disks. */
const generated = new Set(['cloudInit', 'sysprep', 'firmware']);

/** Fields of a guest's spec and the property that sets each. The first matching rule applies. */
const fields: readonly Rule[] = [
  [/^domain\.cpu\.dedicatedCpuPlacement\b/, 'cpu.dedicated'],
  [/^domain\.cpu\.numa\b.*/, 'cpu.numaPassthrough'],
  [/^domain\.cpu\b/, 'cpu'],
  [/^domain\.memory\.(maxGuest|hugepages)\b.*/, 'memoryOptions.$1'],
  [/^domain\.memory\.reservedOverhead\.memLock\b/, 'memoryOptions.locked'],
  [/^domain\.memory\.reservedOverhead\b/, 'memoryOptions'],
  [/^domain\.memory\b.*/, 'memory'],
  [/^domain\.resources\.(requests|limits|overcommitGuestOverhead)\b/, '$1'],
  [/^domain\.firmware\.bootloader\.(?:efi|bios)\b/, 'firmware'],
  [/^domain\.firmware\.bootloader\b.*/, 'firmware'],
  [/^domain\.firmware\.kernelBoot\.container\.imagePull(Policy|Secret)\b/, 'firmware.kernelBoot.pull$1'],
  [/^domain\.firmware\.kernelBoot\.container\b/, 'firmware.kernelBoot'],
  [/^domain\.firmware\.kernelBoot\.kernelArgs\b/, 'firmware.kernelBoot.args'],
  [/^domain\.firmware\.acpi\.(slic|msdm)NameRef\b/, 'firmware.$1Table'],
  [/^domain\.firmware\b/, 'firmware'],
  [/^domain\.machine\b.*/, 'machineType'],
  [/^domain\.clock\.timezone\b.*/, 'clock'],
  [/^domain\.clock\.utc\b/, 'clock'],
  [/^domain\.clock\.timer\b/, 'clock.timers'],
  [/^domain\.features\.hyperv(?:Passthrough)?\.(ipi|evmcs|frequencies|reenlightenment|relaxed|reset)\b.*/, 'hyperv.$1'],
  [/^domain\.features\.hyperv\.(runtime|spinlocks|synic|vapic)\b.*/, 'hyperv.$1'],
  [/^domain\.features\.hyperv\.synictimer\b.*/, 'hyperv.synicTimer'],
  [/^domain\.features\.hyperv\.tlbflush\b.*/, 'hyperv.tlbFlush'],
  [/^domain\.features\.hyperv\.vendorid\b.*/, 'hyperv.vendorId'],
  [/^domain\.features\.hyperv\.vpindex\b.*/, 'hyperv.vpIndex'],
  [/^domain\.features\.hyperv\w*.*/, 'hyperv'],
  [/^domain\.features\.apic\.endOfInterrupt\b/, 'features.apicEndOfInterrupt'],
  [/^domain\.features\.kvm\b.*/, 'features.kvmHidden'],
  [/^domain\.features\.pvspinlock\b.*/, 'features.pvSpinlock'],
  [/^domain\.features\.(acpi|apic|smm)\b.*/, 'features.$1'],
  [/^domain\.launchSecurity\b.*/, 'launchSecurity'],
  [/^domain\.ioThreads(?:Policy)?\b.*/, 'ioThreads'],
  [/^domain\.(chassis|features|clock|rebootPolicy)\b/, '$1'],
  [/^domain\.devices\.autoattachGraphicsDevice\b/, 'devices.graphics'],
  [/^domain\.devices\.autoattachInputDevice\b/, 'devices.inputDevice'],
  [/^domain\.devices\.autoattachMemBalloon\b/, 'devices.memBalloon'],
  [/^domain\.devices\.autoattachPodInterface\b/, 'devices.podInterface'],
  [/^domain\.devices\.autoattachSerialConsole\b/, 'devices.serialConsole'],
  [/^domain\.devices\.autoattachVSOCK\b/, 'devices.vsock'],
  [/^domain\.devices\.networkInterfaceMultiqueue\b/, 'devices.networkMultiQueue'],
  [/^domain\.devices\.useVirtioTransitional\b/, 'devices.virtioTransitional'],
  [/^domain\.devices\.(rng|tpm|sound|video|watchdog|clientPassthrough|downwardMetrics)\b.*/, 'devices.$1'],
  [/^domain\.devices\b/, 'devices'],
  [/^priorityClassName\b/, 'scheduling.priorityClass'],
  [/^topologySpreadConstraints\b/, 'scheduling.topologySpread'],
  [/^(nodeSelector|tolerations|affinity|schedulerName)\b/, 'scheduling.$1'],
  [/^dnsPolicy\b/, 'dns.policy'],
  [/^dnsConfig\b/, 'dns'],
  [/^(readiness|liveness)Probe\.initialDelaySeconds\b/, '$1.initialDelay'],
  [/^(readiness|liveness)Probe\.(period|timeout)Seconds\b/, '$1.$2'],
  [/^(readiness|liveness)Probe\b/, '$1'],
  [/^serviceAccountName\b/, 'serviceAccount'],
  [/^terminationGracePeriodSeconds\b/, 'terminationGracePeriod'],
  [/^utilityVolumes(\[\d+\])\.claimName\b/, 'utilityVolumes$1.claim'],
  [/^(architecture|hostname|subdomain|startStrategy|evictionStrategy|resourceClaims|utilityVolumes)\b/, '$1'],
];

/**
 * Returns the construct property that sets this field of a guest's spec, such as `disks[1].bus`; undefined if only
 * `instanceSpec` can set it.
 */
export function propertyOf(field: string, { prefix, origins, credentials, passwords }: Located): string | undefined {
  if (!field.startsWith(`${prefix}.`)) return undefined;
  const own = field.slice(prefix.length + 1);
  const item =
    /^(?:domain\.devices\.)?(disks|filesystems|volumes|interfaces|networks|accessCredentials)\[(\d+)\](?:\.(.*))?$/;
  const [, list, index, rest = ''] = item.exec(own) ?? [];
  switch (list) {
    case 'disks':
      return below(origins.disks[Number(index)], rest, diskFields);
    case 'volumes':
      return below(origins.volumes[Number(index)], rest, volumeFields);
    case 'filesystems':
      return below(origins.filesystems[Number(index)], rest, volumeFields);
    case 'interfaces':
      return below(`networks[${index}]`, rest, interfaceFields);
    case 'networks':
      return below(`networks[${index}]`, rest, [[/^name\b/, 'name']]);
    case 'accessCredentials':
      if (Number(index) < credentials) return `accessCredentials[${index}]`;
      return Number(index) < credentials + passwords ? 'cloudInit.users' : 'sysprep.admin';
    default:
      return replaced(own.replace(/^domain\.devices\.interfaces\b.*/, 'networks'), [
        [/^(?:domain\.devices\.)?(disks|networks)$/, '$1'],
        [/^volumes$/, 'disks'],
        [/^accessCredentials$/, 'accessCredentials'],
        ...fields,
      ]);
  }
}

/** Returns the property of an item that sets the field, or the item itself if it has none. */
function below(item: string | undefined, rest: string, rules: readonly Rule[]): string | undefined {
  if (item === undefined || generated.has(item)) return item;
  const property = rest === '' ? undefined : replaced(rest, rules);
  return property === undefined ? item : `${item}.${property}`;
}

function replaced(text: string, rules: readonly Rule[]): string | undefined {
  const rule = rules.find(([pattern]) => pattern.test(text));
  return rule && text.replace(rule[0], rule[1]);
}
