/** Removes fields that a cluster set. Pure. */
import { isFields } from './difference';

/** Object without the fields of the cluster, and the names of those fields. */
export interface Cleaned {
  readonly object: Readonly<Record<string, unknown>>;
  readonly stripped: readonly string[];
}

const WRITTEN_BY_CLUSTER = ['managedFields', 'uid', 'resourceVersion', 'creationTimestamp', 'generation', 'selfLink'];
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Removes the fields that only a cluster sets, if the object was read from one: it has a uid,
 * resourceVersion or managedFields. Other objects are not changed.
 */
export function cleaned(object: Readonly<Record<string, unknown>>): Cleaned {
  const { metadata } = object;
  if (!isFields(metadata)) return { object, stripped: [] };
  const live = ['uid', 'resourceVersion', 'managedFields'].some((key) => metadata[key] !== undefined);
  const { annotations } = metadata;
  const applied = isFields(annotations) && LAST_APPLIED in annotations;
  if (!live && !applied) return { object, stripped: [] };
  const stripped = [
    ...(live && 'status' in object ? ['status'] : []),
    ...(live ? WRITTEN_BY_CLUSTER.filter((key) => key in metadata).map((key) => `metadata.${key}`) : []),
    ...(applied ? [`annotation ${LAST_APPLIED}`] : []),
  ];
  const { status, ...rest } = object;
  return {
    object: {
      ...rest,
      ...(live || status === undefined ? {} : { status }),
      metadata: cleanedMetadata(metadata, live),
    },
    stripped,
  };
}

function cleanedMetadata(
  metadata: Readonly<Record<string, unknown>>,
  live: boolean,
): Readonly<Record<string, unknown>> {
  const kept = Object.entries(metadata).filter(([key]) => !live || !WRITTEN_BY_CLUSTER.includes(key));
  return Object.fromEntries(
    kept.flatMap(([key, value]): [string, unknown][] => {
      if (key !== 'annotations' || !isFields(value)) return [[key, value]];
      const others = Object.entries(value).filter(([name]) => name !== LAST_APPLIED);
      return others.length > 0 ? [[key, Object.fromEntries(others)]] : [];
    }),
  );
}
