import type { Finding, Path } from '../findings';

/** Reports values that YAML cannot represent: it has strings, numbers, true, false, null, lists and maps. */
export function validatePlain(value: unknown, at: Path): Finding[] {
  return isRepresentable(value, 0) ? [] : notPlain(value, at, []);
}

/** Levels below which {@link isRepresentable} does not look. */
const DEEP = 50;

/** Whether YAML can represent the value, without paths. False also for a deep value, which may contain itself. */
function isRepresentable(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return value === undefined || typeof value === 'string' || typeof value === 'boolean';
  if (value === null) return true;
  if (depth > DEEP) return false;
  if (Array.isArray(value)) return value.every((each) => isRepresentable(each, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key of Object.keys(value)) {
    if (!isRepresentable((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

function notPlain(value: unknown, at: Path, holders: readonly unknown[]): Finding[] {
  const say = (message: string, remedy: string): Finding[] => [
    { rule: 'cloud-init-plain', path: at, cause: message, remedy },
  ];
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return [];
  if (typeof value === 'number')
    return Number.isFinite(value) ? [] : say('is not a finite number', 'write a finite number');
  if (typeof value !== 'object') return say(`is a ${typeof value}, which YAML cannot represent`, 'write a string');
  if (holders.includes(value)) return say('contains itself', 'remove the circular reference');
  const within = [...holders, value];
  if (Array.isArray(value)) return value.flatMap((each, i) => notPlain(each, at.at(i), within));
  // the prototype of a plain object has no prototype
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return say('is an instance of a class, which YAML cannot represent', 'write a plain object with its data');
  }
  return Object.entries(value).flatMap(([key, inner]) => notPlain(inner, at.at(key), within));
}

/** Returns a copy without the keys whose value is undefined. Values that `validatePlain` rejects are returned unchanged. */
export function withoutUndefined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUndefined) as T;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutUndefined(inner)])) as T;
}
