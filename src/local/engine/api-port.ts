import { createServer } from 'node:net';

/** Below the ports that the kernel gives to connections and to servers without a port of their own. */
const FIRST = 20_000;
/** More than there are subnets of engines. */
const STRIDE = 1_000;
const LAST = 29_999;

/**
 * Returns the port of an API server that was started with `--port 0`. It follows from the subnet of the engine, so engines
 * that start at the same time get different ports.
 * @throws Error if other programs use all candidates
 */
export async function chooseApiPort(subnet: string, isFree = isPortFree): Promise<number> {
  const [, second, third] = subnet.split('.').map(Number);
  const index = (second! - 77) * 256 + third!;
  for (let port = FIRST + index; port <= LAST; port += STRIDE) if (await isFree(port)) return port;
  throw new Error('other programs use the ports of 127.0.0.1 that this engine may take; choose a port with --port');
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
