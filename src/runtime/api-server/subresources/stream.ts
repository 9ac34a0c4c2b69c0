import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Status } from '../../../api';
import { badRequest } from '../status';

/** Interval of probes on idle connections, so that a vanished peer releases the guest's console. */
const KEEP_ALIVE_MS = 30_000;

/** 16 bytes in base64 (RFC 6455, 4.1). */
const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** The parts of a websocket handshake that both ends must agree on; throws a 400 for an invalid handshake. */
export function handshakeOf(request: IncomingMessage): Record<string, string> {
  const { headers } = request;
  if (headers.upgrade?.toLowerCase() !== 'websocket' || !KEY.test(headers['sec-websocket-key'] ?? '')) {
    throw badRequest('this subresource is a websocket', 'connect with virt8s, or send a websocket handshake');
  }
  const passed = ['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-protocol'] as const;
  return Object.fromEntries(passed.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}

/** Completes the upgrade for the user with the handler's choices. */
export function acceptUpgrade(client: Duplex, answer: IncomingMessage): void {
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  for (const name of ['sec-websocket-accept', 'sec-websocket-protocol']) {
    const value = answer.headers[name];
    if (typeof value === 'string') lines.push(`${name}: ${value}`);
  }
  client.write(`${lines.join('\r\n')}\r\n\r\n`);
}

/** Rejects an upgrade with an ordinary HTTP response. */
export function rejectUpgrade(client: Duplex, status: Status): void {
  if (client.destroyed) return;
  const body = JSON.stringify(status);
  const code = status.code ?? 500;
  client.end(
    `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? 'Error'}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Connects two sockets: data of one end is sent to the other, no faster than it reads. */
export function join(client: Duplex, handler: Duplex, clientHead: Buffer, handlerHead: Buffer): void {
  for (const end of [client, handler] as Socket[]) {
    end.setNoDelay?.(true);
    end.setKeepAlive?.(true, KEEP_ALIVE_MS);
    end.setTimeout?.(0);
  }
  const pipe = (from: Duplex, to: Duplex): void => {
    from.pipe(to);
    // an end that closes also closes the other, after its data: a half-open console would occupy the guest's line
    from.on('error', () => to.destroy());
    from.on('close', () => (to as Socket).destroySoon());
  };
  if (handlerHead.length > 0) handler.unshift(handlerHead);
  if (clientHead.length > 0) client.unshift(clientHead);
  pipe(client, handler);
  pipe(handler, client);
}
