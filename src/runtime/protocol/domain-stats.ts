/** Statistics of a running guest: JSON in the answer of GetDomainStats. Values that are not known are absent. */

export interface CpuStats {
  /** Nanoseconds. */
  time?: number;
  user?: number;
  system?: number;
}

/** Kibibytes, as in libvirt, except for the page faults. */
export interface MemoryStats {
  total?: number;
  balloon?: number;
  rss?: number;
  available?: number;
  unused?: number;
  usable?: number;
  cached?: number;
  swapIn?: number;
  swapOut?: number;
  majorFaults?: number;
  minorFaults?: number;
}

export type VcpuState = 'offline' | 'running' | 'blocked';

export interface VcpuStats {
  id: number;
  state?: VcpuState;
  /** Nanoseconds. */
  time?: number;
  wait?: number;
  delay?: number;
}

export interface NetStats {
  /** `spec.domain.devices.interfaces[].name`. */
  name: string;
  rxBytes?: number;
  rxPackets?: number;
  rxErrors?: number;
  rxDropped?: number;
  txBytes?: number;
  txPackets?: number;
  txErrors?: number;
  txDropped?: number;
}

export interface BlockStats {
  /** `spec.domain.devices.disks[].name`. */
  name: string;
  reads?: number;
  readBytes?: number;
  /** Nanoseconds. */
  readTime?: number;
  writes?: number;
  writtenBytes?: number;
  writeTime?: number;
  flushes?: number;
  flushTime?: number;
}

/** File system of the guest, from its agent. */
export interface FilesystemStats {
  diskName: string;
  mountPoint: string;
  fileSystemType: string;
  usedBytes: number;
  totalBytes: number;
}

export interface DomainStats {
  cpu?: CpuStats;
  memory?: MemoryStats;
  vcpus: VcpuStats[];
  nics: NetStats[];
  disks: BlockStats[];
  filesystems: FilesystemStats[];
  /** Load averages over 1, 5 and 15 minutes, from the agent. */
  load?: [number, number, number];
}
