import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while no other engine of this machine does: simultaneously starting engines would choose the same subnets.
 * The kernel ends this with the process.
 * @throws Error if others leave no turn within 30 s
 */
export async function whileAlone<T>(work: () => Promise<T>): Promise<T> {
  const release = await lock();
  try {
    return await work();
  } finally {
    release();
  }
}

async function lock(): Promise<() => void> {
  for (let tries = 0; tries < 600; tries++) {
    const server = createServer();
    const held = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen('\0virt8s-network', () => resolve(true));
    });
    if (held) return () => server.close();
    await sleep(50);
  }
  throw new Error('network: another engine has held the lock @virt8s-network for 30 s; stop that engine');
}
