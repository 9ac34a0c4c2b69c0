/** Notes about an imported domain. */

/** Collects notes while a domain is read. */
export interface Remarks {
  /** Adds a note about an unexpected counterpart or a manual step. */
  remark(text: string): void;
}

/** Elements without a note: the platform handles them automatically. */
const BY_PLATFORM: readonly (readonly [RegExp, string | undefined])[] = [
  [/\/(address|alias)$/, undefined],
  [/^domain@(id|type)$/, undefined],
  [/^domain\/(resource|seclabel|metadata|on_poweroff|on_crash|bootloader)\b/, undefined],
  [/\/(emulator|controller|hub|channel|redirdev|audio|iommu)$/, undefined],
  [/\/console$/, undefined],
  [/\/disk\/(backingStore|mirror)$/, undefined],
  [/\/interface\/(target|guest)$/, undefined],
  [/\/disk\/source@(index|startupPolicy)$/, undefined],
  [/\/disk\/target@(tray|removable|rotation_rate)$/, undefined],
  [/\/cpu@(check|match|migratable)$/, undefined],
  [/\/cpu\/model@fallback$/, undefined],
  [/\/features\/(pae|vmport|gic|hap)$/, undefined],
  [/\/vcpu@placement$/, undefined],
  [/\/vcpu@cpuset$/, 'the node assigns CPUs; `dedicated: true` of Cpu pins them'],
  [/\/currentMemory$/, undefined],
  [/\/memory@dumpCore$/, undefined],
  [/cputune/, 'requests and limits control CPU time'],
  [/numatune|\/numa$/, 'Cpu option numaPassthrough places memory near the CPUs'],
  [/blkiotune|iotune/, 'the storage class controls the bandwidth of disks'],
  [/\/bandwidth$/, 'the network controls the bandwidth of interfaces'],
  [/\/hostdev$/, 'allow the device in permittedHostDevices, and add it with HostDevice.device'],
  [/\/filesystem$/, 'share a claim as a Disk with DiskDevice.FILESYSTEM'],
  [/qemu:/, 'QEMU arguments cannot be set'],
];

/** Note such as `cpu/cache (<cache mode="passthrough"/>)` with a remedy if one exists; undefined for elements without a note. */
export function withoutCounterpart({
  path,
  element,
}: {
  readonly path: string;
  readonly element: string;
}): string | undefined {
  const found = BY_PLATFORM.find(([pattern]) => pattern.test(path));
  if (found && found[1] === undefined) return undefined;
  const where = path.replace(/^domain\//, '').replace(/[/@][^/@]+$/, '');
  const what = where === '' || where === path ? element : `${where}: ${element}`;
  return found ? `${what}; ${found[1]}` : what;
}
