import { closest } from '../names';

/** Shorter words are too near to others: `prod` and `prob`, `lan` and `wan`. */
const SHORTEST = 5;

/**
 * Returns the name that a misspelt one most probably stands for: one word differs, or a dash is missing or superfluous.
 * Names of a series (`db-1` and `db-2`, `web-a` and `web-b`) and of variants (`test-database` and `prod-database`) are
 * not mistaken for each other: the cluster may hold the others.
 *
 * @param hasShortNames whether words of four letters are compared: names of systems, such as `rhel`
 */
export function misspelt(name: string, known: readonly string[], hasShortNames = false): string | undefined {
  const words = wordsOf(name);
  const shortest = hasShortNames ? SHORTEST - 1 : SHORTEST;
  return known.find((other) => other !== name && isNear(words, wordsOf(other), shortest));
}

const wordsOf = (name: string): string[] => name.split(/[-._/]/);

function isNear(words: readonly string[], others: readonly string[], shortest: number): boolean {
  if (words.length !== others.length) return words.join('').length >= SHORTEST && words.join('') === others.join('');
  const different = words.flatMap((word, i) => (word === others[i] ? [] : [[word, others[i]] as const]));
  if (different.length !== 1) return false;
  const [[word, other]] = different;
  const isSeries = word.replace(/\d+/g, '') === other.replace(/\d+/g, '');
  if (isSeries) return false;
  return (word.length >= SHORTEST && closest(word, [other]) !== undefined) || isTypo(word, other, shortest);
}

/** Whether two neighbours are swapped in a short word, or a letter within it is missing: `nte`, `clam` for `claim`. */
function isTypo(word: string, other: string, shortest: number): boolean {
  if (word.length < 3 || !sameEnds(word, other)) return false;
  if (word.length === other.length) {
    const i = [...word].findIndex((letter, at) => letter !== other[at]);
    return word[i] === other[i + 1] && word[i + 1] === other[i] && word.slice(i + 2) === other.slice(i + 2);
  }
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  if (long.length !== short.length + 1 || long.length < shortest) return false;
  return [...long].some((_, i) => i > 0 && i < short.length && long.slice(0, i) + long.slice(i + 1) === short);
}

/** Whether they begin alike; the plural of a word is another name. */
const sameEnds = (a: string, b: string): boolean => a[0] === b[0] && (a.length === b.length || a.at(-1) === b.at(-1));
