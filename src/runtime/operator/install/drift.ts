/** Lists of the installed kinds that the API server merges by the name of the element. */
const NAMED = [
  ...['containers', 'initContainers', 'env', 'volumes', 'imagePullSecrets'],
  ...['webhooks', 'matchConditions', 'variables'],
];

/**
 * Returns the path of the first field in which an object differs from what is desired; undefined if it has everything.
 * Fields that only the object has are allowed: the API server sets defaults, and users add labels. So are elements of
 * lists that the API server merges by name, such as containers; every other list must be equal.
 */
export function driftOf(desired: unknown, actual: unknown, path = ''): string | undefined {
  if (Array.isArray(desired)) return driftOfList(desired, actual, path);
  if (!isMap(desired)) return isSame(desired, actual) ? undefined : path;
  if (!isMap(actual)) return Object.keys(desired).length === 0 && actual === undefined ? undefined : path;
  for (const [field, value] of Object.entries(desired)) {
    const drift = driftOf(value, actual[field], path ? `${path}.${field}` : field);
    if (drift !== undefined) return drift;
  }
  return undefined;
}

function driftOfList(desired: readonly unknown[], actual: unknown, path: string): string | undefined {
  if (!Array.isArray(actual)) return desired.length === 0 && actual === undefined ? undefined : path;
  const isKeyed = desired.length > 0 && NAMED.includes(fieldOf(path));
  const named = isKeyed && desired.every((each) => nameOf(each) !== undefined);
  if (!named && desired.length !== actual.length) return path;
  for (const [i, value] of desired.entries()) {
    const name = named ? nameOf(value) : undefined;
    const other: unknown = named ? actual.find((each) => nameOf(each) === name) : actual[i];
    const drift = driftOf(value, other, `${path}[${name ?? i}]`);
    if (drift !== undefined) return drift;
  }
  return undefined;
}

const nameOf = (value: unknown): string | undefined =>
  isMap(value) && typeof value.name === 'string' ? value.name : undefined;

const fieldOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** The API server omits empty values. */
function isSame(desired: unknown, actual: unknown): boolean {
  if (desired === actual) return true;
  return actual === undefined && (desired === null || [undefined, '', false, 0].includes(desired as undefined));
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
