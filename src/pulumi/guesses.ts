import {
  type CodeFinding,
  findingsOf,
  formatFinding,
  root,
  type RuleId,
  ValidationError,
  whereOf,
} from '../api/findings';
import { InvalidApp } from './invalid-app';
import type { Variable } from './outputs';

/**
 * Constructs need plain values, but a program may only have Outputs. So constructs are built with guessed values, which
 * are never registered. They show which objects there will be, which fields depend on an Output (those that differ
 * between two guesses), and which mistakes there are regardless of the Output's value.
 */
export type Guess = (variable: Variable) => unknown;

/** Two different guesses for the same variable. */
export type Variant = 'a' | 'b';

type Shape = (mark: string, pick: <T>(a: T, b: T) => T) => unknown;

/** Possible forms of a value, tried in this order until the construct accepts one. */
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

/** Shapes that were accepted last, by variable. */
const accepted = { a: new WeakMap<object, Shape>(), b: new WeakMap<object, Shape>() };
const marks = new WeakMap<object, number>();
let variables = 0;

/** Returns the guess for each variable, in the shape that was accepted last. */
export function guessing(variant: Variant, overrides: ReadonlyMap<Variable, Shape> = new Map()): Guess {
  return (variable) => guessOf(variable, variant, overrides.get(variable) ?? shapeFor(variable, variant));
}

const shapeFor = (variable: Variable, variant: Variant): Shape =>
  accepted[variant].get(variable) ?? accepted.a.get(variable) ?? shapes[0];

function guessOf(variable: Variable, variant: Variant, shape: Shape): unknown {
  return shape(markOf(variable, variant), (a, b) => (variant === 'a' ? a : b));
}

