import { basename, dirname } from 'node:path';
import type { Container, Pod } from '../../core-v1';
import { removeTree } from '../../host/files';
import { unmountBelow } from '../../host/unmount';
import { tailInRoot } from '../../host/untrusted';
import type { ContainerExit, ContainerRecord } from './record';
import { terminationLog } from './container';
import type { NodeContext } from './context';

const MAX_MESSAGE = 4096;
const MAX_LOG_MESSAGE = 2048;
const MAX_LOG_LINES = 80;

/** Records the end of a container and frees the resources of a running one; keeps its log. */
export async function finishContainer(
  context: NodeContext,
  pod: Pod,
  container: Container,
  record: ContainerRecord,
  exit: ContainerExit,
): Promise<void> {
  const message = exit.message ?? terminationMessage(context, pod, container, record, exit.code);
  record.exit = { ...exit, ...(message ? { message } : {}) };
  await context.records.save(record);
  await freeContainer(context, record.id);
}

/** Kills the remaining processes of a container and removes its root file system. */
export async function freeContainer({ runtime, paths }: NodeContext, id: string): Promise<void> {
  await runtime.delete(id);
  await unmountBelow(paths.container(id, 'rootfs'));
  for (const part of ['upper', 'work', 'rootfs']) await removeTree(paths.container(id, part));
  await removeTree(`${paths.exits}/${id}`);
}

function terminationMessage(
  { paths }: NodeContext,
  pod: Pod,
  container: Container,
  record: ContainerRecord,
  code: number,
): string | undefined {
  const file = terminationLog(paths, pod.metadata.uid ?? '', record.id, container.name);
  const said = tailOf(file, MAX_MESSAGE);
  if (said) return said;
  if (container.terminationMessagePolicy !== 'FallbackToLogsOnError' || code === 0) return undefined;
  const log = tailOf(paths.container(record.id, 'log'), 2 * MAX_LOG_MESSAGE);
  const lines = log
    .split('\n')
    .map((line) => /^\S+ std(?:out|err) [FP] (.*)$/.exec(line)?.[1])
    .filter((line) => line !== undefined);
  return `${lines.slice(-MAX_LOG_LINES).join('\n')}\n`.slice(-MAX_LOG_MESSAGE).trimStart() || undefined;
}

/** Reads the termination message; empty if it is missing or not a regular file. */
function tailOf(path: string, bytes: number): string {
  try {
    return tailInRoot(dirname(path), basename(path), bytes).toString('utf8');
  } catch {
    return '';
  }
}
