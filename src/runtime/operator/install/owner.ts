import type { KubeObject } from '../../../api';
import { MANAGED } from '../customize/desired';

/** Annotation on everything that KubeVirt's own operator installs: the version. */
const UPSTREAM = 'kubevirt.io/install-strategy-version';

/**
 * Returns the KubeVirt installation that owns an object, such as `KubeVirt v1.6.0`; undefined if it belongs to this
 * platform, to nobody, or to an earlier version of it.
 */
export function upstreamOwner({ metadata }: KubeObject): string | undefined {
  const version = metadata.annotations?.[UPSTREAM];
  const [[label, value]] = Object.entries(MANAGED) as [[string, string]];
  return version !== undefined && metadata.labels?.[label] === value ? `KubeVirt ${version}` : undefined;
}
