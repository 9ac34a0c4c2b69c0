/** What devices depend on besides the VMI. Gathered by the caller; rendering stays pure. */

/** A file or a block device. */
export interface DiskLocation {
  type: 'file' | 'block';
  path: string;
}

/** What an overlay lies on. */
export interface BackingSource {
  /** Default: file. */
  type?: 'file' | 'block';
  path: string;
  format: 'raw' | 'qcow2';
  label?: string;
  /** Nothing is below, whatever the image says: somebody else made it. */
  isLast?: boolean;
}

/** A disk whose file exists and whose format is known. */
export interface DiskSource extends DiskLocation {
  /** The volume, and so the disk, that it serves. */
  name: string;
  format: 'raw' | 'qcow2';
  /** The name that the source has in the domain. */
  label?: string;
  /** Below an overlay of ours. */
  backing?: BackingSource;
  /** Where the data is, when the file is a qcow2 that only records which blocks have changed. */
  dataStore?: DiskLocation;
  readonly: boolean;
  /** QEMU's cache mode when the VMI does not choose one. */
  cache?: 'none' | 'writethrough' | 'writeback' | 'unsafe';
  /** QEMU's way to do I/O when the VMI does not choose one. */
  io?: 'native' | 'threads';
  /** Block size of the storage, for `blockSize.matchVolume`. */
  blockSize?: { logical: number; physical: number; discardGranularity?: number };
  /** Is space that the guest frees given back: by every device, by all but CDs, or never? */
  discard: 'always' | 'unless-cdrom' | 'never';
  /** A small file of measurements: none of the VMI's wishes for the disk's driver apply to it. */
  isMetrics?: boolean;
  /** Plugged in later and not there yet: it keeps its name, and is left out. */
  isPending?: boolean;
  /** Bytes that the disk may have. */
  capacity?: number;
  /** Share of a claim that is left to its file system. */
  filesystemOverhead?: string;
}

/** A NIC of the guest after phase 1. */
export interface InterfaceSource {
  /** `spec.domain.devices.interfaces[].name` */
  name: string;
  /** A tap of the Pod (the default), or nothing that QEMU is told of. */
  attachment?: 'tap' | 'none';
  tap?: string;
  mac?: string;
  mtu?: number;
  /** The Pod's own NIC, for passt. */
  podInterface?: string;
}

/** A device of the node that the guest gets. */
export interface HostDeviceSource {
  /** The VMI's list that asks for it. */
  list: 'hostDevices' | 'gpus' | 'interfaces';
  /** Its name in that list. */
  name: string;
  /** Allocated by a ResourceClaim instead of a device plugin. */
  isClaimed?: boolean;
  kind: 'pci' | 'mdev' | 'usb';
  /** `0000:81:01.0`, the UUID of a mediated device, or `bus:device`. */
  address: string;
  /** The node's NUMA cell that it is on, where that is known. */
  numaCell?: number;
}

export interface DeviceFacts {
  /** Where this VMI's sockets and logs are: /var/run/kubevirt-private/<uid>. */
  runtimeDir: string;
  /** Where virtiofsd's sockets are: /var/run/kubevirt/virtiofs-containers. */
  virtiofsDir: string;
  /** Socket of the helper for SCSI persistent reservations. */
  reservationSocket: string;
  /** Socket of the channel for downward metrics. */
  metricsSocket: string;
  disks: readonly DiskSource[];
  interfaces: readonly InterfaceSource[];
  hostDevices: readonly HostDeviceSource[];
  /** /dev/vhost-net is there: packets need not pass through QEMU. */
  hasVhostNet: boolean;
  /** Where passt writes what it does. */
  passtLog?: string;
  /** Seconds between balloon statistics; 0 asks for none. */
  balloonStatsPeriod: number;
  freePageReporting: boolean;
  bochsForEfi: boolean;
  /** Cluster default of `devices.logSerialConsole`. */
  logSerialConsole: boolean;
}
