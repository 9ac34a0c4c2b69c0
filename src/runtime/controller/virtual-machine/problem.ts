import type { ControllerReason } from '../../../api/reasons';

/** What keeps the VM from running as its spec says. `retryMs`: set where no event reports that the cause has gone. */
export interface Problem {
  readonly reason: ControllerReason;
  readonly message: string;
  readonly retryMs?: number;
}
