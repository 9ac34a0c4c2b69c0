import type { CodeBlock } from './code-blocks';

/** Words that a block may have after its language, and what they mean. */
export const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ts: {
    'needs-cluster': 'is compiled, not run: it talks to a cluster',
    'needs-engine': 'is compiled, not run: the engine of Pulumi runs it',
    test: 'is compiled, not run: it is a test of its reader, with expect and test',
    fails: 'is compiled, and throws the error in the `text` block after it',
  },
  yaml: { synth: 'is part of what the program before it writes' },
  sh: {
    run: 'is run, in a folder with the files of the blocks before it',
    engine: 'is run on an engine, by test/e2e/pages.test.ts',
    package: 'is run with the packed package, by test/integration/package/pages.test.ts',
    fails: 'ends with another code than 0',
    'needs-ci': 'is not run: it is the test command, or a check outside it',
    'needs-cluster': 'is not run: it needs controllers or nodes that the engine does not have',
    'needs-image': 'is not run: it needs an image with cloud-init that takes minutes to boot',
    'needs-pulumi': 'is not run: it needs the engine of Pulumi',
    'needs-registry': 'is not run: its registry is an example; test/integration/package/images.test.ts has a real one',
    'needs-release': 'is not run: the package is not in the registry of npm',
    'needs-storage':
      'is not run: it needs disks with content; test/integration/engine imports, uploads and exports them',
    'needs-windows': 'is not run: it needs installation media of Windows',
  },
  text: {
    error: 'is part of what the program before it throws',
    output: 'is part of what the commands before it print',
  },
};

/** Words for programs that are only compiled. */
const COMPILED_ONLY = ['needs-cluster', 'needs-engine', 'test'];

/** A block whose first word is the name of a file is that file. */
export const fileNameOf = ({ words: [first = ''] }: CodeBlock): string | undefined =>
  /^[\w-]+\.(?:yaml|xml|ts|json|sh)$/.test(first) ? first : undefined;

export const unknownWords = (block: CodeBlock): string[] =>
  block.words.filter((word) => word !== fileNameOf(block) && !(word in (WORDS[block.language] ?? {})));

/** A program with its outputs in the page, or the blocks of a page before its first program. */
export interface Scene {
  readonly where: string;
  readonly program?: CodeBlock;
  /** Blocks that are checked, in this order. */
  readonly steps: readonly CodeBlock[];
}

/** Commands that other tests run, or none. */
const RUN_ELSEWHERE = /^(engine|package|needs-.*)$/;

/** Whether a block is run, or compared with the result of one that ran. */
const isStep = (block: CodeBlock): boolean =>
  fileNameOf(block) !== undefined ||
  (['sh', 'text', 'yaml'].includes(block.language) &&
    !block.words.some((word) => RUN_ELSEWHERE.test(word)) &&
    block.words.some((word) => word in WORDS[block.language]!));

export function scenesOf(blocks: readonly CodeBlock[]): Scene[] {
  const scenes: { where: string; program?: CodeBlock; steps: CodeBlock[] }[] = [];
  for (const block of blocks) {
    const page = block.where.replace(/:\d+$/, '');
    if (block.language === 'ts' && !fileNameOf(block)) {
      scenes.push({ where: block.where, program: block, steps: [] });
    } else if (isStep(block)) {
      const last = scenes.at(-1);
      if (last?.where.startsWith(`${page}:`)) last.steps.push(block);
      else scenes.push({ where: block.where, steps: [block] });
    }
  }
  return scenes.filter(
    ({ program, steps }) => steps.length > 0 || !program!.words.some((word) => COMPILED_ONLY.includes(word)),
  );
}

/** Whether a word marks a block of commands as run, or gives the reason why not. */
const decides = (word: string): boolean => word !== 'fails' && word in WORDS.sh!;

/** Commands without a word that marks them as run or not. */
export const undecided = ({ language, words }: CodeBlock): boolean => language === 'sh' && !words.some(decides);

export const isRun = ({ words }: CodeBlock): boolean => !words.some((word) => COMPILED_ONLY.includes(word));

/** Whether every field of `part` is in `whole` or below it. Lists have the same length. */
export function contains(whole: unknown, part: unknown): boolean {
  if (covers(whole, part)) return true;
  return typeof whole === 'object' && whole !== null && Object.values(whole).some((inner) => contains(inner, part));
}

function covers(whole: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return Object.is(whole, part);
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole) !== Array.isArray(part)) return false;
  if (Array.isArray(part) && part.length !== (whole as unknown[]).length) return false;
  return Object.entries(part).every(([key, value]) => covers((whole as Record<string, unknown>)[key], value));
}
