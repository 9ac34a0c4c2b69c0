import { Agent, request } from 'node:https';
import { loadKubeConfig } from '../../../src/runtime/kube';

export interface Answer {
  readonly code: number;
  readonly body: unknown;
  readonly warnings: readonly string[];
}

export type Send = (
  method: string,
  path: string,
  body?: unknown,
  type?: string,
  headers?: Readonly<Record<string, string | readonly string[]>>,
) => Promise<Answer>;

/** Sends raw requests with the current context of a kubeconfig. */
export function sender(kubeconfig: string): Send {
  const { server, ca, cert, key } = loadKubeConfig(kubeconfig);
  const agent = new Agent({ keepAlive: true, ca, cert, key });
  return (method, path, body, type = 'application/json', headers = {}) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const typed = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) };
      const outgoing = request(
        `${server}${path}`,
        {
          agent,
          method,
          headers: { 'user-agent': 'oracle', ...typed, ...(headers as Record<string, string | string[]>) },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('end', () => {
            const answer = Buffer.concat(chunks).toString('utf8');
            const warnings = (incoming.headersDistinct.warning ?? []).map((line) => line.replace(/^299 - /, ''));
            resolve({ code: incoming.statusCode ?? 0, body: parsed(answer), warnings });
          });
        },
      );
      outgoing.once('error', reject);
      outgoing.end(text);
    });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text };
  }
}
