import { setTimeout as sleep } from 'node:timers/promises';
import { resources } from '../../../runtime/kube';
import type { KubeClient } from '../../../runtime/kube';

const LIMIT_MS = 60_000;
const PAUSE_MS = 100;

/**
 * Waits until nodes have registered, so that they exist for the first command after `virt8s up`. Returns those that have
 * not within a minute, for example because their machine is overloaded; they may do so later.
 */
export async function untilRegistered(client: KubeClient, names: readonly string[]): Promise<string[]> {
  let missing = [...names];
  for (const end = Date.now() + LIMIT_MS; ; await sleep(PAUSE_MS)) {
    const found = await Promise.all(missing.map((name) => client.find(resources.nodes, { name })));
    missing = missing.filter((_, i) => !found[i]);
    if (missing.length === 0 || Date.now() > end) return missing;
  }
}
