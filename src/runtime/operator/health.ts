import { createServer, type Server } from 'node:http';

/** Serves `/healthz` (the process answers), `/readyz` and `/metrics`. */
export function serveHealth(port: number, unready: () => readonly string[], isLeader: () => boolean): Server {
  // a replica that waits for the lease reads nothing yet
  const problems = (): readonly string[] => (isLeader() ? unready() : []);
  return createServer((request, response) => {
    const answer = (code: number, text: string): void => {
      response.writeHead(code, { 'Content-Type': 'text/plain; version=0.0.4' }).end(text);
    };
    switch (request.url) {
      case '/healthz':
        return answer(200, 'ok');
      case '/readyz':
        return problems().length > 0 ? answer(503, problems().join('\n')) : answer(200, 'ok');
      case '/metrics':
        return answer(200, metricsOf(isLeader(), problems().length === 0));
      default:
        return answer(404, 'not found: /healthz, /readyz, /metrics');
    }
  }).listen(port);
}

const metricsOf = (isLeader: boolean, isReady: boolean): string =>
  [
    '# TYPE kubevirt_virt_operator_leading_status gauge',
    `kubevirt_virt_operator_leading_status ${Number(isLeader)}`,
    '# TYPE kubevirt_virt_operator_ready_status gauge',
    `kubevirt_virt_operator_ready_status ${Number(isReady)}`,
    '',
  ].join('\n');
