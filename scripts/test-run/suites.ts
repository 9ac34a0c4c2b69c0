/** Needs that a suite may state in the docblock at the top of its file: `@needs guest`. */
const NEEDS = [
  /** It boots guests, and is not niced: emulated guests must not starve. */
  'guest',
  /** It changes files of the checkout that other suites of this need read. */
  'checkout',
  /** Nothing else may run meanwhile. */
  'alone',
] as const;
export type Need = (typeof NEEDS)[number];

const isNeed = (word: string): word is Need => NEEDS.some((need) => need === word);

/** `submission`: a part of every run. `all`: a part of `scripts/test --all`; of the others, each run takes a tenth. */
export type Tier = 'submission' | 'all';

/** One test file. */
export interface Suite {
  /** Path from the root of the checkout. */
  readonly file: string;
  /** `unit`, `engine`, `integration` or `e2e`. */
  readonly stage: string;
  readonly needs: readonly Need[];
  readonly tier: Tier;
}

/**
 * Reads needs and tier of a suite from its text.
 *
 * @throws Error if the docblock has a need or tier that does not exist
 */
export function suiteOf(file: string, text: string): Suite {
  const docblock = /^\/\*\*([^]*?)\*\//.exec(text)?.[1] ?? '';
  const needs = /@needs ([a-z ]+)/.exec(docblock)?.[1]?.trim().split(/ +/) ?? [];
  const tier = /@tier (\w+)/.exec(docblock)?.[1] ?? 'submission';
  const unknown = needs.find((need) => !isNeed(need));
  if (unknown !== undefined) {
    throw new Error(`${file}: no need is named "${unknown}"; there are: ${NEEDS.join(', ')}`);
  }
  if (tier !== 'submission' && tier !== 'all') throw new Error(`${file}: no tier is named "${tier}"; there is: all`);
  return { file, stage: stageOf(file), needs: needs.filter(isNeed), tier };
}

function stageOf(file: string): string {
  if (file.startsWith('test/integration/engine/')) return 'engine';
  return file.split('/')[1]!;
}

/** Number of runs after which every suite of the tier `all` was a part of one. */
const TURNS = 10;

/**
 * The suites of a run. Without `all`, it has those of the submission tier and a tenth of the others, which the commit
 * chooses: the last digit of the turn, so that a repeated run of a commit has the same suites.
 */
export function suitesOfTier(suites: readonly Suite[], { all, commit }: { all: boolean; commit: string }): Suite[] {
  if (all) return [...suites];
  const turn = parseInt(commit.slice(0, 8), 16) % TURNS;
  const others = suites.filter(({ tier }) => tier === 'all').sort((a, b) => (a.file < b.file ? -1 : 1));
  const chosen = new Set(others.filter((_, index) => index % TURNS === turn));
  return suites.filter((suite) => suite.tier === 'submission' || chosen.has(suite));
}
