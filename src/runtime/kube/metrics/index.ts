/** Metrics of programs. Not part of the room's index, so that programs without metrics do not contain prom-client. */
export { ProgramMetrics } from './program-metrics';
export type { Value } from './program-metrics';
export { requestMetrics } from './requests';
export { metricsServer } from './server';
export type { Answer } from './server';
export { queueMetrics } from './work-queues';
