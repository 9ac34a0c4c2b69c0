import { parseDuration } from '../../../api/duration';

/** Requests of virt-api about guests on this node. */
export type Request =
  | { kind: 'stream'; stream: 'console' | 'vnc' }
  | { kind: 'portForward'; protocol: 'tcp' | 'udp'; port: number }
  | { kind: 'action'; action: 'pause' | 'unpause' | 'unfreeze' | 'softReboot' | 'reset' }
  | { kind: 'freeze' }
  | { kind: 'backup' }
  | { kind: 'info'; info: 'guestInfo' | 'users' | 'filesystems' };

export type Routed = { namespace: string; name: string; request: Request } | { code: 404 | 405; message: string };

const ACTIONS = {
  pause: 'pause',
  unpause: 'unpause',
  unfreeze: 'unfreeze',
  softreboot: 'softReboot',
  reset: 'reset',
} as const;
const INFOS = { guestosinfo: 'guestInfo', userlist: 'users', filesystemlist: 'filesystems' } as const;

/** Routes `/v1/namespaces/{ns}/virtualmachineinstances/{name}/…`; streams are upgrades of GET. */
export function route(method: string, url: string, upgrade: boolean): Routed {
  const path = url.split('?')[0];
  const match = /^\/v1\/namespaces\/([^/]+)\/virtualmachineinstances\/([^/]+)\/(.+)$/.exec(path);
  if (!match) return { code: 404, message: `no such path: ${path}` };
  const [namespace, name] = [match[1], match[2]].map(decoded);
  const found = requestOf(match[3]);
  if (!found || !namespace || !name) return { code: 404, message: `no such path: ${path}` };
  const required = ['action', 'freeze', 'backup'].includes(found.kind) ? 'PUT' : 'GET';
  const streams = found.kind === 'stream' || found.kind === 'portForward';
  if (method !== required || streams !== upgrade) {
    return { code: 405, message: `${path} requires ${required}${streams ? ' with a websocket upgrade' : ''}` };
  }
  return { namespace, name, request: found };
}

function requestOf(rest: string): Request | undefined {
  if (rest === 'console' || rest === 'vnc') return { kind: 'stream', stream: rest };
  if (rest === 'freeze' || rest === 'backup') return { kind: rest };
  if (Object.hasOwn(ACTIONS, rest)) return { kind: 'action', action: ACTIONS[rest as keyof typeof ACTIONS] };
  if (Object.hasOwn(INFOS, rest)) return { kind: 'info', info: INFOS[rest as keyof typeof INFOS] };
  const forward = /^portforward\/(\d{1,5})(?:\/(tcp|udp))?$/.exec(rest);
  const port = Number(forward?.[1]);
  if (!forward || port < 1 || port > 65_535) return undefined;
  return { kind: 'portForward', port, protocol: (forward[2] as 'tcp' | 'udp' | undefined) ?? 'tcp' };
}

/** Longest time for which a guest may stay frozen, and the time if the request sets none, as in virt-api. */
const MOST_FROZEN_SECONDS = 3_600;
const FROZEN_SECONDS = 300;

/** Seconds until a frozen guest is thawed: `unfreezeTimeout` of the options, a duration as Go writes it. */
export function freezeSeconds({ unfreezeTimeout }: Readonly<Record<string, unknown>>): number {
  const ms = typeof unfreezeTimeout === 'string' ? parseDuration(unfreezeTimeout) : undefined;
  return ms !== undefined && ms > 0 ? Math.min(Math.ceil(ms / 1_000), MOST_FROZEN_SECONDS) : FROZEN_SECONDS;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
