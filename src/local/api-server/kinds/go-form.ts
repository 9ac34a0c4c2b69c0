import { isMap } from '../json/values';
import { Field, fieldsOf } from '../protobuf/messages';

const ZERO: Readonly<Record<string, unknown>> = { s: '', b: false, i: 0, n: 0 };

/**
 * Converts an object to the form in which Go would print it: removes omitted zero values (`hostNetwork: false`),
 * adds those that are always printed (`resources: {}`, `lastProbeTime: null`). Modifies the object.
 * @param type Go type (`core.v1.Pod`)
 */
export function toGoForm(object: Record<string, unknown>, type: string): void {
  for (const field of fieldsOf(type)) formField(object, field);
}

/** The zero value of a type as Go prints it, with `null` for its empty lists. */
export function emptyGoForm(type: string): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const field of fieldsOf(type)) {
    if (!field.name) Object.assign(object, emptyGoForm(field.type.slice(1)));
    else if (!field.printed) continue;
    else if (field.type.startsWith('@')) object[field.name] = emptyGoForm(field.type.slice(1));
    else object[field.name] = ZERO[field.type] ?? null;
  }
  return object;
}

function formField(object: Record<string, unknown>, field: Field): void {
  const { name, type, pointer, printed } = field;
  if (!name) {
    if (type.startsWith('@')) toGoForm(object, type.slice(1));
    return;
  }
  const value = object[name];
  if (type.startsWith('@')) {
    if (isMap(value)) toGoForm(value, type.slice(1));
    else if (value === undefined && printed && !pointer)
      toGoForm((object[name] = {}) as Record<string, unknown>, type.slice(1));
  } else if (type.startsWith('[]@')) {
    if (Array.isArray(value)) value.forEach((item) => isMap(item) && toGoForm(item, type.slice(3)));
  } else if (type.startsWith('{}@')) {
    if (isMap(value)) Object.values(value).forEach((item) => isMap(item) && toGoForm(item, type.slice(3)));
  } else if (type === 't' || type === 'T') {
    if (value === undefined && printed) object[name] = null;
  } else if (Object.hasOwn(ZERO, type)) {
    if (value === undefined) {
      if (printed) object[name] = ZERO[type];
    } else if (value === ZERO[type] && !pointer && !printed) delete object[name];
  }
}
