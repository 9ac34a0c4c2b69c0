import { destroyNode } from '../node/cleanup';
import type { EnginePaths } from './paths';

/** Removes everything that an engine created on the host, in any state. Its store and the data of claims are kept. */
export async function destroy(paths: EnginePaths): Promise<void> {
  await destroyNode(paths.stateDir, paths.id);
}
