import type { Variable } from './outputs';

/**
 * Constructs need values where a program has Outputs only. So a construct is built with guesses: what follows from
 * them is never registered, but shows which objects there will be, which of their fields follow from an Output (those
 * that differ between two guesses), and which mistakes are there whatever the Output turns out to be.
 */
export type Guess = (variable: Variable) => unknown;

/** `a` and `b` are two guesses for the same variable. */
export type Variant = 'a' | 'b';

type Shape = (mark: string, pick: <T>(a: T, b: T) => T) => unknown;

/** What a value may look like. Tried in this order, until the construct takes one. */
const shapes: readonly Shape[] = [
  (mark) => mark,
  (_, pick) => pick(1, 2),
  (mark) => `/${mark}`,
  (mark, pick) => publicKey(mark, pick(1, 2)),
  (_, pick) => pick('1Gi', '2Gi'),
  (_, pick) => pick(true, false),
  (_, pick) => pick(false, true),
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
  (_, pick) => pick('AAAAA-BBBBB-CCCCC-DDDDD-EEEEE', 'AAAAA-BBBBB-CCCCC-DDDDD-FFFFF'),
  (_, pick) => pick('en-US', 'de-DE'),
  (_, pick) => pick('Europe/Berlin', 'Europe/Prague'),
  (_, pick) => pick('0644', '0600'),
  (mark) => `#cloud-config\nruncmd: [echo ${mark}]\n`,
  (mark) => `#!/bin/sh\necho ${mark}\n`,
  (mark) => `<unattend xmlns="urn:schemas-microsoft-com:unattend"><!-- ${mark} --></unattend>`,
  (mark) => `<a>${mark}</a>`,
  (mark) => `## template: jinja\n#cloud-config\nruncmd: [echo ${mark}]\n`,
  (mark) => `registry.example/${mark}:1`,
  (_, pick) => pick('text/x-shellscript', 'text/cloud-config'),
  (mark) => JSON.stringify({ [mark]: mark }),
  (mark) => `gh:${mark}`,
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

/** Shapes that were accepted last. */
const accepted = { a: new WeakMap<object, Shape>(), b: new WeakMap<object, Shape>() };
const marks = new WeakMap<object, number>();
let variables = 0;

/** The guess for each variable: of the shape that was accepted last. */
export function guessing(variant: Variant, overrides: ReadonlyMap<Variable, Shape> = new Map()): Guess {
  return (variable) => guessOf(variable, variant, overrides.get(variable) ?? shapeFor(variable, variant));
}

const shapeFor = (variable: Variable, variant: Variant): Shape =>
  accepted[variant].get(variable) ?? accepted.a.get(variable) ?? shapes[0];

function guessOf(variable: Variable, variant: Variant, shape: Shape): unknown {
  return shape(markOf(variable, variant), (a, b) => (variant === 'a' ? a : b));
}

/** Two guesses that are the same tell nothing. */
function isUninformative(variable: Variable, shape: Shape): boolean {
  const [a, b] = [guessOf(variable, 'a', shapeFor(variable, 'a')), guessOf(variable, 'b', shape)];
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A text that stands for a variable and is found again in whatever is made of it. */
function markOf(variable: Variable, variant: Variant): string {
  if (!marks.has(variable)) marks.set(variable, (variables += 1));
  return `virt8s-${marks.get(variable)}${variant}`;
}

const UNGUESSED =
  '  no value that stands for an Output is right here; make the component in its apply(), where it is known [pulumi-guess]';

/** What a search found wrong with every guess. */
export class NoGuess extends Error {
  public constructor(
    /** Mistakes that are there whatever the guess. */
    public readonly mistakes: string[],
    /** What was wrong with the guess that came closest. */
    public override readonly cause: Error,
  ) {
    super(withoutMarks(mistakes.length > 0 ? mistakes.join('\n') : `${cause.message}\n${UNGUESSED}`));
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
  let chosen: ReadonlyMap<Variable, Shape> = new Map();
  const attempted = (shapes: ReadonlyMap<Variable, Shape>): Attempt<T> => {
    const same = open.some((it) => variant === 'b' && isUninformative(it, shapes.get(it) ?? shapeFor(it, 'b')));
    if (same) return { shapes, failed: new TypeError('the second guess is the first one') };
    try {
      return { shapes, done: attempt(guessing(variant, shapes)) };
    } catch (error) {
      if (open.length === 0 || !(error instanceof Error)) throw error;
      return { shapes, failed: error };
    }
  };

  const first = attempted(chosen);
  if (!first.failed) return first.done;
  let { failed } = first;
  let common: Common = { stage: stageOf(failed), lines: linesOf(failed) };
  let closest = failed;
  /** The first attempt that succeeds, or with which less is wrong, else the first with which something else is. */
  const improved = (): Attempt<T> | undefined => {
    let other: Attempt<T> | undefined;
    const blamed = (variable: Variable): number => Number(failed.message.includes(markOf(variable, variant)));
    for (const variable of open.toSorted((a, b) => blamed(b) - blamed(a))) {
      for (const shape of [...shapes, ...allowedIn(failed)]) {
        const next = attempted(new Map(chosen).set(variable, shape));
        if (!next.failed) return next;
        common = inCommon(common, next.failed);
        if (hides(closest) && !hides(next.failed)) closest = next.failed;
        const change = changeOf(failed, next.failed);
        if (change === 'less') return next;
        if (change === 'other') other ??= next;
      }
    }
    return other;
  };
  // each fix may show what is wrong with the next variable
  for (let pass = 0; pass < 2 * open.length; pass += 1) {
    const next = improved();
    if (!next) break;
    chosen = next.shapes;
    if (!next.failed) {
      for (const [variable, shape] of chosen) accepted[variant].set(variable, shape);
      return next.done;
    }
    ({ failed } = next);
  }
  throw new NoGuess(
    common.lines.filter((line) => !line.includes(KNOWN_LATER)),
    closest,
  );
}

/** Of the wrong type, a guess hides what else is wrong. */
const hides = (error: Error): boolean =>
  error instanceof TypeError || linesOf(error).some((line) => /\[[\w-]*type\]$/.test(line));

/** What became of the guesses of some shapes. */
type Attempt<T> = { readonly shapes: ReadonlyMap<Variable, Shape> } & (
  { readonly done: T; readonly failed?: undefined } | { readonly failed: Error }
);

/** What another guess changed: less is wrong than before, something else is, or nothing that helps. */
function changeOf(before: Error, after: Error): 'less' | 'other' | undefined {
  if (stageOf(after) < stageOf(before)) return undefined;
  const [old, lines] = [linesOf(before), linesOf(after)];
  if (lines.length < old.length && lines.every((line) => old.includes(line))) return 'less';
  if (hides(after)) return undefined;
  const places = old.map(placeOf);
  const elsewhere = lines.every((line) => !old.includes(line) && !places.includes(placeOf(line)));
  return stageOf(after) > stageOf(before) || elsewhere ? 'other' : undefined;
}

/** Where a mistake is, as far as its text tells: construct, property, field. */
export function placeOf(line = ''): string | undefined {
  return /^(?:\[[^\]]*\] )?(?:[^\s:"]+: )?[^\s:"]+(?: \([^)"]*\))?(?=: )/.exec(line)?.[0];
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
function allowedIn(error: Error): Shape[] {
  return [...error.message.matchAll(/\(allowed: ([^)]*)\)/g)].flatMap(([, list]) => {
    const words = [...list.matchAll(/"([^"]*)"/g)].map(([, word]) => word);
    return words.map(
      (word, i): Shape =>
        (_, pick) =>
          pick(word, words[(i + 1) % words.length]),
    );
  });
}

/** How cdk8s begins when it tells what is wrong with an app. */
const WHOLE = /^Validation failed with/;
const KNOWN_LATER = '(known later)';

/** The text of an error, mistake by mistake. */
export function linesOf(error: Error, hideGuesses = true): string[] {
  return (hideGuesses ? withoutMarks(error.message) : error.message)
    .split(/(?<= \[[\w-]+\])\n/)
    .map((line) => line.replace(/^(Validation failed with .*|.*: \d+ mistakes)\n/, '').trim());
}

function withoutMarks(text: string): string {
  return text.replace(/virt8s-\d+[ab]\b/g, KNOWN_LATER);
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
