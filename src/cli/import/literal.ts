/** Converts plain data to expressions. Pure. */
import { isFields } from './difference';
import { type Expression, type LongText, object, list, value } from './expression';

/** Whether a text is more readable over several lines than with `\n`. */
export const isLong = (text: string): boolean => /\n[^\n]*\n?[^\n]/.test(text);

/** Converts plain data; texts of several lines become constants that are named after their key. */
export function literal(data: unknown, name: string, key = ''): Expression {
  if (typeof data === 'string') return textOf(data, `${name} ${key}`);
  if (!hasLongText(data)) return value(data);
  if (Array.isArray(data)) return list(data.map((item) => literal(item, name, key)));
  return {
    ...object({}),
    entries: Object.entries(data as object).map(([key, inner]) => [key, literal(inner, name, key)]),
  };
}

/** Converts a text; several lines become a constant of this name. */
export function textOf(text: string, name: string): Expression {
  if (!isLong(text)) return value(text);
  return { type: 'text', name, value: text } satisfies LongText;
}

function hasLongText(data: unknown): boolean {
  if (typeof data === 'string') return isLong(data);
  if (Array.isArray(data)) return data.some(hasLongText);
  return isFields(data) && Object.values(data).some(hasLongText);
}
