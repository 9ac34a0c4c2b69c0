/** What the launcher reports of its guest: JSON in notify's `domainJSON` and in the answer of GetDomain. */

/** As libvirt and KubeVirt name them; `NoState` when there is no domain. */
export type DomainStatus =
  'NoState' | 'Running' | 'Blocked' | 'Paused' | 'ShuttingDown' | 'Shutoff' | 'Crashed' | 'PMSuspended';

/** Why it is in that state. */
export type DomainReason =
  | 'Unknown'
  /** Shutoff: the guest powered itself off or was asked to. */
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
  /** Paused: a disk gave an error. */
  | 'IOError'
  /** Paused: not yet started (start strategy Paused), or while it is being started. */
  | 'StartingUp'
  | 'PostcopyFailed'
  | 'Migration'
  | 'Watchdog'
  | 'GuestPanicked';

/** A NIC, as the domain has it, with what the guest agent reported. Reported addresses are shown, never dialed. */
export interface DomainInterface {
  /** `spec.domain.devices.interfaces[].name`; absent for one that only the agent knows. */
  name?: string;
  mac?: string;
  /** Name inside the guest, from the agent. */
  interfaceName?: string;
  /** From the agent, without prefix length. */
  ips?: string[];
  infoSource: 'domain' | 'domain, guest-agent' | 'guest-agent';
  queueCount?: number;
  linkState?: 'up' | 'down';
}

/** From the agent's guest-get-osinfo. */
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
  /** Why the launcher cannot see or operate its guest now: reason, and cause with remedy, of a condition. */
  trouble?: { reason: string; message: string };
  /** RFC 3339 time of the last change of `status`. */
  changedAt?: string;
  /** `pc-q35-10.0`. */
  machineType?: string;
  /** `spec.domain.cpu` as the running guest has it. */
  cpu?: { sockets: number; cores: number; threads: number };
  /** Bytes that the guest has now, and had at boot. */
  memory?: { guestCurrent: number; guestAtBoot: number };
  interfaces?: DomainInterface[];
  agent?: { connected: boolean; version?: string };
  os?: GuestOsInfo;
  /** Disks by volume name: target device and, for file systems and qcow2, sizes in bytes. */
  volumes?: { name: string; target: string; size?: number }[];
  /** Present when something was left out because there was too much of it. */
  omitted?: Omitted;
}

/** Numbers of entries that were left out of a report. */
export interface Omitted {
  interfaces?: number;
  /** Addresses of interfaces that are in the report. */
  ips?: number;
  volumes?: number;
}
