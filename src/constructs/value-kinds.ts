/** Kinds of values, for messages and checks. No function here returns a value, because it may be a secret. */

export const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Whether the value is an object, but not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the value is a literal: a list, or an object that is not an instance of a class. */
export function isBare(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value) as object | null;
  // that of another realm, too, as in tests with Jest
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether the value is a placeholder of cdk8s for a string that is known at synth. */
export const isToken = (value: unknown): boolean => isRecord(value) && typeof value.produce === 'function';

/** Whether the value is an Output of Pulumi. */
export const isPulumiOutput = (value: unknown): boolean => isObject(value) && has(value, '__pulumiOutput');

/** Whether the value is a resource of Pulumi. */
export const isPulumiResource = (value: object): boolean => has(value, '__pulumiResource');

/** Whether the value is a component of virt8s/pulumi. */
export const isComponent = (value: object): boolean => Symbol.for('virt8s.pulumi.reference') in value;

const has = (value: object, mark: string): boolean => (value as Record<string, unknown>)[mark] === true;

/**
 * Returns the names of an object's class and its superclasses, so that instances of another copy of a library count as
 * well.
 */
export function classNames(value: unknown): string[] {
  const names: string[] = [];
  if (typeof value !== 'object' || value === null) return names;
  for (let at = Object.getPrototypeOf(value) as object | null; at; at = Object.getPrototypeOf(at) as object | null) {
    const { constructor: type } = at as { constructor?: { name?: unknown } };
    names.push(typeof type?.name === 'string' ? type.name : '');
  }
  return names;
}

/** Returns the name with its article: `an IVirtualMachine`. */
export const withArticle = (name: string): string => `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;

/** Describes a value's type without the value: `a number`. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value !== 'object') return withArticle(typeof value);
  if (isPulumiOutput(value)) return 'an Output of Pulumi';
  const [name] = classNames(value);
  const kind = name && name !== 'Object' ? withArticle(name) : 'an object';
  return isComponent(value) ? `${kind} of Pulumi` : kind;
}
