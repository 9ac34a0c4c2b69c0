import type { Finding, Path } from '../findings';

/** What YAML can say: texts, numbers, true, false, null, lists and maps. Everything else is told. */
export function validatePlain(value: unknown, at: Path, holders: readonly unknown[] = []): Finding[] {
  const say = (message: string, remedy: string): Finding[] => [
    { rule: 'cloud-init-plain', path: at, cause: message, remedy },
  ];
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return [];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : say('is no number', 'write a finite number');
  if (typeof value !== 'object') return say(`is a ${typeof value}, which YAML cannot say`, 'write a text');
  if (holders.includes(value)) return say('holds itself', 'write it once');
  const within = [...holders, value];
  if (Array.isArray(value)) return value.flatMap((each, i) => validatePlain(each, at.at(i), within));
  // that of a plain object has none itself
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return say('is an object with a class, which YAML cannot say', 'write its data');
  }
  return Object.entries(value).flatMap(([key, inner]) => validatePlain(inner, at.at(key), within));
}

/** A copy without the keys whose value is undefined. What `judgePlain` refuses stays as it is. */
export function withoutUndefined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUndefined) as T;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutUndefined(inner)])) as T;
}
