import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

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

/**
 * virtctl's switches may be written `--force=true` or `--force=false`; ours are there or not. Answers the line with
 * each such word replaced.
 */
export function withPlainSwitches(program: Command, argv: readonly string[]): string[] {
  const options = [program, ...program.commands].flatMap((command) => command.options);
  const switches = new Set(options.filter((option) => option.isBoolean()).map((option) => option.long));
  const end = argv.indexOf('--');
  return argv.flatMap((word, i) => {
    const [, name, value] = /^(--[a-z-]+)=(true|false)$/.exec(word) ?? [];
    if (!name || !switches.has(name) || (end >= 0 && i > end)) return [word];
    return value === 'true' ? [name] : [];
  });
}
