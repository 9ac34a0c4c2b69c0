import { existsSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { missingCommands } from './debian';

/** Error of an engine that cannot start, with the remedy. Nothing was changed. */
export class PreflightError extends Error {}

const minFreeBytes = 1 << 30;

/** Checks the requirements of the engine before anything is created. */
export async function preflight(stateDir: string, port: number): Promise<void> {
  if (process.getuid?.() !== 0) throw new PreflightError('containers and networks require root: run it with sudo');
  const missing = missingCommands();
  if (missing.commands.length > 0) {
    throw new PreflightError(
      `missing: ${missing.commands.join(', ')}; install the Debian packages ${missing.packages.join(' ')}, or run: virt8s up --install`,
    );
  }
  if (!existsSync('/dev/net/tun')) throw new PreflightError('/dev/net/tun is missing; load it with: modprobe tun');
  const { bavail, bsize } = statfsSync(existingAncestor(stateDir));
  if (bavail * bsize < minFreeBytes) {
    throw new PreflightError(
      `${Math.floor((bavail * bsize) / 2 ** 20)} MiB are free in ${stateDir}, 1024 MiB are required; ` +
        'free some space, or choose another folder with --state-dir',
    );
  }
  await portIsFree(port);
}

/** Checks that the engine can start, before anything is created. */
const existingAncestor = (dir: string): string => (existsSync(dir) ? dir : existingAncestor(dirname(dir)));

function portIsFree(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error.code})`;
      reject(new PreflightError(`port ${port} on 127.0.0.1 ${why}; choose another with --port`));
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()));
  });
}
