import { closest } from '../names';

const SHORTEST = 5;

/**
 * The name that a misspelt one most probably meant. Names of a series (`db-1` and `db-2`, `web-a` and `web-b`) are not
 * mistaken for each other, nor short ones (`lan` and `wan`): the cluster may hold the others.
 */
export function misspelt(name: string, known: readonly string[]): string | undefined {
  if (name.length < SHORTEST) return undefined;
  return closest(
    name,
    known.filter((other) => other !== name && !isSeries(name, other)),
  );
}

function isSeries(one: string, other: string): boolean {
  const members = (name: string): string =>
    name
      .replace(/\d+/g, '#')
      .split(/(?=[-._/])/)
      .map((part) => (/^[-._/]?[a-z]$/i.test(part) ? '#' : part))
      .join('');
  // web and web-2, too
  const stem = (name: string): string => members(name).replace(/[-._]*#/g, '');
  return stem(one) === stem(other);
}
