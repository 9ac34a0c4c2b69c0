import type { IncomingHttpHeaders } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ServingTls } from '../kube';

/** The requesting user: `authentication.k8s.io` UserInfo. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The certificate that a client presented, if it chains to the requestheader CA. */
export interface Peer {
  readonly authorized: boolean;
  readonly commonName?: string;
}

/** Reads the peer of a connection to a server that trusts the requestheader CA only. */
export function peerOf(socket: TLSSocket, tls: Pick<ServingTls, 'believes'>): Peer {
  const subject = socket.getPeerCertificate()?.subject;
  const commonName: unknown = subject?.CN;
  return { authorized: tls.believes(socket), commonName: typeof commonName === 'string' ? commonName : undefined };
}

const all = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/**
 * The user on whose behalf the aggregating API server sends the request. Only that server may set it: its certificate must
 * chain to the requestheader CA *and* have an allowed name, since other clients hold certificates of the same CA.
 */
export function authenticate(
  peer: Peer,
  headers: IncomingHttpHeaders,
  allowedNames: readonly string[],
): UserInfo | undefined {
  if (!peer.authorized || peer.commonName === undefined || !allowedNames.includes(peer.commonName)) return undefined;
  const [username] = all(headers['x-remote-user']);
  if (!username) return undefined;
  const extra = Object.fromEntries(
    Object.entries(headers)
      .filter(([header]) => header.startsWith('x-remote-extra-'))
      .map(([header, value]) => [unescape(header.slice('x-remote-extra-'.length)), all(value)]),
  );
  return { username, uid: all(headers['x-remote-uid'])[0], groups: all(headers['x-remote-group']), extra };
}

/**
 * Whether a client may call the webhooks. Without names, every client may: by default an API server presents no
 * certificate to them.
 */
export function mayCallWebhooks(peer: Peer, allowedNames: readonly string[] | undefined): boolean {
  if (!allowedNames) return true;
  return peer.authorized && peer.commonName !== undefined && allowedNames.includes(peer.commonName);
}

function unescape(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/**
 * Node joins repeated headers with ", ", which a group's name may contain, so the raw list is read.
 */
export function distinctHeaders(raw: readonly string[]): IncomingHttpHeaders {
  // without a prototype, because a header may have any name
  const headers = Object.create(null) as Record<string, string[]>;
  for (let i = 0; i + 1 < raw.length; i += 2) (headers[raw[i].toLowerCase()] ??= []).push(raw[i + 1]);
  return headers;
}
