import { refuseReservedKey } from '../json/parse';
import { clone, isMap, own } from '../json/values';

/** RFC 7386: maps merge, null removes, everything else replaces. Returns a new value. */
export function mergePatch(doc: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return clone(patch);
  const result: Record<string, unknown> = isMap(doc) ? { ...doc } : {};
  for (const [key, value] of Object.entries(patch)) {
    refuseReservedKey(key);
    if (value === null) delete result[key];
    else result[key] = mergePatch(own(result, key), value);
  }
  return result;
}
