type Json = Record<string, unknown>;

const DIRECTIVE = '$patch';

/**
 * Lists of the installed kinds that merge by a key (Kubernetes' `patchMergeKey`), by the name of their field. A patch
 * replaces any other list.
 */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  webhooks: 'name',
  matchConditions: 'name',
};
/** `ports` merge by another key in a Service than in a container. */
const PORT_KEYS = ['containerPort', 'port'] as const;

/**
 * Applies a strategic merge patch: like a merge patch, but lists with a merge key merge element by element, and `$patch:
 * delete` and `$patch: replace` direct it. Returns a new value. @throws Error if an element lacks the merge key
 */
export function strategicMerge(before: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  if (patch[DIRECTIVE] === 'replace') return without(patch, DIRECTIVE);
  if (patch[DIRECTIVE] === 'delete') return {};
  const result: Json = isMap(before) ? { ...before } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (field === DIRECTIVE) continue;
    if (value === null) delete result[field];
    else if (Array.isArray(value)) result[field] = mergedList(field, result[field], value);
    else result[field] = strategicMerge(result[field], value);
  }
  return result;
}

function mergedList(field: string, before: unknown, patch: readonly unknown[]): unknown[] {
  const key = mergeKey(field, patch);
  if (!key || !Array.isArray(before)) return patch.filter((item) => !isMap(item) || item[DIRECTIVE] === undefined);
  if (patch.some((item) => isMap(item) && item[DIRECTIVE] === 'replace')) {
    return patch.filter((item) => !isMap(item) || item[DIRECTIVE] !== 'replace');
  }
  let result = [...(before as unknown[])];
  for (const item of patch) {
    if (!isMap(item) || item[key] === undefined) throw new Error(`an element of ${field} has no "${key}"`);
    const at = result.findIndex((each) => isMap(each) && each[key] === item[key]);
    if (item[DIRECTIVE] === 'delete') result = result.filter((_, i) => i !== at);
    else if (at === -1) result.push(item);
    else result[at] = strategicMerge(result[at], item);
  }
  return result;
}

function mergeKey(field: string, patch: readonly unknown[]): string | undefined {
  if (field !== 'ports') return MERGE_KEYS[field];
  return PORT_KEYS.find((key) => patch.every((item) => isMap(item) && key in item));
}

const isMap = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const without = (map: Json, key: string): Json =>
  Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));
