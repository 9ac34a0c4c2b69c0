import { Cell, Column, Printer } from '../registry/kind';
import { age } from '../table/format';
import { AnyObject } from '../types';

/** A printer of text columns between name and age; `wide` columns come after. */
export function textPrinter(
  columns: Record<string, (object: AnyObject, now: number) => Cell>,
  wide: Record<string, (object: AnyObject, now: number) => Cell> = {},
  types: Record<string, Column['type']> = {},
): Printer {
  const column = (name: string, priority = 0): Column => ({ name, type: types[name] ?? 'string', priority });
  return {
    columns: [
      { name: 'Name', type: 'string', format: 'name' },
      ...Object.keys(columns).map((name) => column(name)),
      { name: 'Age', type: 'string' },
      ...Object.keys(wide).map((name) => column(name, 1)),
    ],
    row: (object, now) => [
      object.metadata.name!,
      ...Object.values(columns).map((cell) => cell(object, now)),
      age(object.metadata.creationTimestamp, now),
      ...Object.values(wide).map((cell) => cell(object, now)),
    ],
  };
}

/** Name and creation time. */
export const nameOnly: Printer = {
  columns: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Created At', type: 'date' },
  ],
  row: ({ metadata }) => [metadata.name!, metadata.creationTimestamp ?? null],
};

/** At most three items, then the number of the others. */
export function few(items: string[], max = 3): string {
  if (!items.length) return '<unset>';
  return items.length > max ? `${items.slice(0, max).join(',')} + ${items.length - max} more...` : items.join(',');
}
