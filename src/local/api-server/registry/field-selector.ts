import { errors } from '../errors';

/** Part of a field selector: `field=value`, or `field!=value`. */
export interface FieldTerm {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

export interface FieldSelector {
  readonly terms: readonly FieldTerm[];
  matches(fields: Record<string, string>): boolean;
  /** The value that a field must have, if the selector pins it. */
  exact(field: string): string | undefined;
}

/** Splits at unescaped commas; `\,`, `\=` and `\\` stand for themselves. */
function split(text: string): string[] {
  const parts = [''];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\' && i + 1 < text.length) parts[parts.length - 1] += text[i] + text[++i];
    else if (text[i] === ',') parts.push('');
    else parts[parts.length - 1] += text[i];
  }
  return parts.filter((part) => part !== '');
}

function unescape(text: string): string {
  return text.replace(/\\([\\,=])/g, '$1');
}

/** Parses `fieldSelector` with any fields. @throws StatusError 400 */
export function fieldTerms(text: string): FieldTerm[] {
  return split(text).map((part) => {
    const found = /^((?:[^=!\\]|\\.)*)(==|!=|=)(.*)$/.exec(part);
    if (!found) throw errors.badRequest(`invalid selector: '${text}'; can't understand '${part}'`);
    return { field: found[1], equal: found[2] !== '!=', value: unescape(found[3]) };
  });
}

/**
 * Parses `fieldSelector`.
 * @param supported Fields of this kind; `metadata.name` and `metadata.namespace` always are.
 * @throws StatusError 400
 */
export function parseFieldSelector(
  text: string | null | undefined,
  supported: readonly string[],
  unsupported = (field: string) =>
    `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
): FieldSelector {
  const terms = fieldTerms(text ?? '');
  for (const { field } of terms) {
    if (field === 'metadata.name' || field === 'metadata.namespace' || supported.includes(field)) continue;
    throw errors.badRequest(unsupported(field));
  }
  return {
    terms,
    matches: (fields) => terms.every(({ field, equal, value }) => ((fields[field] ?? '') === value) === equal),
    exact: (field) => terms.find((term) => term.field === field && term.equal)?.value,
  };
}
