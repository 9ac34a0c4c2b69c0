import { destroyNode } from '../node/cleanup';
import type { EnginePaths } from './paths';

/** Removes what an engine made on the host, whatever state it is in; its store and claims' data stay. */
export async function destroy(paths: EnginePaths): Promise<void> {
  await destroyNode(paths.stateDir, paths.id);
}
