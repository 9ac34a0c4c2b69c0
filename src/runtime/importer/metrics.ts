import { createServer, type Server } from 'node:http';
import { PROGRESS_METRIC } from '../../api/cdi/import-request';
import type { Progress } from './progress';

/**
 * Serves the progress to virt-controller, and to Prometheus, until it is disposed of. That also ends open connections: one
 * on which virt-controller asks again would keep the process of a finished import running.
 */
export function serveMetrics(port: number, owner: string, progress: Progress): Server & Disposable {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    response.end(
      `# HELP ${PROGRESS_METRIC} The import progress in percentage\n# TYPE ${PROGRESS_METRIC} counter\n` +
        `${PROGRESS_METRIC}{ownerUID="${owner}"} ${progress.percent?.toFixed(2) ?? 0}\n`,
    );
  });
  // an import continues without its progress
  server.on('error', (error) => console.error(`progress is not served: ${error.message}`));
  server.maxConnections = 8;
  server.listen(port);
  const end = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return Object.assign(server, { [Symbol.dispose]: end });
}
