import { parseDuration } from '../../../api/duration';
import type { KubeVirtSelfSignConfiguration } from '../../../api/generated/kubevirt-v1';

/** Lifetime of a certificate, in milliseconds. */
export interface Lifetime {
  readonly durationMs: number;
  /** Time before the end at which it is renewed. */
  readonly renewBeforeMs: number;
}

/** Lifetimes of the certificates of an installation. */
export interface Lifetimes {
  readonly authority: Lifetime;
  /** Certificates of servers and clients. */
  readonly leaf: Lifetime;
  /** Time for which programs trust a new authority before it signs. */
  readonly overlapMs: number;
}

const HOUR_MS = 3_600_000;
const DEFAULTS = { authorityMs: 7 * 24 * HOUR_MS, leafMs: 24 * HOUR_MS };
/** KubeVirt renews when a fifth of the lifetime is left. */
const RENEWED_FRACTION = 0.2;
/** Within this time, a kubelet writes a changed Secret into its Pods (about 90 s), and the programs read it (10 s). */
const OVERLAP_MS = 5 * 60_000;

/** Certificates have no fractions of seconds, and a renewal takes a pass of the operator. */
const LEAST_MS = 60_000;
/** Every program can represent the end of a certificate of a hundred years. */
const MOST_MS = 100 * 365 * 24 * HOUR_MS;

/** Returns the lifetimes that the KubeVirt object sets. The webhook validates them, but may have been bypassed. */
export function lifetimesOf(given: KubeVirtSelfSignConfiguration = {}): Lifetimes {
  const authority = lifetime(
    given.caRotateInterval ?? given.ca?.duration,
    given.caOverlapInterval ?? given.ca?.renewBefore,
    DEFAULTS.authorityMs,
  );
  const leaf = lifetime(given.certRotateInterval ?? given.server?.duration, given.server?.renewBefore, DEFAULTS.leafMs);
  // a short-lived authority must be able to sign before the one that it replaces ends
  return { authority, leaf, overlapMs: Math.min(OVERLAP_MS, authority.renewBeforeMs / 2) };
}

function lifetime(duration: string | undefined, renewBefore: string | undefined, defaultMs: number): Lifetime {
  const durationMs = Math.min(Math.max(milliseconds(duration) ?? defaultMs, LEAST_MS), MOST_MS);
  const renewBeforeMs = milliseconds(renewBefore);
  // a certificate that is renewed as soon as it is issued would be written again and again
  const isUsable = renewBeforeMs !== undefined && renewBeforeMs < durationMs;
  return { durationMs, renewBeforeMs: isUsable ? renewBeforeMs : durationMs * RENEWED_FRACTION };
}

/** A duration that cannot be read, or that is not positive, is treated as absent. */
function milliseconds(text: string | undefined): number | undefined {
  const value = text === undefined ? undefined : parseDuration(text);
  return value !== undefined && value > 0 ? value : undefined;
}
