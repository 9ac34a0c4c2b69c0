import { isoTime } from '../instance/phase';

/** Condition of an object of CDI. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly lastHeartbeatTime?: string;
}

/** A condition with its times, which stay while it does not change. */
export function timed<C extends Condition>(condition: C, before: readonly Condition[] = [], now: number): C {
  const old = before.find(({ type }) => type === condition.type);
  const same = (keys: readonly (keyof Condition)[]): boolean =>
    keys.every((key) => (old?.[key] ?? '') === (condition[key] ?? ''));
  const time = isoTime(now);
  return {
    ...condition,
    lastTransitionTime: same(['status']) ? (old?.lastTransitionTime ?? time) : time,
    lastHeartbeatTime: same(['status', 'reason', 'message']) ? (old?.lastHeartbeatTime ?? time) : time,
  };
}
