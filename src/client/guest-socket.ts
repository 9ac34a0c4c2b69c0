import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { ApiError, readBody } from './kube';
import type { KubeConfig } from './kube';
import { ClientError, messageOf, statusText } from './errors';

const SUBPROTOCOL = 'plain.kubevirt.io';
const HANDSHAKE_TIMEOUT_MS = 30_000;
/** Ping interval. A peer that is silent for two intervals is dead; proxies drop idle connections sooner. */
const PING_INTERVAL_MS = 20_000;

/** Close code and reason of a websocket. 1006: the connection was lost. */
export interface Ending {
  readonly code: number;
  readonly reason: string;
}

/** Open websocket to a guest. */
export interface GuestSocket {
  readonly socket: WebSocket;
  /** Stream in both directions, with back-pressure. If the socket was opened for messages, each chunk is one message. */
  readonly bytes: Duplex;
  readonly ended: Promise<Ending>;
}

/** Rejection of the stream by the API server. */
function rejectedBy(code: number, body: string): ApiError {
  const error = ApiError.of(code, body, 'websocket');
  return new ApiError(error.code, error.reason, statusText(error.status) ?? error.message, error.status);
}

/**
 * Opens a websocket of the API server. Its stream is connected before the handshake, so that no early output of the
 * guest (firmware, a shell's prompt) is lost.
 */
export async function openSocket(
  config: KubeConfig,
  path: string,
  headers: Record<string, string | string[]>,
  { keepMessages = false, protocol = SUBPROTOCOL } = {},
): Promise<GuestSocket> {
  const { WebSocket, createWebSocketStream } = await import('ws');
  const url = config.server.replace(/^http/, 'ws') + path;
  const options = {
    ca: config.ca,
    cert: config.cert,
    key: config.key,
    servername: config.serverName,
    rejectUnauthorized: !config.insecureSkipTlsVerify,
    headers: { ...headers, ...(await authorization(config)) } as Record<string, string>,
    perMessageDeflate: false,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  };
  const socket = new WebSocket(url, [protocol], options);
  const bytes = createWebSocketStream(socket, { readableObjectMode: keepMessages });
  // `ended` and the rejection below report it
  bytes.on('error', () => undefined);
  const ended = new Promise<Ending>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString('utf8') }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.on('error', (error) => reject(new ClientError(`cannot reach ${config.server}: ${messageOf(error)}`)));
    socket.once('unexpected-response', (_request, response) => {
      readBody(response).then((body) => reject(rejectedBy(response.statusCode ?? 0, body)), reject);
    });
  });
  keepAlive(socket);
  return { socket, bytes, ended };
}

async function authorization(config: KubeConfig): Promise<Record<string, string>> {
  const { readFileSync } = await import('node:fs');
  const token = config.token ?? (config.tokenFile && readFileSync(config.tokenFile, 'utf8').trim());
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** Sends pings, so that proxies do not close an idle stream. */
function keepAlive(socket: WebSocket): void {
  const timer = setInterval(() => socket.ping(), PING_INTERVAL_MS);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
}
