import { Duplex } from 'node:stream';
import type { KubeConfig } from './kube';
import { ClientError } from './errors';
import { openSocket } from './guest-socket';

/** Protocol of Kubernetes with two channels per port. */
const PROTOCOL = 'v4.channel.k8s.io';
const DATA = 0;
const ERROR = 1;
/** The first message of a channel has its port. */
const PORT_BYTES = 2;
const MOST_ERROR_LETTERS = 500;

/** Opens a stream to a port of a Pod through the API server. The stream fails with the server's cause if the port cannot be reached. */
export async function openPodPort(
  config: KubeConfig,
  path: string,
  headers: Record<string, string | string[]>,
): Promise<Duplex> {
  const { bytes, ended } = await openSocket(config, path, headers, { keepMessages: true, protocol: PROTOCOL });
  const begun = new Set<number>();
  const port = new Duplex({
    read: () => void bytes.resume(),
    write: (data: Buffer, _encoding, done) => void bytes.write(Buffer.concat([Buffer.of(DATA), data]), done),
    final: (done) => done(),
    destroy: (error, done) => {
      bytes.destroy();
      done(error);
    },
  });
  bytes.on('data', (message: Buffer) => {
    const [channel = ERROR] = message;
    const content = message.subarray(begun.has(channel) ? 1 : 1 + PORT_BYTES);
    begun.add(channel);
    if (content.length === 0) return;
    if (channel === ERROR) port.destroy(new ClientError(content.toString('utf8').slice(0, MOST_ERROR_LETTERS)));
    else if (!port.push(content)) bytes.pause();
  });
  void ended.then(({ code, reason }) => {
    if (code === 1000 || code === 1005) port.push(null);
    else port.destroy(new ClientError(`the connection broke off: ${reason || `websocket closed with ${code}`}`));
  });
  return port;
}
