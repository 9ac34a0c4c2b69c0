import { isIP } from 'node:net';
import type {
  BackupState,
  DomainInterface,
  DomainReason,
  DomainState,
  DomainStatus,
  GuestOsInfo,
  MemoryDumpState,
  Omitted,
} from './domain-state';
import { plainText } from '../../api/plain-text';

/**
 * Limits the reports of guests and launchers: fields of a wrong type are dropped, texts are cut and cleaned, lists are cut
 * with a note. Launchers send only limited reports, and the handler limits them again because it does not trust launchers.
 */

/** Longest message from a launcher to the handler. Every report fits, even if all its texts and lists are at their limits. */
export const MAX_REPORT_BYTES = 256 << 10;

export const LIMITS = {
  /** Characters of a text, and of a name. */
  text: 256,
  /** Characters of an event, and of a problem that becomes a condition. */
  message: 1_024,
  word: 64,
  /** NICs of the VMI's spec, and those that only the guest agent knows: a guest can create thousands. */
  interfaces: 32,
  guestInterfaces: 10,
  ips: 10,
  volumes: 256,
  volumeProblems: 32,
  failedDisks: 16,
  users: 64,
  filesystems: 50,
  /** Disks of one file system. */
  disks: 8,
  commands: 128,
} as const;

const STATUSES: readonly DomainStatus[] = [
  'NoState',
  'Running',
  'Blocked',
  'Paused',
  'ShuttingDown',
  'Shutoff',
  'Crashed',
  'PMSuspended',
];
const REASONS: readonly DomainReason[] = [
  'Unknown',
  'Shutdown',
  'Destroyed',
  'Crashed',
  'Failed',
  'Migrated',
  'Saved',
  'FromSnapshot',
  'User',
  'IOError',
  'StartingUp',
  'PostcopyFailed',
  'Migration',
  'Watchdog',
  'GuestPanicked',
];
/** CamelCase, like reasons of conditions and events. */
export const REASON = /^[A-Z][A-Za-z0-9]{0,63}$/;
/** Longest IPv6 address without a zone, which may have any length. */
const MAX_IP = 45;

type Json = Record<string, unknown>;

/** A limited list, and the number of entries that it leaves out. */
export interface Listed<T> {
  readonly items: T[];
  readonly omitted: number;
}

/** A domain's state; undefined if its status is unknown. Never throws. */
export function boundState(value: unknown): DomainState | undefined {
  const raw = object(value);
  const status = STATUSES.find((known) => known === raw?.status);
  if (!raw || !status) return undefined;
  const cpu = object(raw.cpu);
  const memory = object(raw.memory);
  const agent = object(raw.agent);
  const os = object(raw.os);
  const nics = Array.isArray(raw.interfaces) ? raw.interfaces.map(object) : [];
  const own = bounded(
    nics.filter((nic) => word(nic?.name)),
    LIMITS.interfaces,
    interfaceOf,
  );
  const guests = bounded(
    nics.filter((nic) => !word(nic?.name)),
    LIMITS.guestInterfaces,
    interfaceOf,
  );
  const nicsWithIps = [...own.items, ...guests.items];
  const volumes = bounded(raw.volumes, LIMITS.volumes, (volume) => {
    const [name, target] = [word(volume.name), word(volume.target)];
    return name && target ? dropUndefined({ name, target, size: count(volume.size) }) : undefined;
  });
  const problems = bounded(raw.volumeProblems, LIMITS.volumeProblems, (problem) => {
    const [name, why] = [word(problem.name), boundReason(problem)];
    return name && why ? { name, ...why } : undefined;
  }).items;
  const failed = bounded(raw.failedDisks, LIMITS.failedDisks, (disk) => {
    const name = word(disk.name);
    return name ? { name, isFull: disk.isFull === true } : undefined;
  });
  const before = object(raw.omitted);
  return dropUndefined({
    status,
    reason: REASONS.find((known) => known === raw.reason) ?? 'Unknown',
    trouble: boundReason(raw.trouble),
    changedAt: time(raw.changedAt),
    machineType: word(raw.machineType),
    cpu: cpu && { sockets: count(cpu.sockets) ?? 1, cores: count(cpu.cores) ?? 1, threads: count(cpu.threads) ?? 1 },
    memory: memory && { guestCurrent: count(memory.guestCurrent) ?? 0, guestAtBoot: count(memory.guestAtBoot) ?? 0 },
    interfaces: nicsWithIps.map(({ nic }) => nic),
    agent: agent && dropUndefined({ connected: agent.connected === true, version: word(agent.version) }),
    os: os && osOf(os),
    failedDisks: failed.items.length > 0 ? failed.items : undefined,
    volumes: volumes.items,
    volumeProblems: problems.length > 0 ? problems : undefined,
    memoryDump: memoryDumpOf(object(raw.memoryDump)),
    backup: backupOf(object(raw.backup)),
    omitted: omittedOf({
      interfaces: (count(before?.interfaces) ?? 0) + own.omitted + guests.omitted,
      ips: (count(before?.ips) ?? 0) + nicsWithIps.reduce((sum, { omitted }) => sum + omitted, 0),
      volumes: (count(before?.volumes) ?? 0) + volumes.omitted,
    }),
  });
}

/** Reason and message of a condition or event; undefined without either. */
export function boundReason(value: unknown): { reason: string; message: string } | undefined {
  const { reason, message } = object(value) ?? {};
  if (typeof reason !== 'string' || !REASON.test(reason) || typeof message !== 'string') return undefined;
  const text = plainText(message, LIMITS.message);
  return text ? { reason, message: text } : undefined;
}

