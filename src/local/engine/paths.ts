import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';

/** Paths of an engine. Outside of its state directory, only kernel objects with `id` in their names belong to it. */
export interface EnginePaths {
  readonly stateDir: string;
  /** Six hex digits, from the state directory's path: names bridge, nft table and cgroups, so engines do not collide. */
  readonly id: string;
  readonly record: string;
  readonly lock: string;
  readonly kubeconfig: string;
  readonly pki: string;
  readonly store: string;
  readonly images: string;
  readonly storage: string;
  readonly logs: string;
  readonly auditLog: string;
  nodeDir(node: string): string;
  log(component: string): string;
}

/** Default state directory: `VIRT8S_STATE_DIR`, or `/var/lib/virt8s`. */
export function defaultStateDir(): string {
  return process.env.VIRT8S_STATE_DIR ?? '/var/lib/virt8s';
}

export function enginePaths(dir: string): EnginePaths {
  const stateDir = resolve(dir);
  const logs = join(stateDir, 'logs');
  return {
    stateDir,
    id: createHash('sha256').update(stateDir).digest('hex').slice(0, 6),
    record: join(stateDir, 'engine.json'),
    lock: join(stateDir, 'engine.lock'),
    kubeconfig: join(stateDir, 'admin.kubeconfig'),
    pki: join(stateDir, 'pki'),
    store: join(stateDir, 'store', 'state.db'),
    images: join(stateDir, 'images'),
    storage: join(stateDir, 'storage'),
    logs,
    auditLog: join(logs, 'audit.log'),
    nodeDir: (node) => join(stateDir, 'nodes', node),
    log: (component) => join(logs, `${component}.log`),
  };
}
