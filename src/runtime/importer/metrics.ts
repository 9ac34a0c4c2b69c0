import { createServer, type Server } from 'node:http';
import { PROGRESS_METRIC, RECEIVED_METRIC, SOURCE_METRIC } from '../../api/cdi/import-request';
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
    response.end(metricsText(owner, progress));
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

export function metricsText(owner: string, { percent, bytes }: Pick<Progress, 'percent' | 'bytes'>): string {
  const metric = (name: string, type: string, help: string, value: number | string): string =>
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name}{ownerUID="${owner}"} ${value}\n`;
  return [
    metric(PROGRESS_METRIC, 'counter', 'The import progress in percentage', percent?.toFixed(2) ?? 0),
    ...(bytes
      ? [
          metric(RECEIVED_METRIC, 'gauge', 'Bytes of the source that have arrived', bytes.done),
          metric(SOURCE_METRIC, 'gauge', 'Bytes of the source', bytes.total),
        ]
      : []),
  ].join('');
}