/** Whether the two guesses are equal and therefore cannot show a difference. */
function isUninformative(variable: Variable, shape: Shape): boolean {
  const [a, b] = [guessOf(variable, 'a', shapeFor(variable, 'a')), guessOf(variable, 'b', shape)];
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns a text for a variable that can be found in everything that depends on it. */
function markOf(variable: Variable, variant: Variant): string {
  if (!marks.has(variable)) marks.set(variable, (variables += 1));
  return `virt8s-${marks.get(variable)}${variant}`;
}

const UNGUESSED =
  'no placeholder for the Output is valid here; create the component inside apply(), where the value is known';

/** Thrown when no guess is accepted. */
export class NoGuess extends ValidationError {
  public constructor(
    /** Mistakes that occur with all guesses. */
    public readonly mistakes: readonly Mistake[],
    /** Error of the closest guess. */
    public override readonly cause: Error,
  ) {
    const [first] = mistakesOf(cause);
    const unguessed = { rule: 'pulumi-guess', path: root, cause: first?.text ?? '', remedy: UNGUESSED } as const;
    super(
      mistakes.length > 0 ? mistakes.flatMap(({ finding }) => finding ?? []) : [unguessed],
      mistakes.length > 0
        ? mistakes.map(({ text }) => text).join('\n')
        : `${withoutMarks(cause.message)}\n  ${UNGUESSED} [${unguessed.rule}]`,
    );
  }
}

/**
 * Calls `attempt` with guesses for these variables, one shape after another, until one succeeds.
 *
 * @throws the error if there is no variable, otherwise {@link NoGuess}
 */
export function search<T>(of: Iterable<Variable>, variant: Variant, attempt: (guess: Guess) => T): T {
  const open = [...of];
  let chosen: ReadonlyMap<Variable, Shape> = new Map();
  const attempted = (shapes: ReadonlyMap<Variable, Shape>): Attempt<T> => {
    const same = open.some((it) => variant === 'b' && isUninformative(it, shapes.get(it) ?? shapeFor(it, 'b')));
    if (same) return { shapes, failed: new TypeError('the second guess equals the first one') };
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
  let common: Common = { stage: stageOf(failed), mistakes: mistakesOf(failed) };
  let closest = failed;
  /** Returns the first attempt that succeeds or has fewer mistakes, or else the first one with different mistakes. */
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
  // each fix may reveal a mistake of another variable
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
    common.mistakes.filter(({ text }) => !text.includes(KNOWN_LATER)),
    closest,
  );
}

const OF_TYPES: ReadonlySet<RuleId | undefined> = new Set<RuleId>(['type', 'schema-type', 'cloud-init-type']);

/** Whether a guess has the wrong type, which hides other mistakes. */
const hides = (error: Error): boolean =>
  error instanceof TypeError || (findingsOf(error) ?? []).some(({ rule }) => OF_TYPES.has(rule));

/** Result of trying some shapes. */
type Attempt<T> = { readonly shapes: ReadonlyMap<Variable, Shape> } & (
  { readonly done: T; readonly failed?: undefined } | { readonly failed: Error }
);

/**
 * Compares two errors: `less` if mistakes were fixed, `other` if different mistakes remain, undefined if nothing
 * improved.
 */
function changeOf(before: Error, after: Error): 'less' | 'other' | undefined {
  if (stageOf(after) < stageOf(before)) return undefined;
  const [old, now] = [mistakesOf(before), mistakesOf(after)];
  const isOld = ({ text }: Mistake): boolean => old.some((each) => each.text === text);
  if (now.length < old.length && now.every(isOld)) return 'less';
  if (hides(after)) return undefined;
  const places = old.map(({ place }) => place);
  const elsewhere = now.every((each) => !isOld(each) && !places.includes(each.place));
  return stageOf(after) > stageOf(before) || elsewhere ? 'other' : undefined;
}

/** Mistakes common to all guesses that reached the furthest stage. */
interface Common {
  readonly stage: number;
  readonly mistakes: readonly Mistake[];
}

function inCommon(common: Common, error: Error): Common {
  const stage = stageOf(error);
  if (stage < common.stage) return common;
  const mistakes = mistakesOf(error);
  if (stage > common.stage) return { stage, mistakes };
  return { stage, mistakes: common.mistakes.filter(({ text }) => mistakes.some((each) => each.text === text)) };
}

/** Returns the stage of an error: a construct that cannot be created hides mistakes of the whole app. */
const stageOf = (error: Error): number => (error instanceof InvalidApp ? 1 : 0);

/** Returns shapes for the words that findings list as allowed. */
function allowedIn(error: Error): Shape[] {
  return (findingsOf(error) ?? []).flatMap(({ allowed: words = [] }) =>
    words.map(
      (word, i): Shape =>
        (_, pick) =>
          pick(word, words[(i + 1) % words.length]),
    ),
  );
}

const KNOWN_LATER = '(known later)';

/** Mistake of an error. Guesses in its texts are replaced, so that the mistakes of two guesses can be compared. */
export interface Mistake {
  /** Construct, property and field. Undefined if the error carries no findings. */
  readonly place?: string;
  readonly text: string;
  readonly finding?: CodeFinding;
}

/** Returns the mistakes of an error: one for each finding, or else its message. */
export function mistakesOf(error: Error, hideGuesses = true): Mistake[] {
  const shown = (text: string): string => (hideGuesses ? withoutMarks(text) : text);
  if (error instanceof NoGuess && error.mistakes.length > 0) return [...error.mistakes];
  if (error instanceof InvalidApp) {
    return error.reports.map(({ construct, text, finding }) =>
      finding ? mistakeOf(finding, shown) : { text: shown(`[${construct}] ${text}`) },
    );
  }
  return findingsOf(error)?.map((finding) => mistakeOf(finding, shown)) ?? [{ text: shown(error.message) }];
}

function mistakeOf(finding: CodeFinding, shown: (text: string) => string): Mistake {
  const place = [finding.subject ?? '', whereOf(finding)].filter((each) => each !== '').join(': ');
  return { place: shown(place), text: shown(formatFinding(finding)), finding };
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
