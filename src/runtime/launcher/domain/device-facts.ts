/** Facts about devices besides the VMI. The caller gathers them; rendering stays pure. */

/** A file or a block device. */
export interface DiskLocation {
  type: 'file' | 'block';
  path: string;
}

/** The image below an overlay. */
export interface BackingSource {
  /** Default: file. */
  type?: 'file' | 'block';
  path: string;
  format: 'raw' | 'qcow2';
  label?: string;
  /** Whether libvirt does not open backing files, even if the header names one: the image comes from an untrusted source. */
  isLast?: boolean;
}

/** A disk whose file exists and whose format is known. */
export interface DiskSource extends DiskLocation {
  /** Name of the volume, and so of the disk. */
  name: string;
  format: 'raw' | 'qcow2';
  /** Name of the source in the domain. */
  label?: string;
  /** Image below our overlay. */
  backing?: BackingSource;
  /** Location of the data if the file is a qcow2 that only records changed blocks. */
  dataStore?: DiskLocation;
  readonly: boolean;
  /** QEMU's cache mode if the VMI does not set one. */
  cache?: 'none' | 'writethrough' | 'writeback' | 'unsafe';
  /** QEMU's I/O mode if the VMI does not set one. */
  io?: 'native' | 'threads';
  /** Block size of the storage, for `blockSize.matchVolume`. */
  blockSize?: { logical: number; physical: number; discardGranularity?: number };
  /** Which devices return the space that the guest frees: all, all except CDs, or none. */
  discard: 'always' | 'unless-cdrom' | 'never';
  /** Whether this is a small file of measurements, to which the VMI's driver settings do not apply. */
  isMetrics?: boolean;
  /** Whether the disk is hotplugged and not available yet: it keeps its name and is left out. */
  isPending?: boolean;
  /** Bytes that the guest sees when it starts. */
  size?: number;
  /** Largest size in bytes. */
  capacity?: number;
  /** Share of a claim that is reserved for its file system. */
  filesystemOverhead?: string;
}

/** A NIC of the guest after phase 1. */
export interface InterfaceSource {
  /** `spec.domain.devices.interfaces[].name` */
  name: string;
  /** A tap of the Pod (the default), or an interface that QEMU does not know. */
  attachment?: 'tap' | 'none';
  tap?: string;
  mac?: string;
  mtu?: number;
  /** The Pod's own NIC, for passt. */
  podInterface?: string;
}

/** A device of the node that is passed to the guest. */
export interface HostDeviceSource {
  /** The list of the VMI that requests it. */
  list: 'hostDevices' | 'gpus' | 'interfaces';
  /** Its name in that list. */
  name: string;
  /** Whether a ResourceClaim allocated it instead of a device plugin. */
  isClaimed?: boolean;
  kind: 'pci' | 'mdev' | 'usb';
  /** `0000:81:01.0`, the UUID of a mediated device, or `bus:device`. */
  address: string;
  /** NUMA cell of the node that the device is on, if known. */
  numaCell?: number;
}

export interface DeviceFacts {
  /** Directory of this VMI's sockets and logs: /var/run/kubevirt-private/<uid>. */
  runtimeDir: string;
  /** Directory of virtiofsd's sockets: /var/run/kubevirt/virtiofs-containers. */
  virtiofsDir: string;
  /** Socket of the helper for SCSI persistent reservations. */
  reservationSocket: string;
  /** Socket of the channel for downward metrics. */
  metricsSocket: string;
  disks: readonly DiskSource[];
  interfaces: readonly InterfaceSource[];
  hostDevices: readonly HostDeviceSource[];
  /** Whether /dev/vhost-net exists, so that packets need not pass through QEMU. */
  hasVhostNet: boolean;
  /** Log file of passt. */
  passtLog?: string;
  /** Seconds between balloon statistics; 0 disables them. */
  balloonStatsPeriod: number;
  freePageReporting: boolean;
  bochsForEfi: boolean;
  /** Cluster default of `devices.logSerialConsole`. */
  logSerialConsole: boolean;
}
