import { createHash } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { errors } from '../errors';
import { UserInfo } from '../types';
import { ServiceAccountTokens } from '../authentication/tokens';

const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

const AUTHENTICATED = 'system:authenticated';
const bySocket = new WeakMap<TLSSocket, UserInfo>();

/** User of the client certificate: CN is the name, each O a group. Read once per connection. */
function certificateUser(socket: TLSSocket): UserInfo | undefined {
  if (!socket.authorized) return undefined;
  const known = bySocket.get(socket);
  if (known) return known;
  const { subject, raw } = socket.getPeerCertificate();
  if (!subject?.CN) return undefined;
  const organizations = subject.O === undefined ? [] : [subject.O].flat();
  const digest = createHash('sha256').update(raw).digest('hex');
  const user = {
    username: String(subject.CN),
    groups: [...organizations, AUTHENTICATED],
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${digest}`] },
  };
  bySocket.set(socket, user);
  return user;
}

/**
 * Authenticates a request by client certificate or bearer token; otherwise, the user is anonymous.
 * @throws StatusError 401 for a certificate or token that is not valid
 */
export function authenticate(request: IncomingMessage, tokens: ServiceAccountTokens): UserInfo {
  const user = certificateUser(request.socket as TLSSocket);
  if (user) return user;
  const header = request.headers.authorization ?? '';
  if (/^bearer /i.test(header)) {
    const token = tokens.review(header.slice(7).trim());
    if ('user' in token) return token.user;
    throw errors.unauthorized();
  }
  const presented = (request.socket as TLSSocket).getPeerCertificate?.();
  if (presented && Object.keys(presented).length) throw errors.unauthorized();
  return ANONYMOUS;
}
