/** What is told of a domain besides its code. */

/** Remarks are collected while a domain is read. */
export interface Remarks {
  /** Something has another counterpart than one would think, or needs a hand. */
  remark(text: string): void;
}

/** Elements that need no word: the platform does the same by itself, or something in its place. */
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
  [/\/vcpu@cpuset$/, 'the node chooses CPUs; `dedicated: true` of Cpu pins them'],
  [/\/currentMemory$/, undefined],
  [/\/memory@dumpCore$/, undefined],
  [/cputune/, 'CPU time follows from requests and limits'],
  [/numatune|\/numa$/, 'memory follows the CPUs with Cpu option numaPassthrough'],
  [/blkiotune|iotune/, 'bandwidth of disks is a matter of the storage class'],
  [/\/bandwidth$/, 'bandwidth of interfaces is a matter of the network'],
  [/\/hostdev$/, 'offer the device by permittedHostDevices, and give it by HostDevice.device'],
  [/\/filesystem$/, 'share a claim by Disk with DiskDevice.FILESYSTEM'],
  [/qemu:/, 'arguments of QEMU cannot be passed'],
];

/** `cpu/cache (<cache mode="passthrough"/>)`, with a way out where there is one; undefined when there is no need. */
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
