import type { ControllerReason } from '../../../api/reasons';

/** Problem that keeps the VM from running as its spec requests; `retryMs` is set if no event reports its end. */
export interface Problem {
  readonly reason: ControllerReason;
  readonly message: string;
  readonly retryMs?: number;
}
