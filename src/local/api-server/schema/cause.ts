import { sortedJson } from '../json/values';
import { StatusCause } from '../../../api/meta';

/** Mistake in `Status.details.causes`; the full text of it is `${field}: ${message}`. */
export type Cause = StatusCause & { reason: CauseReason; message: string; field: string };

export type CauseReason =
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueRequired'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueNotFound'
  | 'InternalError';

const detailed = (text: string, detail: string): string => (detail === '' ? text : `${text}: ${detail}`);

export const invalid = (field: string, value: unknown, detail: string): Cause => ({
  reason: 'FieldValueInvalid',
  message: detailed(`Invalid value: ${goValue(value)}`, detail),
  field,
});

export const typeInvalid = (field: string, value: unknown, detail: string): Cause => ({
  ...invalid(field, value, detail),
  reason: 'FieldValueTypeInvalid',
});

export const required = (field: string, detail = ''): Cause => ({
  reason: 'FieldValueRequired',
  message: detailed('Required value', detail),
  field,
});

export const notSupported = (field: string, value: unknown, supported: readonly string[]): Cause => ({
  reason: 'FieldValueNotSupported',
  message: detailed(
    `Unsupported value: ${goValue(value)}`,
    supported.length > 0 ? `supported values: ${supported.map(goQuote).join(', ')}` : '',
  ),
  field,
});

export const duplicate = (field: string, value: unknown): Cause => ({
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${goValue(value)}`,
  field,
});

export const forbidden = (field: string, detail: string): Cause => ({
  reason: 'FieldValueForbidden',
  message: detailed('Forbidden', detail),
  field,
});

export const tooLong = (field: string, max: number): Cause => ({
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${max} byte${max === 1 ? '' : 's'}`,
  field,
});

export const tooMany = (field: string, actual: number, max: number): Cause => ({
  reason: 'FieldValueTooMany',
  message: `Too many: ${actual}: must have at most ${max} item${max === 1 ? '' : 's'}`,
  field,
});

/** Go's `%q`, near enough: JSON with Go's escapes of control characters. */
export function goQuote(text: string): string {
  return JSON.stringify(text).replace(/\\u00(..)/g, '\\x$1');
}

/** A value in an error: strings quoted, numbers and booleans plain, everything else as JSON. */
export function goValue(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  if (typeof value === 'boolean') return String(value);
  return sortedJson(value);
}

/** Go's `%v` of a number: exponents below 1e-4, and with two digits. */
export function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  const text = Math.abs(value) < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}
