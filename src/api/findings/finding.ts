/** Where a field is: `spec.domain.devices.disks[0].name`. Immutable. */
export class Path {
  /** A rule makes paths for mistakes that most objects do not have: they are put together when somebody asks. */
  private constructor(
    private readonly above: Path | undefined,
    private readonly own: readonly (string | number)[],
  ) {}

  public static of(...parts: (string | number)[]): Path {
    return new Path(undefined, parts);
  }

  private whole?: readonly (string | number)[];
  private text?: string;

  /** Field names, and indexes of list items. */
  public get parts(): readonly (string | number)[] {
    return (this.whole ??= this.above ? [...this.above.parts, ...this.own] : this.own);
  }

  public at(...parts: (string | number)[]): Path {
    return new Path(this, parts);
  }

  public toString(): string {
    return (this.text ??= this.own.reduce<string>((text, part) => {
      if (typeof part === 'number') return `${text}[${part}]`;
      return text === '' ? part : `${text}.${part}`;
    }, this.above?.toString() ?? ''));
  }
}

/** The root of an object: paths start with its own fields (`spec`, `metadata`). */
export const root = Path.of();

/** `StatusCause.reason` of the API server, so that clients can match on it. */
export type FindingType =
  // as KubeVirt answers an object of the wrong shape: only the message tells
  | ''
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong';

/** One mistake in an object: data, so that webhook, synth and command line print it in one way. */
export interface Finding {
  /** Name of the rule, stable: `disk-has-volume`. Tests and docs match on it. */
  readonly rule: string;
  readonly path: Path;
  /**
   * What a cause in an admission response names instead of the path: KubeVirt and CDI name some fields otherwise
   * (`spec.PVC.accessModes`), or none, and clients match on it.
   */
  readonly field?: string;
  /** Default: `FieldValueInvalid`. */
  readonly type?: FindingType;
  /** What was found there. */
  readonly value?: unknown;
  /** What would have been accepted, when it can be listed. */
  readonly allowed?: readonly string[];
  /** One sentence: what is wrong. KubeVirt's wording where its clients match on it. */
  readonly cause: string;
  /** One sentence: what to do. */
  readonly remedy: string;
}

/** `message (allowed: "a", "b"); remedy`: the text of a cause in an admission response. */
export function describe(error: Finding): string {
  const allowed = error.allowed?.length ? ` (allowed: ${listed(error.allowed)})` : '';
  // clients match on KubeVirt's words, which may end a sentence
  const end = error.cause.endsWith('.') && !allowed ? ' ' : '; ';
  return `${brief(error.cause)}${allowed}${end}${brief(error.remedy)}`;
}

/** More than any list of ours; the names of somebody's disks may be more. */
const MOST_ALLOWED = 64;

function listed(allowed: readonly string[]): string {
  const shown = allowed.slice(0, MOST_ALLOWED).map((each) => JSON.stringify(shortened(each)));
  return [...shown, ...(allowed.length > MOST_ALLOWED ? [`and ${allowed.length - MOST_ALLOWED} more`] : [])].join(', ');
}

const MAX_ALLOWED = 128;
const shortened = (text: string): string => (text.length > MAX_ALLOWED ? `${text.slice(0, MAX_ALLOWED - 1)}…` : text);

const MAX_MESSAGE = 600;

/**
 * A message that repeats what somebody wrote is as long as that: its middle is left out. URLs in it say where something
 * is, and no longer what lets somebody in.
 */
export function brief(message: string): string {
  const text = message.includes('://') ? message.replace(URL_WITHIN, withoutCredentials) : message;
  if (text.length <= MAX_MESSAGE) return text;
  return `${text.slice(0, MAX_MESSAGE / 2)}…${text.slice(-MAX_MESSAGE / 2)}`;
}

const URL_WITHIN = /\b[a-z][\w+.-]{0,30}:\/\/[^\s"'<>]*/gi;

/** `https://…@host/path?…`: a URL, even a malformed one, without user, password and query. The digest of an image stays. */
export function withoutCredentials(url: string): string {
  const [place, query] = url.split(/\?(.*)/s, 2);
  const scheme = /^[a-z][\w+.-]{0,30}:\/\//i.exec(place)?.[0] ?? '';
  const rest = place.slice(scheme.length).replace(/^.*@(?!sha\d+:)/s, '…@');
  return `${scheme}${rest}${query === undefined ? '' : '?…'}`;
}

/** `spec.x: message (allowed: …); remedy [rule]`: the line that people read. */
export function formatFinding(error: Finding): string {
  return `${error.path}: ${describe(error)} [${error.rule}]`;
}
