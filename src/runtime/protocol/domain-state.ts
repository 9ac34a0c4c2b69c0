/** The launcher's report about its guest: JSON in notify's `domainJSON` and in the answer of GetDomain. */

/** Names of libvirt and KubeVirt; `NoState` if there is no domain. */
export type DomainStatus =
  'NoState' | 'Running' | 'Blocked' | 'Paused' | 'ShuttingDown' | 'Shutoff' | 'Crashed' | 'PMSuspended';

/** Reason of the state. */
export type DomainReason =
  | 'Unknown'
  /** Shutoff: the guest powered off, on its own or on request. */
  | 'Shutdown'
  /** Shutoff: killed. */
  | 'Destroyed'
  | 'Crashed'
  | 'Failed'
  | 'Migrated'
  | 'Saved'
  | 'FromSnapshot'
  /** Paused: on request. */
  | 'User'
  /** Paused: a disk reported an error. */
  | 'IOError'
  /** Paused: not started yet (start strategy Paused), or being started. */
  | 'StartingUp'
  | 'PostcopyFailed'
  | 'Migration'
  | 'Watchdog'
  | 'GuestPanicked';

/** A NIC of the domain, with the guest agent's report. Reported addresses are displayed, never dialed. */
export interface DomainInterface {
  /** `spec.domain.devices.interfaces[].name`; absent for a NIC that only the agent knows. */
  name?: string;
  mac?: string;
  /** Name inside the guest, from the agent. */
  interfaceName?: string;
  /** Addresses from the agent, without prefix length. */
  ips?: string[];
  infoSource: 'domain' | 'domain, guest-agent' | 'guest-agent';
  queueCount?: number;
  linkState?: 'up' | 'down';
}

/** Operating system, from the agent's guest-get-osinfo. */
export interface GuestOsInfo {
  name?: string;
  version?: string;
  prettyName?: string;
  versionId?: string;
  kernelRelease?: string;
  kernelVersion?: string;
  machine?: string;
  id?: string;
}

export interface DomainState {
  status: DomainStatus;
  reason: DomainReason;
  /** Reason why the launcher cannot observe or operate its guest now: reason, and cause with remedy, of a condition. */
  trouble?: { reason: string; message: string };
  /** RFC 3339 time of the last change of `status`. */
  changedAt?: string;
  /** `pc-q35-10.0`. */
  machineType?: string;
  /** `spec.domain.cpu` of the running guest. */
  cpu?: { sockets: number; cores: number; threads: number };
  /** Memory of the guest in bytes, now and at boot. */
  memory?: { guestCurrent: number; guestAtBoot: number };
  interfaces?: DomainInterface[];
  agent?: { connected: boolean; version?: string };
  os?: GuestOsInfo;
  /** Disks whose errors paused the guest, by volume name; `isFull`: their storage has no space left. */
  failedDisks?: { name: string; isFull: boolean }[];
  /** Disks by volume name: target device, and size in bytes as the guest sees it. */
  volumes?: { name: string; target: string; size?: number }[];
  /** Volumes that could not be attached to the running guest or detached from it. */
  volumeProblems?: { name: string; reason: string; message: string }[];
  memoryDump?: MemoryDumpState;
  backup?: BackupState;
  /** Present if entries were left out because there were too many. */
  omitted?: Omitted;
}

/** The last memory dump of the guest. */
export interface MemoryDumpState {
  /** Volume that the dump is written to, and its file there. */
  volume: string;
  fileName: string;
  /** RFC 3339. `endedAt` is absent while the dump is written. */
  startedAt: string;
  endedAt?: string;
  /** Cause and remedy of a dump that failed. */
  failure?: string;
}

/** The last backup of the guest's disks. */
export interface BackupState {
  /** Name of the VirtualMachineBackup, and its creation time (RFC 3339). */
  name: string;
  startedAt: string;
  /** Volume of the claim that the backup is written to. */
  volume: string;
  checkpoint: string;
  /** Volumes in the backup. */
  volumes: string[];
  /** Whether the guest's file systems were frozen. */
  quiesced: 'Succeeded' | 'Failed' | 'Skipped';
  warning?: string;
  /** Absent while the backup is written. */
  endedAt?: string;
  /** Cause and remedy of a backup that failed. */
  failure?: string;
}

/** Numbers of entries that a report leaves out. */
export interface Omitted {
  interfaces?: number;
  /** Addresses of interfaces that are in the report. */
  ips?: number;
  volumes?: number;
}
