import { once } from 'node:events';
import type { Server } from 'node:https';
import { join } from 'node:path';
import { importerPaths, type UploadImport } from '../../../api/cdi/import-request';
import { UPLOAD_PORT } from '../../../api/cdi/upload';
import type { Progress } from '../progress';
import { identityFiles } from './identity-files';
import { Upload, type UploadOptions } from './upload';
import { serveUpload } from './upload-server';
import { UsedTokens } from './used-tokens';

/** Time for the last answer to reach its client. */
const CLOSE_MS = 5_000;

/** Receives an upload and imports it. @throws ImportError if its content is rejected; then the server starts again */
export async function receiveUpload(
  { authority }: UploadImport,
  progress: Progress,
  begin: UploadOptions['begin'],
): Promise<void> {
  const upload = new Upload({
    begin,
    tokens: new UsedTokens(join(importerPaths.identity, identityFiles.usedTokens)),
    onStart: (bytes) => progress.start(bytes),
    onBytes: (bytes) => progress.add(bytes),
    now: Date.now,
  });
  const server = serveUpload({ port: UPLOAD_PORT, identity: importerPaths.identity, authority, upload });
  const failed = once(server, 'error').then(([error]) => Promise.reject(error as Error));
  try {
    await Promise.race([upload.ended, failed]);
  } finally {
    await closed(server);
  }
}

/** Waits until the clients have their answers. */
async function closed(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}
