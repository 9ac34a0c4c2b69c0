import type { Server } from 'node:http';
import { metricsServer } from '../kube/metrics';
import type { ProgramMetrics } from '../kube/metrics';

/** Serves `/healthz` (the process answers), `/readyz` and `/metrics`. */
export function serveHealth(
  port: number,
  unready: () => readonly string[],
  isLeader: () => boolean,
  metrics: ProgramMetrics,
): Server {
  // a replica that waits for the lease reads nothing yet
  const problems = (): readonly string[] => (isLeader() ? unready() : []);
  metrics.computed('kubevirt_virt_operator_leading_status', () => [{ value: Number(isLeader()) }]);
  metrics.computed('kubevirt_virt_operator_ready_status', () => [{ value: Number(problems().length === 0) }]);
  return metricsServer(metrics, {
    '/healthz': () => [200, 'ok'],
    '/readyz': () => (problems().length > 0 ? [503, problems().join('\n')] : [200, 'ok']),
  }).listen(port);
}
