import { Agent } from 'node:https';
import { createSecureContext } from 'node:tls';
import { isMap } from '../json/values';
import { Store } from '../store/store';
import { KeyPair } from '../types';
import { connectionError, httpError, serviceError } from './call-errors';
import { call, Peer } from './https-client';
import { resolveService, ServiceError } from './service-resolver';

/** Maximum number of CA bundles whose connections are kept. */
const MAX_AGENTS = 32;
/** Open connections without a request, per endpoint. */
const MAX_IDLE = 64;
/** Longest wait for the connection to one of several endpoints. */
const CONNECT_MS = 1_000;

/** Address of a webhook, as in webhook configurations and definitions of custom resources. */
export interface WebhookAddress {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  readonly caBundle?: string;
}

/** The webhook cannot be called, or its response is not a JSON object. */
export class CallError extends Error {}

interface Target {
  readonly peers: readonly Peer[];
  readonly path: string;
  /** Address in messages. */
  readonly shown: string;
}

/**
 * Posts reviews to webhooks with the client certificate of this server. Connections stay open and their certificates
 * are parsed once per CA bundle: most of the time of a call is a TLS handshake otherwise.
 */
export class WebhookTransport {
  private readonly agents = new Map<string, Agent>();

  public constructor(
    private readonly store: Store,
    private readonly client: KeyPair,
  ) {}

  /** Returns the JSON object that the webhook responds. @throws CallError */
  public async post(address: WebhookAddress, review: object, seconds: number): Promise<Record<string, unknown>> {
    const { peers, path, shown } = this.targetOf(address, seconds);
    const deadline = Date.now() + seconds * 1000;
    const body = JSON.stringify(review);
    const failed = (why: string) => new CallError(`Post "${shown}?timeout=${seconds}s": ${why}`);
    for (const [i, peer] of peers.entries()) {
      try {
        const { code, body: text } = await call(peer, 'POST', `${path}?timeout=${seconds}s`, {
          body,
          timeoutMs: Math.max(1, deadline - Date.now()),
          connectMs: i + 1 < peers.length ? CONNECT_MS : undefined,
        });
        return decode(code, text);
      } catch (error) {
        if (error instanceof CallError) throw error;
        // The next endpoint is tried only if this one cannot have received the request.
        const failure = error as NodeJS.ErrnoException;
        if (failure.syscall === 'connect' && i + 1 < peers.length && Date.now() < deadline) continue;
        throw failed(connectionError(failure, `${peer.host}:${peer.port}`));
      }
    }
    throw failed('no endpoints available');
  }

  private targetOf({ url, service, caBundle }: WebhookAddress, seconds: number): Target {
    const agent = this.agentFor(caBundle ?? '');
    if (url) {
      const { hostname, port, pathname } = new URL(url);
      const peer = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443), agent };
      return { peers: [peer], path: pathname, shown: url };
    }
    const { namespace, name, path = '/', port = 443 } = service!;
    const serverName = `${name}.${namespace}.svc`;
    const rooted = path.startsWith('/') ? path : `/${path}`;
    const shown = `https://${serverName}:${port}${rooted}`;
    try {
      const addresses = resolveService(this.store, { namespace, name, port });
      return { peers: addresses.map((address) => ({ ...address, serverName, agent })), path: rooted, shown };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const why = serviceError(error, { namespace, name, port });
      throw new CallError(`Post "${shown}?timeout=${seconds}s": ${why}`);
    }
  }

  /** Connections with one CA bundle. The least recently used ones are closed first. */
  private agentFor(caBundle: string): Agent {
    let agent = this.agents.get(caBundle);
    if (agent) this.agents.delete(caBundle);
    else {
      const ca = caBundle ? Buffer.from(caBundle, 'base64').toString('utf8') : undefined;
      const secureContext = createSecureContext({ ...this.client, ca });
      agent = new Agent({ keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: 60_000, secureContext });
    }
    this.agents.set(caBundle, agent);
    for (const [key, oldest] of this.agents) {
      if (this.agents.size <= MAX_AGENTS) break;
      this.agents.delete(key);
      oldest.destroy();
    }
    return agent;
  }
}

function decode(code: number, text: string): Record<string, unknown> {
  if (code < 200 || code > 206) throw new CallError(httpError(code, text));
  try {
    const body: unknown = JSON.parse(text);
    if (isMap(body)) return body;
  } catch {
    // not JSON at all
  }
  throw new CallError(
    'couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
  );
}
