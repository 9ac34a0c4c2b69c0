import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  EXPORT_PORT,
  EXPORT_VARIABLE,
  exporterPaths,
  MANIFESTS_KEY,
  POD_UID_VARIABLE,
  TOKEN_KEY,
  type ExportedMachine,
  type ExportRequest,
} from '../../api/export/export-request';
import { createExporter } from './server';

/** Longest timer of Node.js. */
const MOST_MS = 2 ** 31 - 1;

/** Serves the export of the request in this process's environment, until its deadline. */
export function runExporter(env: NodeJS.ProcessEnv): void {
  const request = JSON.parse(env[EXPORT_VARIABLE] ?? '') as ExportRequest;
  const certificate = (key: string): string => readFileSync(join(exporterPaths.certificate, key), 'utf8');
  const server = createExporter({
    request,
    tls: { cert: certificate('tls.crt'), key: certificate('tls.key') },
    podUid: env[POD_UID_VARIABLE] ?? '',
    token: () => readFileSync(join(exporterPaths.token, TOKEN_KEY), 'utf8'),
    machine: () => optional(join(exporterPaths.manifests, MANIFESTS_KEY)),
    log: (message) => console.error(message),
  });
  const end = (): void => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  };
  const wait = (): void => {
    const left = Date.parse(request.deadline) - Date.now();
    if (left <= 0) end();
    else setTimeout(wait, Math.min(left, MOST_MS));
  };
  wait();
  process.once('SIGTERM', end);
  server.listen(EXPORT_PORT, () =>
    console.error(`serving ${request.volumes.length} volumes until ${request.deadline}`),
  );
}

function optional(path: string): ExportedMachine | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ExportedMachine;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
