import type { Finding, RuleId } from '../api/findings';

/**
 * What to do in code, for rules whose remedy names fields of the manifest that have other names as properties. Keyed by
 * the rule, so that rules know nothing of constructs.
 */
const REMEDIES: Partial<Record<RuleId, string | ((finding: Finding) => string)>> = {
  'acpi-volume': 'add Disk.secret(…) with this name to disks',
  'cron-source': 'use DataVolumeSource.registry, DataVolumeSource.imageStream or DataVolumeSource.claim',
  'credential-volume': ({ path }) =>
    `add cloudInit: ${path.parts.includes('configDrive') ? 'CloudInit.configDrive' : 'CloudInit.noCloud'}({})`,
  'dedicated-cpu-count': 'set cpu, such as Cpu.cores(2, { dedicated: true })',
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
  'migration-limits': ({ remedy }) => remedy.replace('parallelMigrationsPerCluster', 'parallelPerCluster'),
  'numa-dedicated': 'set dedicated: true, as in Cpu.cores(2, { dedicated: true })',
  'numa-hugepages': 'set hugepages, as in memoryOptions: { hugepages: HugepageSize.TWO_MEBIBYTES }',
  'realtime-dedicated': 'set dedicated: true, as in Cpu.cores(2, { dedicated: true })',
  'realtime-numa': 'set numaPassthrough: true, as in Cpu.cores(2, { dedicated: true, numaPassthrough: true })',
  'schema-unknown-field': ({ path, remedy }) =>
    path.parts.at(-1) === 'volumeAttributesClassName'
      ? 'set exact: true with a size and one access mode, or remove it'
      : remedy,
  'secure-boot-smm': 'remove smm: false from features, or set secureBoot: false in the options of the firmware',
};

/** Returns the remedy of a finding in terms of constructs and their properties. */
export function remedyInCode(finding: Finding): string {
  const remedy = REMEDIES[finding.rule] ?? finding.remedy;
  return typeof remedy === 'string' ? remedy : remedy(finding);
}
