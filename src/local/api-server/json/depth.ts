/** Maximum nesting of objects and arrays that clients may send. */
export const MAX_DEPTH = 1_000;

/**
 * Maximum number of values that clients may send in one body. Definitions of large APIs have about 30,000; each takes
 * about 10 µs of the event loop, which other clients wait for.
 */
export const MAX_VALUES = 50_000;

/** Go's words for values that are nested too deep. */
export const TOO_DEEP = 'exceeded max depth';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Whether JSON text is nested deeper than `limit`. Decoding, validation and encoding recurse, so that deep values would
 * exhaust the stack. Builds no value.
 */
export function isTooDeep(text: string, limit = MAX_DEPTH): boolean {
  if (text.length <= limit) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
    } else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      if (++depth > limit) return true;
    } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) depth--;
  }
  return false;
}

/** Whether JSON text has more than `limit` values, by its commas and brackets. */
export function hasTooManyValues(text: string, limit = MAX_VALUES): boolean {
  if (text.length <= limit) return false;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
    } else if ((char === COMMA || char === OPEN_OBJECT || char === OPEN_ARRAY) && ++values > limit) return true;
  }
  return false;
}

/** Whether a decoded value is nested deeper than `limit`. Does not recurse. */
export function isValueTooDeep(value: unknown, limit = MAX_DEPTH): boolean {
  const containers = (values: unknown[]) =>
    values.filter((item): item is object => typeof item === 'object' && item !== null);
  let level = containers([value]);
  for (let depth = 1; level.length; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((item) => containers(Object.values(item)));
  }
  return false;
}
