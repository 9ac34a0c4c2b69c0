/**
 * Serves virt-probe, a shell script that the kubelet runs in the Pod, so the protocol must be cheap and simple. A request
 * consists of fields that end with NUL, the first of which is their number; the answer is `CODE CAUSE\n`.
 */
import { rmSync } from 'node:fs';
import { type Server, type Socket, createServer } from 'node:net';
import { type Verdict, unhealthy } from './probe';

/** Limit on concurrent probes, because they may hang. */
const MAX_CONNECTIONS = 16;
const MAX_REQUEST = 128 * 1024;
const REQUEST_TIMEOUT_MS = 5_000;

/** Fields of a complete request; throws if the request is invalid. */
export function parseRequest(bytes: Buffer): string[] | undefined {
  if (bytes.length > MAX_REQUEST) throw new Error(`the request is longer than ${MAX_REQUEST} bytes`);
  const end = bytes.indexOf(0);
  if (end < 0 && bytes.length < 8) return undefined;
  const count = bytes.toString('latin1', 0, Math.max(end, 0));
  if (!/^[1-9]\d{0,4}$/.test(count)) throw new Error('the request must begin with the number of its fields');
  const fields = bytes.toString('utf8', end + 1).split('\0');
  // the part after the last NUL is incomplete
  return fields.length > Number(count) ? fields.slice(0, Number(count)) : undefined;
}

function serve(client: Socket, answer: (request: string[]) => Promise<Verdict>): void {
  let bytes: Buffer = Buffer.alloc(0);
  const reply = ({ code, cause }: Verdict): void => void client.end(`${code} ${cause}\n`);
  client.on('error', () => client.destroy());
  client.setTimeout(REQUEST_TIMEOUT_MS, () => client.destroy());
  const onData = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    try {
      const request = parseRequest(bytes);
      if (!request) return;
      client.off('data', onData).resume().setTimeout(0);
      void answer(request).then(reply);
    } catch (error) {
      client.off('data', onData).resume();
      reply(unhealthy((error as Error).message, 2));
    }
  };
  client.on('data', onData);
}

/** Listens on a unix socket. */
export function serveProbes(path: string, answer: (request: string[]) => Promise<Verdict>): Promise<Server> {
  rmSync(path, { force: true });
  const server = createServer((client) => serve(client, answer));
  server.maxConnections = MAX_CONNECTIONS;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}
