import { resolve } from 'node:path';
import { changeNode, defaultStateDir, listNodes, type NodeAction, pastOf } from '../local/engine';
import { CliError, messageOf } from './errors';

interface Flags {
  readonly stateDir?: string;
}

const folder = ({ stateDir }: Flags): string => resolve(stateDir ?? defaultStateDir());

/** `virt8s node list` */
export async function runNodeList(flags: Flags): Promise<void> {
  const nodes = await listNodes(folder(flags));
  if (nodes.length === 0) {
    console.log('the engine has no further node; start it with: virt8s up --nodes 2');
    return;
  }
  const rows = [
    ['NAME', 'POWER', 'LINK', 'ADDRESS'],
    ...nodes.map(({ name, running, connected, address }) => [
      name,
      running ? 'on' : 'off',
      connected ? 'connected' : 'disconnected',
      address,
    ]),
  ];
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('   ')
        .trimEnd(),
    );
}

/** `virt8s node stop|start|disconnect|connect` */
export async function runNode(action: NodeAction, name: string, flags: Flags): Promise<void> {
  try {
    await changeNode(folder(flags), name, action);
  } catch (error) {
    throw new CliError(messageOf(error));
  }
  console.log(`node ${name} was ${pastOf[action]}`);
}
