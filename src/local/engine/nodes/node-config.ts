import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subnets } from '../../network';
import { enginePaths } from '../paths';
import { writeSecret } from '../secret-file';

/**
 * A further node of an engine (`virt8s up --nodes N`). The first node is the machine itself, in the engine's process; each
 * further one has a folder, a network namespace and a process of its own.
 */
export interface NodeConfig {
  readonly name: string;
  /** Id of its kernel objects, as `EnginePaths.id`. */
  readonly id: string;
  /** State folder, with the same layout as that of the engine. */
  readonly stateDir: string;
  readonly subnets: Subnets;
  /** Link of the machine that leads to the engine's Pods. */
  readonly gateway: string;
  /** Subnets of all nodes: packets between them keep their source addresses. */
  readonly cluster: readonly string[];
  /** Address of the first node: router, API server and DNS of this one. */
  readonly router: { readonly ipv4: string; readonly ipv6?: string };
  /** URL of the API server. */
  readonly server: string;
  /** Whether the node runs without virt-handler. */
  readonly bare?: boolean;
}

const further = (stateDir: string): string => join(stateDir, 'further-nodes');
const configFile = (dir: string): string => join(dir, 'node.json');
const stoppedFile = (dir: string): string => join(dir, 'stopped');

/** Folder and id of a further node. */
export function placeOf(stateDir: string, name: string): { stateDir: string; id: string } {
  const dir = join(further(stateDir), name);
  return { stateDir: dir, id: enginePaths(dir).id };
}

/** The further nodes of an engine, ordered by number. */
export function readNodes(stateDir: string): NodeConfig[] {
  const dir = further(stateDir);
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .map((name) => configFile(join(dir, name)))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as NodeConfig)
    .sort((a, b) => numberOf(a.name) - numberOf(b.name));
}

export function writeNode(config: NodeConfig): void {
  mkdirSync(config.stateDir, { recursive: true, mode: 0o711 });
  writeSecret(configFile(config.stateDir), `${JSON.stringify(config, null, 2)}\n`);
}

/** Whether the user stopped the node: it stays off when the engine starts again. */
export const isStopped = ({ stateDir }: Pick<NodeConfig, 'stateDir'>): boolean => existsSync(stoppedFile(stateDir));

export function setStopped({ stateDir }: Pick<NodeConfig, 'stateDir'>, stopped: boolean): void {
  if (stopped) writeFileSync(stoppedFile(stateDir), '');
  else rmSync(stoppedFile(stateDir), { force: true });
}

/** Name of the n-th node, a DNS label: `laptop` is the first, `laptop-2` the second. */
export const nodeNameAt = (first: string, n: number): string => (n === 1 ? first : `${first.slice(0, 60)}-${n}`);

const numberOf = (name: string): number => Number(/-(\d+)$/.exec(name)?.[1] ?? 0);
