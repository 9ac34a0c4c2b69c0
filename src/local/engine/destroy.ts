import { join } from 'node:path';
import { destroyNode, destroyPods } from '../node/cleanup';
import { removeTree } from '../host/files';
import { unmountBelow } from '../host/unmount';
import { readNodes } from './nodes/node-config';
import { destroyNamespace } from './nodes/node-namespace';
import { removeKubeletDir } from './mount-namespace';
import type { EnginePaths } from './paths';

/** Removes everything that an engine created on the host, in any state. Its store and the data of claims are kept. */
export async function destroy(paths: EnginePaths): Promise<void> {
  for (const node of readNodes(paths.stateDir)) {
    const { stateDir, id } = node;
    await destroyPods(stateDir, id);
    await unmountBelow(stateDir);
    await destroyNamespace(node);
    await removeTree(join(stateDir, 'nodes'));
    await removeTree(join(stateDir, 'network'));
  }
  await destroyNode(paths.stateDir, paths.id);
  await removeKubeletDir(paths.stateDir);
}
