import { FailureReason } from '../../../api/reasons';
import type { DomainState, DomainStats } from '../../protocol';
import {
  boundFilesystems,
  boundGuestInfo,
  boundReason,
  boundState,
  boundUsers,
  LIMITS,
  MAX_REPORT_BYTES,
  REASON,
} from '../../protocol/bounds';
import type { Listed } from '../../protocol/bounds';
import { boundStats, MAX_STATS_CHARACTERS } from '../../protocol/stats-bounds';
import { plainText } from '../../../api/plain-text';

/**
 * A launcher's reports come from a Pod that its user may control, and partly from the guest. Each field that reaches the API
 * is parsed here as its type, within the limits of `protocol/bounds.ts`; addresses are for display only.
 */

/** Parses a domain state from a launcher's JSON; undefined if it is invalid. Never throws. */
export const parseDomainState = (json: string | Uint8Array): DomainState | undefined => boundState(parse(json));

/** Parses statistics; empty if they are invalid. Never throws. */
export const parseDomainStats = (json: string | undefined): DomainStats =>
  boundStats(json && json.length <= MAX_STATS_CHARACTERS ? parse(json) : undefined);

export interface LauncherEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Parses an event that a launcher reports about its VMI; undefined if it is invalid. Never throws. */
export function parseEvent(json: Uint8Array): LauncherEvent | undefined {
  const raw = parse(json) as Record<string, unknown> | null | undefined;
  const event = boundReason(raw);
  return event && { type: raw?.type === 'Warning' ? 'Warning' : 'Normal', ...event };
}

/** Reason and message, for a condition, of a request that a launcher rejected. */
export function parseRefusal(rejection: { reason?: string; message?: string } | undefined): {
  reason: string;
  message: string;
} {
  const { reason = '', message = '' } = rejection ?? {};
  return {
    reason: REASON.test(reason) ? reason : FailureReason.SyncFailed,
    message: plainText(message, LIMITS.message) || 'the launcher gave no cause',
  };
}

/** A list of the API whose items are not objects. */
export interface List {
  readonly metadata: { readonly remainingItemCount?: number };
  readonly items: object[];
}

export const parseUsers = (json: string | undefined, omitted: number | undefined): List =>
  listOf(boundUsers(parse(json)), omitted);

export const parseFilesystems = (json: string | undefined, omitted: number | undefined): List =>
  listOf(boundFilesystems(parse(json)), omitted);

export const parseGuestInfo = (json: string | undefined): object => boundGuestInfo(parse(json));

/** Names what a report leaves out, for an event; undefined if it is complete. */
export function describeOmitted({ omitted }: DomainState): string | undefined {
  if (!omitted) return undefined;
  const { interfaces, ips, volumes } = omitted;
  const parts = [
    interfaces && `${interfaces} network interfaces`,
    ips && `${ips} addresses of network interfaces`,
    volumes && `${volumes} volumes`,
  ].filter(Boolean);
  return `the status leaves out ${parts.join(', ')}, because the guest has more than the status shows`;
}

function listOf({ items, omitted }: Listed<object>, before = 0): List {
  const left = omitted + before;
  return { metadata: left > 0 ? { remainingItemCount: left } : {}, items };
}

function parse(json: string | Uint8Array | undefined): unknown {
  if (!json || json.length > MAX_REPORT_BYTES) return undefined;
  try {
    return JSON.parse(typeof json === 'string' ? json : Buffer.from(json).toString());
  } catch {
    return undefined;
  }
}
