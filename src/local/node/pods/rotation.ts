import { open, rename, stat } from 'node:fs/promises';
import { constants } from 'node:fs';
import type { ContainerRecord } from './record';
import type { NodePaths } from './paths';

/** Maximum size of a log, the kubelet's default. One older part is kept. */
const MAX_LOG_BYTES = 10 << 20;

/** Rotates logs over the limit: a command on its control fifo makes conmon reopen the log. */
export async function rotateLogs(paths: NodePaths, records: readonly ContainerRecord[]): Promise<void> {
  for (const { id } of records) {
    const log = paths.container(id, 'log');
    const size = await stat(log).then(
      ({ size: bytes }) => bytes,
      () => 0,
    );
    if (size < MAX_LOG_BYTES) continue;
    await rename(log, `${log}.1`);
    await control(paths.container(id, 'ctl'), '2 0 0\n');
  }
}

/** Writes a command to conmon; ignores a fifo without a reader, since conmon has then ended. */
export async function control(fifo: string, command: string): Promise<void> {
  try {
    const file = await open(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      await file.write(command);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!['ENXIO', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
