import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Controller } from './controller';

/** `/healthz` (the process answers), `/readyz` (it leads, and its caches are filled) and `/metrics`. */
export function serveHealth(port: number, controller: Controller, isLeader: () => boolean): Server {
  return createServer((request, response) => {
    const answer = (code: number, text: string): void => {
      response.writeHead(code, { 'Content-Type': 'text/plain; version=0.0.4' }).end(text);
    };
    switch (request.url) {
      case '/healthz':
        return answer(200, 'ok');
      case '/readyz':
        return controller.ready ? answer(200, 'ok') : answer(503, isLeader() ? 'filling caches' : 'not the leader');
      case '/metrics':
        return answer(200, metrics(controller, isLeader()));
      default:
        return answer(404, 'not found: /healthz, /readyz, /metrics');
    }
  }).listen(port);
}

function metrics(controller: Controller, isLeader: boolean): string {
  const depths = Object.entries(controller.depths).map(
    ([name, depth]) => `kubevirt_workqueue_depth{name="${name}"} ${depth}`,
  );
  return [
    '# TYPE kubevirt_virt_controller_leading_status gauge',
    `kubevirt_virt_controller_leading_status ${Number(isLeader)}`,
    '# TYPE kubevirt_virt_controller_ready_status gauge',
    `kubevirt_virt_controller_ready_status ${Number(controller.ready)}`,
    '# TYPE kubevirt_workqueue_depth gauge',
    ...depths,
    '',
  ].join('\n');
}
