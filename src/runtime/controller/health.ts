import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Controller } from './controller';

/** Serves `/healthz` (the process answers), `/readyz` (it leads, and its caches are synced) and `/metrics`. */
export function serveHealth(port: number, controller: Controller, isLeader: () => boolean): Server {
  return createServer((request, response) => {
    const answer = (code: number, text: string): void => {
      response.writeHead(code, { 'Content-Type': 'text/plain; version=0.0.4' }).end(text);
    };
    switch (request.url) {
      case '/healthz':
        return answer(200, 'ok');
      case '/readyz':
        return answer(...readiness(controller.unready, isLeader()));
      case '/metrics':
        return answer(200, metrics(controller, isLeader()));
      default:
        return answer(404, 'not found: /healthz, /readyz, /metrics');
    }
  }).listen(port);
}

/** Answer of `/readyz`. Only a leader fills caches. */
export function readiness(unready: readonly string[], isLeader: boolean): [code: number, text: string] {
  if (unready.length === 0) return [200, 'ok'];
  return [503, isLeader ? ['caches that are not synced:', ...unready].join('\n') : 'not the leader'];
}

function metrics(controller: Controller, isLeader: boolean): string {
  const depths = Object.entries(controller.depths).map(
    ([name, depth]) => `kubevirt_workqueue_depth{name="${name}"} ${depth}`,
  );
  return [
    '# TYPE kubevirt_virt_controller_leading_status gauge',
    `kubevirt_virt_controller_leading_status ${Number(isLeader)}`,
    '# TYPE kubevirt_virt_controller_ready_status gauge',
    `kubevirt_virt_controller_ready_status ${Number(controller.unready.length === 0)}`,
    '# TYPE kubevirt_workqueue_depth gauge',
    ...depths,
    '',
  ].join('\n');
}
