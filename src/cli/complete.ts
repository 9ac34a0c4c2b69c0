import type { Argument, Command, Option } from 'commander';
import type { GlobalFlags } from './connection';
import type { Kind } from './target';

/** Completes the words of a command line. */
type Candidates = readonly (readonly [value: string, description: string])[];

/** Directives of cobra's protocol: with 0 the shell completes files, with 4 it does not. */
const FILES = 0;
const NO_FILES = 4;

/** Looks up names; ignores errors, because a completion must not print them. */
export type Names = (kind: Kind) => Promise<string[]>;

/** Arguments by their names in usage texts: `vm` and `vmi` are names of objects, `target` is `type/name`. */
const ARGUMENTS: Readonly<Record<string, 'vm' | 'vmi' | 'type' | 'named' | 'target' | 'file'>> = {
  vm: 'vm',
  vmi: 'vmi',
  type: 'type',
  name: 'named',
  target: 'target',
  file: 'file',
  'field-or-file': 'file',
  dir: 'file',
  source: 'file',
  destination: 'file',
};

/** Runs `__complete WORD… LAST`: prints one candidate per line, then the directive. */
export async function complete(program: Command, words: string[], describe: boolean, names?: Names): Promise<string> {
  const [candidates, directive] = await candidatesFor(program, words, names ?? namesFrom(program, words));
  const last = words.at(-1) ?? '';
  const lines = candidates
    .filter(([value]) => value.startsWith(last))
    .map(([value, text]) => (describe && text ? `${value}\t${text}` : value));
  return [...lines, `:${directive}`, ''].join('\n');
}

async function candidatesFor(program: Command, words: string[], names: Names): Promise<[Candidates, number]> {
  const last = words.at(-1) ?? '';
  const { command, positional, pending } = walk(program, words.slice(0, -1));
  if (pending) return [[], /<(file|path|dir)>/.test(pending.flags) ? FILES : NO_FILES];
  if (last.startsWith('-')) return [flagsOf(program, command), NO_FILES];
  if (command === program) {
    const visible = program.createHelp().visibleCommands(program);
    return [visible.map((each) => [each.name(), each.summary() || each.description()] as const), NO_FILES];
  }
  const wanted = ARGUMENTS[argumentAt(command, positional.length)?.name() ?? ''];
  switch (wanted) {
    case undefined:
      return [[], NO_FILES];
    case 'file':
      return [[], FILES];
    case 'type':
      return [
        [
          ['vm', 'virtual machine'],
          ['vmi', 'virtual machine instance'],
        ],
        NO_FILES,
      ];
    case 'named':
      return [await list(names, positional[0] === 'vmi' ? 'vmi' : 'vm'), NO_FILES];
    case 'target':
      return [(await list(names, 'vm')).map(([name]) => [`vm/${name}`, ''] as const), NO_FILES];
    default:
      return [await list(names, wanted), NO_FILES];
  }
}

/** The argument at a position; a variadic one takes all that follow. */
function argumentAt({ registeredArguments: all }: Command, position: number): Argument | undefined {
  const last = all.at(-1);
  return all[position] ?? (last?.variadic ? last : undefined);
}

/** Parses the words before the last: command, arguments and an option that still needs its value. */
function walk(program: Command, words: string[]): { command: Command; positional: string[]; pending?: Option } {
  let command = program;
  const positional: string[] = [];
  let pending: Option | undefined;
  for (const word of words) {
    if (pending) {
      pending = undefined;
    } else if (word.startsWith('-')) {
      const option = [...command.options, ...program.options].find(
        ({ long, short }) => word === long || word === short,
      );
      if (option?.required) pending = option;
    } else if (command === program) {
      command = program.commands.find((each) => each.name() === word) ?? program;
    } else {
      positional.push(word);
    }
  }
  return { command, positional, pending };
}

const flagsOf = (program: Command, command: Command): Candidates =>
  [...new Set([...command.options, ...program.options])].flatMap(({ long, description }) =>
    long ? [[long, description] as const] : [],
  );

const list = async (names: Names, kind: Kind): Promise<Candidates> =>
  (await names(kind).catch(() => [])).map((name) => [name, ''] as const);

/** Fetches names from the cluster that the flags select. */
function namesFrom(program: Command, words: string[]): Names {
  return async (kind) => {
    const { Connection } = await import('./connection');
    program.parseOptions(words);
    return (await Connection.open(program.opts<GlobalFlags>())).names(kind);
  };
}
