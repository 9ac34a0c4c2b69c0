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
  volumeDevices: 'devicePath',
  imagePullSecrets: 'name',
  secrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  resourceClaims: 'name',
  schedulingGates: 'name',
  webhooks: 'name',
  matchConditions: 'name',
  variables: 'name',
};
/** `ports` merge by another key in a Service than in a container. */
const PORT_KEYS = ['containerPort', 'port'] as const;

/**
 * Applies a strategic merge patch: like a merge patch, but lists with a merge key merge element by element, and `$patch:
 * delete` and `$patch: replace` direct it. Returns a new value.
 *
 * @throws Error if an element lacks the merge key, or for another directive
 */
export function strategicMerge(before: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  if (!isMap(before)) return plain(patch);
  const directive = directiveOf(patch);
  if (directive === 'replace') return without(patch, DIRECTIVE);
  if (directive === 'delete') return {};
  const result: Json = { ...before };
  for (const [field, value] of Object.entries(patch)) {
    const merged = value === null ? undefined : mergedField(field, result[field], value);
    if (merged === undefined) delete result[field];
    else result[field] = merged;
  }
  return result;
}

function mergedField(field: string, before: unknown, value: unknown): unknown {
  if (!Array.isArray(value)) return strategicMerge(before, value);
  if (!Array.isArray(before)) return plain(value);
  const key = mergeKey(field, [...(before as unknown[]), ...value]);
  return key ? mergedList(field, key, before, value) : value;
}

function mergedList(field: string, key: string, before: readonly unknown[], patch: readonly unknown[]): unknown[] {
  for (const item of patch) {
    if (!isMap(item)) throw new Error(`an element of ${field} is not a map`);
    if (directiveOf(item) !== 'replace' && item[key] === undefined) {
      throw new Error(`an element of ${field} has no "${key}"`);
    }
  }
  const items = patch as readonly Json[];
  const changes = items.filter((item) => directiveOf(item) === undefined);
  if (items.some((item) => directiveOf(item) === 'replace')) return changes;
  const gone = items.filter((item) => directiveOf(item) === 'delete').map((item) => item[key]);
  const result = (before as readonly Json[]).filter((each) => !gone.includes(each[key]));
  for (const item of changes) {
    const at = result.findIndex((each) => each[key] === item[key]);
    if (at === -1) result.push(item);
    else result[at] = strategicMerge(result[at], item) as Json;
  }
  return ordered(result, key, changes, before as readonly Json[]);
}

/**
 * Orders a merged list as Kubernetes does: elements of the patch in its order, and each other element before the first of
 * them that came after it. New elements are the first, so that a new init container runs before the others.
 */
function ordered(merged: readonly Json[], key: string, patch: readonly Json[], before: readonly Json[]): Json[] {
  const at = (list: readonly Json[], item: Json): number => list.findIndex((each) => each[key] === item[key]);
  const patched = merged.filter((each) => at(patch, each) !== -1).sort((a, b) => at(patch, a) - at(patch, b));
  const others = merged.filter((each) => at(patch, each) === -1);
  const result: Json[] = [];
  for (const each of patched) {
    const place = at(before, each);
    while (others.length > 0 && at(before, others[0]!) < place) result.push(others.shift()!);
    result.push(each);
  }
  return [...result, ...others];
}

function mergeKey(field: string, items: readonly unknown[]): string | undefined {
  if (field !== 'ports') return MERGE_KEYS[field];
  return PORT_KEYS.find((key) => items.some((item) => isMap(item) && key in item));
}

/** A value that merges with nothing: nulls and directives have nothing to remove. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain).filter((each) => each !== undefined);
  if (!isMap(value)) return value;
  if (directiveOf(value) !== undefined) return undefined;
  const fields = Object.entries(value).map(([field, each]) => [field, each === null ? undefined : plain(each)]);
  return Object.fromEntries(fields.filter(([, each]) => each !== undefined));
}

/** @throws Error for a directive other than `$patch: delete` and `$patch: replace` */
function directiveOf(map: Json): 'delete' | 'replace' | undefined {
  const directive = map[DIRECTIVE];
  const other = Object.keys(map).find((field) => field.startsWith('$') && field !== DIRECTIVE);
  if (other) throw new Error(`the directive ${other} is not supported; use $patch`);
  if (directive === undefined || directive === 'delete' || directive === 'replace') return directive;
  throw new Error(`$patch: ${JSON.stringify(directive)} is not "delete" or "replace"`);
}

const isMap = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const without = (map: Json, key: string): Json =>
  Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));
