/** The printer of findings. Webhooks, synth, Pulumi, tests and the command line print with it. */
import type { CodeFinding, Finding } from './finding';
import { Path } from './path';
import { brief, mayBeSecret, oneLine, printable, withoutCredentials, withoutUrlCredentials } from './text';

/** `cause (allowed: "a", "b"); remedy`: the text of a cause in an admission response, bounded as these are. */
export function describe({ cause, allowed, remedy }: Finding): string {
  const choice = allowed?.length ? ` (allowed: ${listed(allowed, MOST_ALLOWED)})` : '';
  // clients match on KubeVirt's words, which may end a sentence
  const end = cause.endsWith('.') && !choice ? ' ' : '; ';
  return `${brief(cause)}${choice}${end}${brief(remedy)}`;
}

/** Limit of values; only lists of a user's names, such as disks, can be longer. */
const MOST_ALLOWED = 64;

function listed(allowed: readonly string[], most: number): string {
  const shown = allowed.slice(0, most).map((each) => JSON.stringify(shortened(each)));
  return [...shown, ...(allowed.length > most ? [`and ${allowed.length - most} more`] : [])].join(', ');
}

/** Limit of values in text for people; `did you mean` considers all values. */
const MOST_SHOWN = 16;

const MAX_WORD = 128;
const shortened = (text: string): string => (text.length > MAX_WORD ? `${text.slice(0, MAX_WORD - 1)}…` : text);

/**
 * Formats a finding for people, with its remedy on a separate line:
 *
 *     web/vm: cpu.cores (spec.template.spec.domain.cpu.cores): '0': must be greater than 0
 *       use 1 or more, or leave it out [cpu-positive]
 */
export function formatFinding(finding: CodeFinding): string {
  return `${textOf(finding)} [${finding.rule}]`;
}

/** Formats a finding on one line. */
export function formatLine(finding: CodeFinding): string {
  return `${textOf(finding, '; ')} [${finding.rule}]`;
}

/** Formats a finding without its rule. */
export function textOf(finding: CodeFinding, separator = '\n  '): string {
  const place = [finding.subject ?? '', whereOf(finding)].filter((each) => each !== '').map(oneLine);
  return `${[...place, statementOf(finding)].join(': ')}${separator}${remedyOf(finding)}`;
}

/** Returns the complete remedy. */
export const remedyOf = ({ remedy }: Finding): string => printable(withoutUrlCredentials(remedy));

/** Returns the property of the construct and the field of the manifest, each once. */
export function whereOf({ property = '', path }: CodeFinding): string {
  const field = `${path}`;
  if (property === '' || property === field) return field;
  return field === '' ? property : `${property} (${field})`;
}

/** Returns the cause with the offending and the allowed values, without the path that is printed before it. */
export function statementOf(finding: CodeFinding): string {
  const cause = oneLine(withoutPath(finding)).replace(/\.$/, '');
  const { allowed } = finding;
  const value = valueOf(finding, cause);
  const notes = [
    ...(value === undefined ? [] : [`value: ${value}`]),
    ...(allowed?.length ? [`allowed: ${printable(listed(allowed, MOST_SHOWN))}`] : []),
  ];
  return notes.length > 0 ? `${cause} (${notes.join('; ')})` : cause;
}

/** Matches words that follow the name of a field in KubeVirt's messages, and read well without it. */
const AFTER_PATH = /^( in body(?= ))? (?='|must |is |are |has |cannot |should )/;

/** Removes the path, or the path of a parent, with which KubeVirt's messages begin. */
function withoutPath({ cause, path, field, property }: CodeFinding): string {
  for (const name of [field ?? '', ...outwards(property ?? ''), ...ancestors(path)]) {
    if (name === '' || !cause.startsWith(name)) continue;
    const rest = cause.slice(name.length);
    if (AFTER_PATH.test(rest)) return rest.replace(AFTER_PATH, '');
    const quoted = /^ in body (?=["'\d])/.exec(rest);
    return quoted ? rest.slice(quoted[0].length) : cause;
  }
  return cause;
}

const ancestors = ({ parts }: Path): string[] => parts.map((_, i) => `${Path.of(...parts.slice(0, parts.length - i))}`);

/** Returns a property and those that contain it: `disks[0].bus`, `disks[0]`, `disks`. */
function outwards(property: string): string[] {
  if (property === '') return [];
  return [property, ...outwards(property.slice(0, Math.max(property.lastIndexOf('.'), property.lastIndexOf('['), 0)))];
}

/** Whether a cause shows a value: a short one may be there by chance, as in `must be greater than 0`. */
function shows(cause: string, value: string): boolean {
  if (value.length > 1) return cause.includes(value);
  const marked = [`'${value}'`, `"${value}"`, `(${value})`, `is ${value}`, `not ${value}`];
  return cause.startsWith(`${value} `) || marked.some((each) => cause.includes(each));
}

const MAX_VALUE = 64;

/** Returns the offending value where the cause does not show it; never one that may contain a secret. */
function valueOf({ value, path }: Finding, cause: string): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  if (path.parts.some((part) => typeof part === 'string' && mayBeSecret(part))) return undefined;
  const text = String(value);
  if (shows(cause, oneLine(text))) return undefined;
  // a malformed URL may still contain a password
  const plain = /[@?]/.test(text) ? withoutCredentials(text) : text;
  const short = plain.length > MAX_VALUE ? `${plain.slice(0, MAX_VALUE - 1)}…` : plain;
  return typeof value === 'string' ? JSON.stringify(short) : short;
}
