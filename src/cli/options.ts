import { InvalidArgumentError } from 'commander';

/** A whole number of an option. */
export function integer(value: string): number {
  if (!/^-?\d+$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

/** A port to listen on; 0: any free one. */
export function port(value: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (!(number >= 0 && number <= 65535)) throw new InvalidArgumentError('It must be a port, 0 to 65535.');
  return number;
}

/** Each occurrence of a repeatable option. */
export const each = (value: string, before: string[] = []): string[] => [...before, value];
