import { InvalidArgumentError } from 'commander';
import type { Command, Option } from 'commander';

/** Parses an integer option. */
export function integer(value: string): number {
  if (!/^-?\d+$/.test(value)) throw new InvalidArgumentError('It must be an integer.');
  return Number(value);
}

/** Parses a port to listen on; 0 is any free port. */
export function port(value: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (!(number >= 0 && number <= 65535)) throw new InvalidArgumentError('It must be a port number from 0 to 65535.');
  return number;
}

/** Parses a number of nodes on one machine. */
export function nodeCount(value: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (!(number >= 1 && number <= 16)) throw new InvalidArgumentError('It must be a number from 1 to 16.');
  return number;
}

/** Collects the values of a repeatable option. */
export const each = (value: string, before: string[] = []): string[] => [...before, value];

const TRUE = /^(1|t|true)$/i;
const FALSE = /^(0|f|false)$/i;

/**
 * Rewrites the arguments for commander. virtctl's flags (Go's pflag) allow two more forms: a switch may have a value
 * (`--force=true`, `-r=false`), and a short option's value may follow a `=` (`-n=web`, also after switches: `-rn=web`).
 */
export function asCommanderReads(program: Command, words: readonly string[]): string[] {
  let command: Command | undefined;
  const find = (flag: string): Option | undefined =>
    [...(command?.options ?? []), ...program.options].find((option) => option.short === flag || option.long === flag);

  /** Rewrites a switch with a value (`--force=false`). Undefined if the value is not a boolean. */
  const switched = (option: Option, value: string): string[] | undefined =>
    TRUE.test(value) ? [option.long ?? option.short!] : FALSE.test(value) ? [] : undefined;

  /** Rewrites an argument with one dash: its letters are switches, up to the first option that takes a value. */
  const short = (word: string): { words: string[]; takesNext: boolean } => {
    const plain = { words: [word], takesNext: false };
    const found: string[] = [];
    for (let i = 1; i < word.length; i++) {
      const option = find(`-${word[i]}`);
      const rest = word.slice(i + 1);
      if (!option) return plain;
      if (!option.isBoolean()) {
        const value = rest.startsWith('=') ? rest.slice(1) : rest;
        return { words: [...found, option.short!, ...(rest ? [value] : [])], takesNext: !rest };
      }
      if (rest.startsWith('=')) {
        const answer = switched(option, rest.slice(1));
        return answer ? { words: [...found, ...answer], takesNext: false } : plain;
      }
      found.push(option.short!);
    }
    return { words: found, takesNext: false };
  };

  const result: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    let read = { words: [word], takesNext: false };
    if (word === '--') return [...result, ...words.slice(i)];
    if (word.startsWith('--')) {
      const [, name, , value] = /^(--[^=]+)(=(.*))?$/s.exec(word) ?? [];
      const option = name === undefined ? undefined : find(name);
      if (option?.isBoolean() && value !== undefined) read.words = switched(option, value) ?? [word];
      else read.takesNext = option !== undefined && !option.isBoolean() && value === undefined;
    } else if (word.startsWith('-') && word.length > 1) {
      read = short(word);
    } else {
      command ??= program.commands.find((each) => each.name() === word);
    }
    result.push(...read.words);
    // the value of an option is never read as another option
    if (read.takesNext && i + 1 < words.length) result.push(words[++i]);
  }
  return result;
}
