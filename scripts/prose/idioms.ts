/** A way of writing that readers stumble over. */
export interface Idiom {
  /** Matches the idiom in one line of source or text, in any case. */
  readonly pattern: RegExp;
  /** Words to write instead. */
  readonly instead: string;
}

/** Comparisons and set phrases in which "is no" reads well: `is no longer`, `is no more than`. */
const READS_WELL =
  'longer|more|less|fewer|such|different|better|worse|larger|smaller|greater|earlier|later|need|way|reason';

/** Idioms that new text must not bring back. */
export const idioms: readonly Idiom[] = [
  { pattern: /\b(?:un)?told\b/i, instead: 'reports, returns, names: say who does it' },
  { pattern: /\b(?:judged?|judges|judging|judgements?)\b/i, instead: 'validates, checks, compares' },
  {
    pattern: new RegExp(`(?<!\\bthere )\\b(?:is|are) no (?!(?:${READS_WELL})\\b)\\w`, 'i'),
    instead: 'is not a …, is not valid, has no …',
  },
  { pattern: /(?<!\bthere )\b(?:is|are) none\b/i, instead: 'is not one of …, does not exist' },
  { pattern: /\banew\b/i, instead: 'again, a new one' },
  { pattern: /\bby (?:itself|themselves)\b/i, instead: 'automatically, alone' },
  { pattern: /\bgoes\b/i, instead: 'moves, is sent, is deleted, continues: name what happens' },
  { pattern: /\b(?:stands|stood)\b(?! for\b)/i, instead: 'is, remains, is listed' },
  { pattern: /\bwants\b/i, instead: 'requires, requests, needs' },
  { pattern: /\blets?\b[^.]{0,30}\bgo\b/i, instead: 'deletes, releases' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'corrects, fixes, repairs' },
  { pattern: /\bnow and then\b/i, instead: 'at times, periodically' },
  { pattern: /\b(?:whatever|whoever)\b/i, instead: 'regardless of, any' },
  { pattern: /\b(?:is|are) left alone\b/i, instead: 'is not changed, is accepted' },
  { pattern: /\bsays? (?:so|otherwise)\b/i, instead: 'requires, sets, reports: name what it says' },
  { pattern: /\b(?:all the same|in vain|for good)\b/i, instead: 'nevertheless, without a result, permanently' },
  { pattern: /^\s*\/\*\* (?:Why|How|What|Where|Whose) /, instead: 'a docstring that begins with a noun or a verb' },
  {
    pattern:
      /\b(?:named?|names|writes?|written|calls?|called|makes?|made|ends?|does|done|spelled|looks?)(?: (?:it|them|this))? otherwise\b/i,
    instead: 'rename it, differs, in another way',
  },
];

/** One use of an idiom. */
export interface Use {
  /** Line, from 1. */
  readonly line: number;
  /** The words that match. */
  readonly found: string;
  readonly instead: string;
}

/**
 * The idioms that a text uses. Of the wording of others, which clients match on, `quotations` has the exact fragments.
 * A line that imports a module or names a file is read as any other.
 */
export function idiomsIn(text: string, quotations: readonly string[] = []): Use[] {
  return text.split('\n').flatMap((line, index) => {
    const own = quotations.reduce((rest, quotation) => rest.replaceAll(quotation, ''), line);
    return idioms.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(own)?.[0];
      return found === undefined ? [] : [{ line: index + 1, found, instead }];
    });
  });
}
