import { isMap } from '../json/values';
import { internalTypes } from '../protobuf/generated/internal-types';

type Json = Record<string, unknown>;

interface Field {
  readonly name: string;
  readonly json: string;
  readonly type: string;
}

const ZERO: Readonly<Record<string, unknown>> = { s: '', b: false, i: 0, n: null, q: '0' };
const cache = new Map<string, readonly Field[]>();

/** Fields of an unversioned type, in their order. Embedded structs have no name. */
function fieldsOf(type: string): readonly Field[] {
  let fields = cache.get(type);
  if (!fields) {
    fields = (internalTypes[type] ?? '').split(' ').flatMap((text) => {
      const [, name = '', json = '', kind] = /^(\w*)=(\w*):(.+)$/.exec(text) ?? [];
      return kind === undefined ? [] : [{ name, json, type: kind }];
    });
    cache.set(type, fields);
  }
  return fields;
}

/**
 * Converts a value to the unversioned form in which Kubernetes shows it in some messages: with the names of Go fields, and
 * with all fields, also those that are not set.
 * @param type name of the Go type (`PodSpec`)
 */
export function internalForm(value: unknown, type: string): unknown {
  return type === 'PodSpec' && isMap(value) ? structForm(podForm(value), type) : structForm(value, type);
}

/** The security context of an unversioned Pod also says which namespaces of its node the Pod uses. */
function podForm(spec: Json): Json {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers } = spec;
  const shared = { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers };
  return { ...spec, securityContext: { ...(spec.securityContext as Json | undefined), ...shared } };
}

function structForm(value: unknown, type: string): Json {
  const given = isMap(value) ? value : {};
  const form: Json = {};
  for (const field of fieldsOf(type)) {
    if (field.name) form[field.name] = fieldForm(given[field.json], field.type);
    else Object.assign(form, structForm(given, field.type.replace(/^\*?@/, '')));
  }
  return form;
}

function fieldForm(value: unknown, type: string): unknown {
  if (type.startsWith('*@')) return value === undefined ? null : structForm(value, type.slice(2));
  if (type.startsWith('@')) return structForm(value, type.slice(1));
  if (type.startsWith('[]')) {
    return Array.isArray(value) ? value.map((item) => fieldForm(item, type.slice(2))) : null;
  }
  if (type.startsWith('{}')) {
    if (!isMap(value)) return null;
    const keys = Object.keys(value).sort();
    return Object.fromEntries(keys.map((key) => [key, fieldForm(value[key], type.slice(2))]));
  }
  return value ?? ZERO[type] ?? null;
}
