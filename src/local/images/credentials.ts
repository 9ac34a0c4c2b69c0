/** Credentials of registries, from Secrets of the types dockerconfigjson and dockercfg, chosen as the kubelet does. Pure. */
import { parseReference } from './reference';

/** User and password of a registry. */
export interface RegistryLogin {
  readonly username: string;
  readonly password: string;
}

/** Login by registry, or by registry and path; hosts may contain `*`. */
export type RegistryLogins = Readonly<Record<string, RegistryLogin>>;

interface Entry {
  readonly username?: string;
  readonly password?: string;
  /** `username:password` in base64. */
  readonly auth?: string;
}

/** Content of a Secret's key `.dockerconfigjson` or `.dockercfg`. @throws Error if it is not valid */
export function parseLogins(key: string, text: string): RegistryLogins {
  const parsed: unknown = JSON.parse(text);
  const entries = key === '.dockerconfigjson' ? (parsed as { auths?: unknown } | null)?.auths : parsed;
  if (typeof entries !== 'object' || entries === null) throw new Error(`${key} contains no registries`);
  return Object.fromEntries(
    Object.entries(entries as Record<string, Entry | null>).flatMap(([registry, entry]) => {
      const [username = '', ...rest] = Buffer.from(entry?.auth ?? '', 'base64')
        .toString('utf8')
        .split(':');
      const login = entry?.auth
        ? { username, password: rest.join(':') }
        : { username: entry?.username ?? '', password: entry?.password ?? '' };
      return login.username ? [[registry, login]] : [];
    }),
  );
}

/** Logins that fit an image, those with the longest registry and path first. */
export function loginsFor(reference: string, all: readonly RegistryLogins[]): RegistryLogin[] {
  const repository = parseReference(reference)?.repository ?? '';
  const [host = '', ...path] = repository.split('/');
  const image = { host: host === 'docker.io' ? 'index.docker.io' : host, path: path.join('/') };
  const fitting = all.flatMap((logins) =>
    Object.entries(logins)
      .map(([key, login]) => ({ ...locationOf(key), login }))
      .filter((at) => hostFits(at.host, image.host) && image.path.startsWith(at.path)),
  );
  const length = (at: { host: string; path: string }): number => at.host.length + at.path.length;
  return fitting.sort((a, b) => length(b) - length(a)).map(({ login }) => login);
}

function locationOf(key: string): { host: string; path: string } {
  const [host = '', ...path] = key.replace(/^https?:\/\//, '').split('/');
  // the versions of the old and of the present protocol are not part of an image's name
  const rest = path.join('/').replace(/^v[12](\/|$)/, '');
  return { host: host === 'docker.io' ? 'index.docker.io' : host, path: rest.replace(/\/$/, '') };
}

/** Whether a host fits a pattern, whose `*` matches within one part of the name; ports are equal. */
function hostFits(pattern: string, host: string): boolean {
  const [wanted, given] = [pattern.split('.'), host.split('.')];
  return wanted.length === given.length && wanted.every((part, i) => partFits(part, given[i] ?? ''));
}

function partFits(pattern: string, text: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === text;
  if (!text.startsWith(start)) return false;
  let at = start.length;
  for (const piece of rest.slice(0, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const end = rest.at(-1) ?? '';
  return text.length - at >= end.length && text.endsWith(end);
}
