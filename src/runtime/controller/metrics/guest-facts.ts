import { keys } from '../../../api/keys';

/** Facts about a guest that its user declares with annotations. */
export function declaredFacts(annotations: Readonly<Record<string, string>> = {}): Record<string, string | undefined> {
  return {
    os: bounded(annotations[keys.guestOs]),
    workload: bounded(annotations[keys.guestWorkload]),
    flavor: bounded(annotations[keys.guestFlavor]),
  };
}

/** Longest value of a label. Annotations and reports of guests may be much longer. */
const MAX_LABEL = 128;

export const bounded = (text: string | undefined): string | undefined => text?.slice(0, MAX_LABEL);

/** Unix time in seconds; undefined without a valid time. */
export function unixTime(time: string | null | undefined): number | undefined {
  const ms = Date.parse(time ?? '');
  return isNaN(ms) ? undefined : Math.floor(ms / 1000);
}
