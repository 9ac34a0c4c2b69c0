export { startScheduler } from './scheduler';
export type { Scheduler, SchedulerOptions } from './scheduler';
