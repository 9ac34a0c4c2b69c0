import { addressAt } from '../../network/subnet';
import { enginePaths } from '../paths';
import { isAlive, readRecord } from '../record';
import { isStopped, readNodes, setStopped } from './node-config';
import { isConnected, setConnected } from './node-namespace';

export type NodeAction = 'stop' | 'start' | 'disconnect' | 'connect';

export interface NodeState {
  readonly name: string;
  readonly running: boolean;
  readonly connected: boolean;
  /** Address of the node and its Pods' gateway. */
  readonly address: string;
}

/** Further nodes of an engine; the first node, the machine itself, is not listed. */
export async function listNodes(stateDir: string): Promise<NodeState[]> {
  const up = isAlive(readRecord(enginePaths(stateDir).record));
  return Promise.all(
    readNodes(stateDir).map(async (node) => ({
      name: node.name,
      running: up && !isStopped(node),
      connected: (await isConnected(node)) ?? false,
      address: addressAt(node.subnets, 1).ipv4,
    })),
  );
}

/**
 * Stops a node as if its power failed, starts it, or unplugs or plugs its network link.
 * @throws Error for the first node, an unknown node, or an engine that is down
 */
export async function changeNode(stateDir: string, name: string, action: NodeAction): Promise<void> {
  const record = readRecord(enginePaths(stateDir).record);
  if (!isAlive(record)) throw new Error('the engine is down; start it with: virt8s up');
  const nodes = readNodes(stateDir);
  const node = nodes.find((candidate) => candidate.name === name);
  if (!node) {
    const others = nodes.map((candidate) => candidate.name).join(', ');
    const reason =
      name === record.node
        ? `node "${name}" is this machine, which cannot be ${pastOf[action]}`
        : `no node is named "${name}"`;
    throw new Error(
      `${reason}; ${others ? `choose one of: ${others}` : 'the engine has no further node; start it with: virt8s up --nodes 2'}`,
    );
  }
  if (action === 'disconnect' || action === 'connect') return setConnected(node, action === 'connect');
  setStopped(node, action === 'stop');
  process.kill(record.pid, 'SIGHUP');
}

export const pastOf: Readonly<Record<NodeAction, string>> = {
  stop: 'stopped',
  start: 'started',
  disconnect: 'disconnected',
  connect: 'connected',
};
