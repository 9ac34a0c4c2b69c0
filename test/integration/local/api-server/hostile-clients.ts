import { client } from './client';
import { request } from 'node:https';
import { connect, TLSSocket } from 'node:tls';
import { TestApiServer } from '../../../support/api-server';
import { Pair } from '../../../support/pki';

/** Opens a TLS connection that speaks no HTTP yet. Resolves after the handshake. */
export function open(server: TestApiServer, identity: Partial<Pair> = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: '127.0.0.1',
      port: server.port,
      ca: server.ca.pem,
      servername: 'localhost',
      ...identity,
    });
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed before the end of the handshake')));
    socket.on('error', () => {});
  });
}

/** Bytes of the socket as text until the server closes it. */
export function untilClosed(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.once('close', () => resolve(text));
  });
}

/** Sends `next` when the answer to `first` has begun to arrive, and only then reads. Resolves with both answers. */
export function sendUnread(socket: TLSSocket, first: string, next: string): Promise<string> {
  const answers = new Promise<string>((resolve) => {
    socket.once('readable', () => socket.write(next, () => resolve(untilClosed(socket))));
  });
  socket.write(first);
  return answers;
}

export interface Sample {
  readonly code: number;
  readonly ms: number;
}

/** One request on a new connection. */
export function once(
  server: TestApiServer,
  identity: Pair,
  path = '/api/v1/namespaces/default',
  method = 'GET',
  body?: string,
  headers: Record<string, string> = {},
): Promise<Sample & { text: string; headers: NodeJS.Dict<string | string[]> }> {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${server.url}${path}`,
      { ca: server.ca.pem, ...identity, method, agent: false, headers },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({
            code: answer.statusCode ?? 0,
            ms: performance.now() - from,
            text: Buffer.concat(chunks).toString('utf8'),
            headers: answer.headers,
          }),
        );
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** Lets users write everything: an attack that authorization rejects would prove nothing. */
export async function permit(server: TestApiServer, users: readonly string[]): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io';
  const { code } = await client(server)('POST', `/apis/${apiGroup}/v1/clusterrolebindings`, {
    metadata: { name: 'permitted' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: users.map((name) => ({ apiGroup, kind: 'User', name })),
  });
  if (code !== 201) throw new Error(`the binding was answered with ${code}`);
}
