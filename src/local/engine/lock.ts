import { createServer } from 'node:net';

/**
 * Makes this process the only engine of a state directory; answers how to let go. Two `up` at the same time both find no
 * engine, and the record of the second would hide the first. An abstract socket, which the kernel frees with its process.
 */
export function lockEngine(id: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error('another engine of this state directory is starting; wait for it, or run: virt8s down')
          : error,
      ),
    );
    server.listen(`\0virt8s-engine-${id}`, () => resolve(() => server.close()));
    server.unref();
  });
}
