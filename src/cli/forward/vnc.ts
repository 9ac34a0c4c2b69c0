import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createServer, isIPv6 } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import type { VncFlags } from '../commands/vnc';
import type { Connection } from '../connection';
import { CliError, messageOf } from '../errors';

/** Supported viewers, with the arguments that make each connect to an address. */
const VIEWERS: readonly (readonly [string, (at: string) => string])[] = [
  ['remote-viewer', (at) => `vnc://${at}`],
  ['vncviewer', (at) => at.replace(/:(\d+)$/, '::$1')],
];

/** Connects the first viewer to the screen of the guest. */
export async function runVnc(connection: Connection, name: string, flags: VncFlags): Promise<void> {
  const viewer = flags.proxyOnly ? undefined : findViewer(flags.vncPath);
  // opened before the local port, so that a guest without a screen is reported at once
  const guest = await connection.socket('vmi', name, 'vnc').catch((error: unknown) => {
    throw new CliError(`Can't access VMI ${name}: ${messageOf(error)}`);
  });
  const connected = Promise.withResolvers<Socket>();
  const server = createServer((socket) => {
    server.close();
    connected.resolve(socket);
  });
  server.once('error', (error) =>
    connected.reject(new CliError(`cannot listen on ${flags.address}: ${messageOf(error)}`)),
  );
  await new Promise<void>((resolve, reject) => {
    connected.promise.catch(reject);
    server.listen({ host: flags.address, port: flags.port }, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  if (viewer) startViewer(viewer, `${isIPv6(address) ? `[${address}]` : address}:${port}`);
  else console.log(JSON.stringify({ port }));

  const interrupted = new Promise<undefined>((resolve) => process.once('SIGINT', () => resolve(undefined)));
  const gone = guest.ended.then(() => undefined);
  const local = await Promise.race([connected.promise, interrupted, gone]);
  if (local) {
    local.on('error', () => local.destroy());
    local.pipe(guest.bytes).pipe(local);
    await Promise.race([new Promise((resolve) => local.once('close', resolve)), interrupted, gone]);
  }
  guest.socket.close(1000);
}

function findViewer(path: string | undefined): { file: string; argument: (at: string) => string } {
  if (path) return { file: path, argument: (at) => at };
  for (const [name, argument] of VIEWERS) {
    for (const dir of (process.env.PATH ?? '').split(delimiter)) {
      const file = join(dir, name);
      try {
        accessSync(file, constants.X_OK);
        return { file, argument };
      } catch {
        // not installed
      }
    }
  }
  const names = VIEWERS.map(([name]) => name).join(' nor ');
  throw new CliError(`neither ${names} is installed; run: apt-get install virt-viewer, or use --proxy-only`);
}

function startViewer({ file, argument }: ReturnType<typeof findViewer>, at: string): void {
  const child = spawn(file, [argument(at)], { stdio: 'ignore' });
  child.once('error', (error) => console.error(`cannot run ${file}: ${messageOf(error)}`));
}
