import { Agent, request } from 'node:https';
import { TestApiServer } from '../../../support/api-server';

export interface Answer {
  readonly code: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
  readonly headers: Record<string, string | string[] | undefined>;
}

export type Send = (
  method: string,
  path: string,
  body?: unknown,
  type?: string,
  headers?: Record<string, string>,
) => Promise<Answer>;

/** Sends raw requests as the administrator, or with `headers` only. */
export function client(server: TestApiServer, identity: { cert?: string; key?: string } = server.admin): Send {
  const agent = new Agent({ keepAlive: true, ca: server.ca.pem, ...identity });
  return (method, path, body, type = 'application/json', headers = {}) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const outgoing = request(
        `${server.url}${path}`,
        {
          agent,
          method,
          headers: {
            'User-Agent': 'oracle',
            ...(text === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) }),
            ...headers,
          },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('end', () => {
            const answer = Buffer.concat(chunks).toString('utf8');
            let decoded: unknown = { message: answer };
            try {
              decoded = JSON.parse(answer);
            } catch {
              // text answers are shown as a message, as the recorder does
            }
            resolve({ code: incoming.statusCode ?? 0, body: decoded, headers: incoming.headers });
          });
        },
      );
      outgoing.once('error', reject);
      outgoing.end(text);
    });
}