/** VirtualMachineInstanceGuestOSUser[] */
export function boundUsers(value: unknown): Listed<object> {
  return bounded(value, LIMITS.users, (user) =>
    dropUndefined({
      userName: text(user.userName) ?? '',
      domain: text(user.domain),
      loginTime: number(user.loginTime),
    }),
  );
}

/** VirtualMachineInstanceFileSystem[] */
export function boundFilesystems(value: unknown): Listed<object> {
  return bounded(value, LIMITS.filesystems, (fs) => {
    const { items, omitted } = bounded(fs.disk, LIMITS.disks, (disk) =>
      dropUndefined({ serial: word(disk.serial), busType: word(disk.busType) ?? '' }),
    );
    return {
      diskName: word(fs.diskName) ?? '',
      mountPoint: text(fs.mountPoint) ?? '',
      fileSystemType: word(fs.fileSystemType) ?? '',
      usedBytes: number(fs.usedBytes) ?? 0,
      totalBytes: number(fs.totalBytes) ?? 0,
      disk: omitted > 0 ? [...items, { serial: `… and ${omitted} more`, busType: '' }] : items,
    };
  });
}

/** VirtualMachineInstanceGuestAgentInfo, without the parts that are requested separately. */
export function boundGuestInfo(value: unknown): object {
  const raw = object(value) ?? {};
  const os = object(raw.os);
  const { items, omitted } = bounded(raw.supportedCommands, LIMITS.commands, (command) => {
    const name = word(command.name);
    return name ? { name, enabled: command.enabled === true } : undefined;
  });
  return dropUndefined({
    guestAgentVersion: word(raw.guestAgentVersion),
    hostname: text(raw.hostname),
    timezone: word(raw.timezone),
    fsFreezeStatus: word(raw.fsFreezeStatus),
    os: os && osOf(os),
    supportedCommands: omitted > 0 ? [...items, { name: `… and ${omitted} more`, enabled: false }] : items,
  });
}

/** The first `max` entries that are objects and that `read` accepts. */
export function bounded<T>(value: unknown, max: number, read: (entry: Json) => T | undefined): Listed<T> {
  const all = Array.isArray(value) ? value : [];
  const items = all.slice(0, max).flatMap((entry) => {
    const known = object(entry);
    return (known && read(known)) ?? [];
  });
  return { items, omitted: Math.max(0, all.length - max) };
}

function interfaceOf(raw: Json): { nic: DomainInterface; omitted: number } {
  const sources = ['domain', 'domain, guest-agent', 'guest-agent'] as const;
  const mac = word(raw.mac);
  const ips = Array.isArray(raw.ips) ? raw.ips : [];
  const nic = dropUndefined<DomainInterface>({
    name: word(raw.name),
    mac: mac && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac) ? mac.toLowerCase() : undefined,
    interfaceName: text(raw.interfaceName),
    ips: ips
      .slice(0, LIMITS.ips)
      .filter((ip): ip is string => typeof ip === 'string' && ip.length <= MAX_IP && isIP(ip) !== 0),
    infoSource: sources.find((known) => known === raw.infoSource) ?? 'guest-agent',
    queueCount: count(raw.queueCount),
    linkState: raw.linkState === 'up' || raw.linkState === 'down' ? raw.linkState : undefined,
  });
  return { nic, omitted: Math.max(0, ips.length - LIMITS.ips) };
}

function memoryDumpOf(raw: Json | undefined): MemoryDumpState | undefined {
  const [volume, fileName, startedAt] = [word(raw?.volume), text(raw?.fileName), time(raw?.startedAt)];
  if (!volume || !fileName || !startedAt) return undefined;
  const failure = text(raw?.failure, LIMITS.message);
  return dropUndefined({ volume, fileName, startedAt, endedAt: time(raw?.endedAt), failure });
}

const QUIESCED = ['Succeeded', 'Failed', 'Skipped'] as const;

function backupOf(raw: Json | undefined): BackupState | undefined {
  const [name, volume, checkpoint] = [text(raw?.name), word(raw?.volume), text(raw?.checkpoint, 2 * LIMITS.text)];
  const startedAt = time(raw?.startedAt);
  if (!name || !volume || !checkpoint || !startedAt) return undefined;
  const volumes = (Array.isArray(raw?.volumes) ? raw.volumes : [])
    .slice(0, LIMITS.volumes)
    .flatMap((each) => word(each) ?? []);
  return dropUndefined({
    name,
    startedAt,
    volume,
    checkpoint,
    volumes,
    quiesced: QUIESCED.find((known) => known === raw?.quiesced) ?? 'Failed',
    warning: text(raw?.warning, LIMITS.message),
    endedAt: time(raw?.endedAt),
    failure: text(raw?.failure, LIMITS.message),
  });
}

function osOf(raw: Json): GuestOsInfo {
  return dropUndefined({
    name: text(raw.name),
    version: text(raw.version),
    prettyName: text(raw.prettyName),
    versionId: text(raw.versionId),
    kernelRelease: text(raw.kernelRelease),
    kernelVersion: text(raw.kernelVersion),
    machine: text(raw.machine),
    id: text(raw.id),
  });
}

function omittedOf(counts: Required<Omitted>): Omitted | undefined {
  const some = Object.entries(counts).filter(([, number]) => number > 0);
  return some.length > 0 ? Object.fromEntries(some) : undefined;
}

const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;

const text = (value: unknown, max: number = LIMITS.text): string | undefined =>
  typeof value === 'string' ? plainText(value, max) || undefined : undefined;

const word = (value: unknown): string | undefined => text(value, LIMITS.word);

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Formatted again, because a text that Date accepts may contain anything in parentheses. */
function time(value: unknown): string | undefined {
  const at = typeof value === 'string' && value.length <= LIMITS.word ? Date.parse(value) : NaN;
  return isNaN(at) ? undefined : new Date(at).toISOString();
}

function dropUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T;
}
