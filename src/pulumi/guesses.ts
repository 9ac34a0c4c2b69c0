import type { Variable } from './outputs';

/**
 * Constructs need values where a program has Outputs only. So a construct is built with guesses: what follows from
 * them is never registered, but shows which objects there will be, which of their fields follow from an Output (those
 * that differ between two guesses), and which mistakes are there whatever the Output turns out to be.
 */
export type Guess = (variable: Variable) => unknown;

/** `a` and `b` are two guesses for the same variable. */
export type Variant = 'a' | 'b';

/** What a value may look like. Tried in this order, until the construct takes one. */
const shapes: readonly ((mark: string, pick: <T>(a: T, b: T) => T) => unknown)[] = [
  (mark) => mark,
  (_, pick) => pick(1, 2),
  (mark) => `/${mark}`,
  (mark, pick) => publicKey(mark, pick(1, 2)),
  (_, pick) => pick('1Gi', '2Gi'),
  (_, pick) => pick(true, false),
  (mark) => `https://${mark}.example/${mark}`,
  (mark) => `docker://${mark}.example/${mark}`,
  (mark) => `${mark}/${mark}`,
  (mark) => `${mark}.example`,
  (_, pick) => pick('02:00:00:00:00:01', '02:00:00:00:00:02'),
  (_, pick) => pick('192.0.2.1', '192.0.2.2'),
  (_, pick) => pick('192.0.2.0/24', '198.51.100.0/24'),
  (_, pick) => pick('2001:db8::1', '2001:db8::2'),
  (_, pick) => pick('3f2b4c1e-7c8e-4b1a-9d3e-000000000001', '3f2b4c1e-7c8e-4b1a-9d3e-000000000002'),
  (_, pick) => pick('1h', '2h'),
  (_, pick) => pick('0 1 * * *', '0 2 * * *'),
  (_, pick) => pick('2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'),
  (_, pick) => pick('1', '2'),
  (_, pick) => pick('0644', '0600'),
  (_, pick) => pick(64, 128),
  (_, pick) => pick(8080, 8081),
  (_, pick) => pick(1024, 2048),
  (_, pick) => pick(0.5, 0.25),
  (mark) => ({ [mark]: mark }),
  (mark) => [mark],
  (mark, pick) => [publicKey(mark, pick(1, 2))],
  (mark) => [`/${mark}`],
  (_, pick) => [pick('192.0.2.1', '192.0.2.2')],
  (_, pick) => pick({}, {}),
  (_, pick) => pick([], []),
];

const shapeOf = new WeakMap<object, unknown>();
const marks = new WeakMap<object, number>();
let variables = 0;

/** The guess for each variable: of the shape that was accepted last. */
export function guessing(variant: Variant, overrides: ReadonlyMap<Variable, unknown> = new Map()): Guess {
  return (variable) => {
    const shape = overrides.has(variable) ? overrides.get(variable) : (shapeOf.get(variable) ?? shapes[0]);
    if (typeof shape !== 'function') return shape;
    if (!marks.has(variable)) marks.set(variable, (variables += 1));
    return shape(`virt8s-output-${marks.get(variable)}${variant}`, (a: unknown, b: unknown) =>
      variant === 'a' ? a : b,
    );
  };
}

/** What a search found wrong with every guess. */
export class NoGuess extends Error {
  public constructor(
    /** Mistakes that are there whatever the guess. */
    public readonly mistakes: string[],
    /** What was wrong with the first guess. */
    public override readonly cause: Error,
  ) {
    super(withoutMarks(mistakes.length > 0 ? mistakes.join('\n') : cause.message));
    this.name = 'ValidationError';
  }
}

/**
 * Tries with guesses for these variables, one shape after the other, until one is taken.
 *
 * @throws what is wrong when there is no variable, else {@link NoGuess}
 */
export function search<T>(of: Iterable<Variable>, variant: Variant, attempt: (guess: Guess) => T): T {
  const open = [...of];
  const chosen = new Map<Variable, unknown>();
  const attempted = (): { done: T } | { failed: Error } => {
    try {
      return { done: attempt(guessing(variant, chosen)) };
    } catch (error) {
      if (open.length === 0 || !(error instanceof Error)) throw error;
      return { failed: error };
    }
  };

  const first = attempted();
  if ('done' in first) return first.done;
  let { failed } = first;
  let common: Common = { stage: stageOf(failed), lines: linesOf(failed) };
  // each fix may show what is wrong with the next variable
  for (let pass = 0; pass < open.length; pass += 1) {
    let better: { variable: Variable; shape: unknown; failed: Error } | undefined;
    for (const variable of open) {
      const before = chosen.get(variable);
      for (const shape of [...shapes.slice(1), ...allowedIn(failed)]) {
        chosen.set(variable, shape);
        const next = attempted();
        if ('done' in next) {
          for (const [which, what] of chosen) shapeOf.set(which, what);
          return next.done;
        }
        const lines = linesOf(next.failed);
        common = inCommon(common, next.failed);
        if (!better && lines.length <= linesOf(failed).length && !lines.includes(linesOf(failed)[0])) {
          better = { variable, shape, failed: next.failed };
        }
      }
      if (before === undefined) chosen.delete(variable);
      else chosen.set(variable, before);
    }
    if (!better) break;
    chosen.set(better.variable, better.shape);
    ({ failed } = better);
  }
  throw new NoGuess(
    common.lines.filter((line) => !line.includes(KNOWN_LATER)),
    first.failed,
  );
}

/** Mistakes that all guesses have, of those that came furthest. */
interface Common {
  readonly stage: number;
  readonly lines: string[];
}

function inCommon(common: Common, error: Error): Common {
  const stage = stageOf(error);
  if (stage < common.stage) return common;
  const lines = linesOf(error);
  return stage > common.stage ? { stage, lines } : { stage, lines: common.lines.filter((it) => lines.includes(it)) };
}

/** A construct that could not be made tells nothing of the mistakes of the whole. */
const stageOf = (error: Error): number => (WHOLE.test(error.message) ? 1 : 0);

/** Words that an error names as allowed are worth a try. */
function allowedIn(error: Error): string[] {
  return [...error.message.matchAll(/\(allowed: ([^)]*)\)/g)].flatMap(([, list]) =>
    [...list.matchAll(/"([^"]*)"/g)].map(([, word]) => word),
  );
}

/** How cdk8s begins when it tells what is wrong with an app. */
const WHOLE = /^Validation failed with/;
const KNOWN_LATER = '(known later)';

/** The text of an error, mistake by mistake, without guessed values. */
export function linesOf(error: Error): string[] {
  return withoutMarks(error.message)
    .split(/(?<= \[[\w-]+\])\n/)
    .map((line) => line.replace(/^(Validation failed with .*|.*: \d+ mistakes)\n/, '').trim());
}

function withoutMarks(text: string): string {
  return text.replace(/virt8s-output-\d+[ab]/g, KNOWN_LATER);
}

function publicKey(mark: string, last: number): string {
  const type = 'ssh-ed25519';
  const field = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const key = Buffer.concat([field(Buffer.from(type)), field(Buffer.alloc(32, last))]);
  return `${type} ${key.toString('base64')} ${mark}`;
}
