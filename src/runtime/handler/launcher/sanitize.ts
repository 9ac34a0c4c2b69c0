import { isIP } from 'node:net';
import type { DomainInterface, DomainReason, DomainState, DomainStatus, GuestOsInfo } from '../../protocol';

/**
 * What a launcher reports comes from a Pod that its user may control, and part of it from the guest. Before anything of
 * it reaches the API, each field is checked, cut and counted; addresses are for showing only.
 */

/** Largest message that a launcher may send. */
export const MAX_REPORT_BYTES = 1 << 20;
/** NICs that go into the status: a guest can make thousands. */
export const MAX_INTERFACES = 10;
const MAX_IPS = 10;
const MAX_VOLUMES = 256;
const MAX_TEXT = 256;

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

type Json = Record<string, unknown>;

/** A domain state out of a launcher's JSON; undefined when it is none. Never throws. */
export function parseDomainState(json: string | Uint8Array): DomainState | undefined {
  const raw = parseObject(json);
  const status = STATUSES.find((known) => known === raw?.status);
  if (!raw || !status) return undefined;
  const cpu = object(raw.cpu);
  const memory = object(raw.memory);
  const agent = object(raw.agent);
  return dropUndefined({
    status,
    reason: REASONS.find((known) => known === raw.reason) ?? 'Unknown',
    trouble: parseReason(object(raw.trouble)),
    changedAt: typeof raw.changedAt === 'string' && !isNaN(Date.parse(raw.changedAt)) ? raw.changedAt : undefined,
    machineType: text(raw.machineType),
    cpu: cpu && { sockets: count(cpu.sockets) ?? 1, cores: count(cpu.cores) ?? 1, threads: count(cpu.threads) ?? 1 },
    memory: memory && { guestCurrent: count(memory.guestCurrent) ?? 0, guestAtBoot: count(memory.guestAtBoot) ?? 0 },
    interfaces: list(raw.interfaces, MAX_INTERFACES).map(interfaceOf),
    agent: agent && { connected: agent.connected === true, version: text(agent.version) },
    os: object(raw.os) && osOf(object(raw.os) as Json),
    volumes: list(raw.volumes, MAX_VOLUMES).flatMap((volume) => {
      const [name, target] = [text(volume.name), text(volume.target)];
      return name && target ? [dropUndefined({ name, target, size: count(volume.size) })] : [];
    }),
  });
}

/** Reason and message of a condition or event. */
function parseReason(raw: Json | undefined): { reason: string; message: string } | undefined {
  const reason = text(raw?.reason);
  const message = typeof raw?.message === 'string' ? clean(raw.message, 1_024) : undefined;
  return reason && /^[A-Za-z][A-Za-z0-9]{0,63}$/.test(reason) && message ? { reason, message } : undefined;
}

/** An event that a launcher wants on its VMI; undefined when it is none. */
export function parseEvent(
  json: Uint8Array,
): { type: 'Normal' | 'Warning'; reason: string; message: string } | undefined {
  const raw = parseObject(json);
  const said = parseReason(raw);
  return said && { type: raw?.type === 'Warning' ? 'Warning' : 'Normal', ...said };
}

/** JSON of a guest-agent answer, cut to what upstream allows; undefined when it is not JSON. */
export function parseAgentAnswer(json: string | undefined, maxItems = 100): unknown {
  if (!json || json.length > MAX_REPORT_BYTES) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.slice(0, maxItems) : value;
  } catch {
    return undefined;
  }
}

function interfaceOf(raw: Json): DomainInterface {
  const sources = ['domain', 'domain, guest-agent', 'guest-agent'] as const;
  const mac = text(raw.mac);
  const ips = Array.isArray(raw.ips) ? raw.ips.slice(0, MAX_IPS) : [];
  return dropUndefined({
    name: text(raw.name),
    mac: mac && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac) ? mac.toLowerCase() : undefined,
    interfaceName: text(raw.interfaceName),
    ips: ips.filter((ip): ip is string => typeof ip === 'string' && isIP(ip) !== 0),
    infoSource: sources.find((known) => known === raw.infoSource) ?? 'guest-agent',
    queueCount: count(raw.queueCount),
    linkState: raw.linkState === 'up' || raw.linkState === 'down' ? raw.linkState : undefined,
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

function parseObject(json: string | Uint8Array): Json | undefined {
  if (json.length > MAX_REPORT_BYTES) return undefined;
  try {
    return object(JSON.parse(typeof json === 'string' ? json : Buffer.from(json).toString()));
  } catch {
    return undefined;
  }
}

const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;

const list = (value: unknown, max: number): Json[] =>
  (Array.isArray(value) ? value.slice(0, max) : []).map(object).filter((item): item is Json => item !== undefined);

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? clean(value, MAX_TEXT) : undefined;

/** No control characters: they would reach terminals. */
const clean = (value: string, max: number): string =>
  value.slice(0, max).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '?');

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

function dropUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T;
}
