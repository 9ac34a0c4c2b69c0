import { closest } from '../names';

/** Shorter words are too near to others: `prod` and `prob`, `lan` and `wan`. */
const SHORTEST = 5;

/**
 * Returns the name that a misspelt one most probably stands for: one word differs, or a dash is missing or superfluous.
 * Names of a series (`db-1` and `db-2`, `web-a` and `web-b`) and of variants (`test-database` and `prod-database`) are
 * not mistaken for each other: the cluster may hold the others.
 */
export function misspelt(name: string, known: readonly string[]): string | undefined {
  const words = wordsOf(name);
  return known.find((other) => other !== name && isNear(words, wordsOf(other)));
}

const wordsOf = (name: string): string[] => name.split(/[-._/]/);

function isNear(words: readonly string[], others: readonly string[]): boolean {
  if (words.length !== others.length) return words.join('').length >= SHORTEST && words.join('') === others.join('');
  const different = words.flatMap((word, i) => (word === others[i] ? [] : [[word, others[i]] as const]));
  if (different.length !== 1) return false;
  const [[word, other]] = different;
  const isSeries = word.replace(/\d+/g, '') === other.replace(/\d+/g, '');
  return !isSeries && word.length >= SHORTEST && closest(word, [other]) !== undefined;
}
