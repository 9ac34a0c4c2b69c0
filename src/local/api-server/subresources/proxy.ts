import { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { errors } from '../errors';
import { Context, Upgrade } from '../http/context';
import { Route } from '../http/dispatcher';
import { Subresource } from '../http/resources';
import { connectionError } from '../network/call-errors';
import { forward, forwardedHeaders, ProxyTimeout, ProxyTimeouts, tunnel } from '../network/proxy';
import { hostOf, movedLocation, ProxyTarget, ProxyTargets, unreachable } from './proxy-target';

const RESOURCES = ['nodes', 'pods', 'services'];

/** The query of a request as the client wrote it. */
const queryOf = ({ url = '' }: IncomingMessage): string => url.slice(url.split('?', 1)[0].length);

/** Headers of a proxied request: the client's own, the host that it asked for, and where the request came from. */
function headersFor(request: IncomingMessage, { prefix, path }: ProxyTarget): OutgoingHttpHeaders {
  const before = request.headers['x-forwarded-for'];
  const from = [...(before ? [before].flat() : []), request.socket.remoteAddress ?? ''].filter(Boolean);
  return forwardedHeaders(request.headers, {
    ...(request.headers.host ? { host: request.headers.host } : {}),
    'x-forwarded-for': from.join(', '),
    'x-forwarded-uri': prefix + (path || '/'),
  });
}

function failure(error: unknown, { peer }: ProxyTarget): Error {
  if (error instanceof ProxyTimeout) return errors.timeout('request did not complete within the allotted timeout');
  const problem = error as NodeJS.ErrnoException;
  if (problem.code === 'EPROTO') return unreachable('tls: first record does not look like a TLS handshake');
  return unreachable(connectionError(problem, hostOf(peer)));
}

/**
 * `pods/proxy`, `services/proxy` and `nodes/proxy`: pass requests to a server in the cluster. The verb of the
 * subresource that authorizes a request is that of its method.
 */
export class Proxies implements Subresource {
  public readonly verbs = ['create', 'delete', 'get', 'options', 'patch', 'update'];

  public constructor(
    private readonly targets: ProxyTargets,
    private readonly timeouts: ProxyTimeouts,
  ) {}

  public async serve({ request, response, info }: Context): Promise<void> {
    const found = this.targets.find(info);
    const query = queryOf(request);
    if (!found.path && info.verb === 'get') {
      // Relative links of a page work only below a folder.
      response.writeHead(301, { Location: `${found.prefix}/${query}`, 'Cache-Control': 'no-cache, private' }).end();
      return;
    }
    const path = (found.path || '/') + query;
    const location = (text: string) => movedLocation(text, found.prefix, found.peer, request.headers.host ?? '');
    try {
      const headers = headersFor(request, found);
      await forward(request, response, found.peer, path, headers, { ...this.timeouts, location });
    } catch (error) {
      throw failure(error, found);
    }
  }
}

/** Requests to the same subresources that switch protocols. */
export class ProxyUpgrades implements Route {
  public constructor(
    private readonly targets: ProxyTargets,
    private readonly timeouts: ProxyTimeouts,
  ) {}

  public async serve(): Promise<boolean> {
    return false;
  }

  public async upgrade({ request, socket, head, info }: Upgrade): Promise<boolean> {
    if (info.group || !RESOURCES.includes(info.resource) || info.subresource !== 'proxy') return false;
    const found = this.targets.find(info);
    const path = (found.path || '/') + queryOf(request);
    try {
      await tunnel(request, socket, head, found.peer, path, headersFor(request, found), this.timeouts);
    } catch (error) {
      throw failure(error, found);
    }
    return true;
  }
}
