/** Plain data as expressions. Pure. */
import { isFields } from './difference';
import { type Expression, type LongText, object, list, value } from './expression';

/** A text that reads better over several lines than with `\n` in it. */
export const isLong = (text: string): boolean => /\n[^\n]*\n?[^\n]/.test(text);

/** Plain data; texts of many lines become constants, named after their key. */
export function literal(data: unknown, name: string, key = ''): Expression {
  if (typeof data === 'string') return textOf(data, `${name} ${key}`);
  if (!hasLongText(data)) return value(data);
  if (Array.isArray(data)) return list(data.map((item) => literal(item, name, key)));
  return {
    ...object({}),
    entries: Object.entries(data as object).map(([key, inner]) => [key, literal(inner, name, key)]),
  };
}

/** A text; one of many lines becomes a constant of this name. */
export function textOf(text: string, name: string): Expression {
  if (!isLong(text)) return value(text);
  return { type: 'text', name, value: text } satisfies LongText;
}

function hasLongText(data: unknown): boolean {
  if (typeof data === 'string') return isLong(data);
  if (Array.isArray(data)) return data.some(hasLongText);
  return isFields(data) && Object.values(data).some(hasLongText);
}
