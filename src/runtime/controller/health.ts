import type { Server } from 'node:http';
import { metricsServer } from '../kube/metrics';
import type { ProgramMetrics } from '../kube/metrics';
import type { Controller } from './controller';

/** Serves `/healthz` (the process answers), `/readyz` (it leads, and its caches are synced) and `/metrics`. */
export function serveHealth(
  port: number,
  controller: Pick<Controller, 'unready'>,
  isLeader: () => boolean,
  metrics: ProgramMetrics,
): Server {
  return metricsServer(metrics, {
    '/healthz': () => [200, 'ok'],
    '/readyz': () => readiness(controller.unready, isLeader()),
  }).listen(port);
}

/** Answer of `/readyz`. Only a leader fills caches. */
export function readiness(unready: readonly string[], isLeader: boolean): [code: number, text: string] {
  if (unready.length === 0) return [200, 'ok'];
  return [503, isLeader ? ['caches that are not synced:', ...unready].join('\n') : 'not the leader'];
}
