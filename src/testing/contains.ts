/** Compares values partially. Pure; recognizes the asymmetric matchers of jest and vitest by their shape. */

/** Field that differs from the expectation. */
export interface Mismatch {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Asymmetric {
  asymmetricMatch(value: unknown): boolean;
}
const isAsymmetric = (value: unknown): value is Asymmetric =>
  typeof (value as Partial<Asymmetric> | null)?.asymmetricMatch === 'function';

/**
 * Returns the fields in which `actual` differs from the expectation. Objects may have additional fields; lists must
 * have the same length. A field that is expected to be `undefined` must be absent.
 */
export function mismatches(actual: unknown, expected: unknown, path = ''): Mismatch[] {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual) ? [] : [{ path, expected, actual }];
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [{ path, expected, actual }];
    return expected.flatMap((item, i) => mismatches(actual[i], item, `${path}[${i}]`));
  }
  if (!isObject(expected)) return Object.is(actual, expected) ? [] : [{ path, expected, actual }];
  if (!isObject(actual)) return [{ path, expected, actual }];
  return Object.entries(expected).flatMap(([field, value]) =>
    mismatches(
      Object.hasOwn(actual, field) ? actual[field] : undefined,
      value,
      path === '' ? field : `${path}.${field}`,
    ),
  );
}

/** Formats a mismatch: `spec.replicas: expected 3, found 2`. */
export const formatMismatch = ({ path, expected, actual }: Mismatch): string =>
  `${path}: expected ${show(expected)}, found ${actual === undefined ? 'nothing' : show(actual)}`;

function show(value: unknown): string {
  if (isAsymmetric(value)) return String(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
