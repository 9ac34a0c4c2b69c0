import { Agent, request } from 'node:https';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** Server to connect to: address, expected identity and client certificate. */
export interface Peer {
  readonly host: string;
  readonly port: number;
  /** Expected name in its certificate. Default: the host. */
  readonly serverName?: string;
  /** CA in PEM; undefined: the system's. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure?: boolean;
  /** Whether the connection is not encrypted. */
  readonly plain?: boolean;
  /** Connections with a CA and a certificate of their own. Default: connections that all peers share. */
  readonly agent?: Agent;
}

/** Kept connections close after a while: idle servers cost nothing. */
const shared = new Agent({ keepAlive: true, maxFreeSockets: 4, timeout: 60_000 });

export function tlsOptions({ host, port, serverName, ca, cert, key, insecure, agent = shared }: Peer) {
  const name = serverName ?? host;
  return {
    host,
    port,
    ca,
    cert,
    key,
    // An IP address must not be sent as server name.
    servername: /^[\d.]+$|:/.test(name) ? '' : name,
    rejectUnauthorized: !insecure,
    agent,
  };
}

export interface Answer {
  readonly code: number;
  readonly body: string;
}

/** Fails like a refused connection if `socket` is not connected in time. */
function limitConnecting(socket: Socket, ms: number): void {
  if (!socket.connecting) return;
  const error = Object.assign(new Error('i/o timeout'), { syscall: 'connect' });
  const timer = setTimeout(() => socket.destroy(error), ms);
  socket.once('connect', () => clearTimeout(timer));
  socket.once('close', () => clearTimeout(timer));
}

const LIMIT = 32 * 1024 * 1024;

/** Sends a request and reads the whole response. Rejects on network errors and after `timeoutMs`. */
export function call(
  peer: Peer,
  method: string,
  path: string,
  options: {
    body?: string;
    headers?: Record<string, string | string[]>;
    timeoutMs: number;
    /** Time until a new connection is established. */
    connectMs?: number;
  },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { body, headers = {}, timeoutMs, connectMs } = options;
    const outgoing = request({
      ...tlsOptions(peer),
      method,
      path,
      headers: {
        Accept: 'application/json',
        'User-Agent': 'kube-apiserver/virt8s',
        ...(body === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        ...headers,
      },
      signal: AbortSignal.timeout(timeoutMs),
    });
    outgoing.once('error', (error) =>
      reject(
        error.name === 'AbortError' || error.name === 'TimeoutError' ? new Error('context deadline exceeded') : error,
      ),
    );
    if (connectMs !== undefined) outgoing.once('socket', (socket: Socket) => limitConnecting(socket, connectMs));
    outgoing.once('response', (incoming: IncomingMessage) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > LIMIT) incoming.destroy(new Error('the answer is too large'));
        else chunks.push(chunk);
      });
      incoming.once('error', reject);
      incoming.once('end', () =>
        resolve({ code: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    outgoing.end(body);
  });
}
