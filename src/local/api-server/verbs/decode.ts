import { errors } from '../errors';
import { goType as goTypeName } from '../protobuf/messages';
import { gvOf, Kind } from '../registry/kind';
import { AnyObject } from '../types';
import { Caller } from './core';

/**
 * Turns a decoded body into an object of `kind`: checks apiVersion and kind, types and unknown fields, fills in defaults.
 * @throws StatusError 400
 */
export function decodeObject(
  body: Record<string, unknown>,
  kind: Kind,
  caller: Caller,
  duplicates: readonly string[] = [],
): AnyObject {
  const object = body as AnyObject;
  const gv = gvOf(kind);
  if (kind.custom) {
    if (!object.kind) throw missingKind(object, kind);
    object.apiVersion ??= '';
  } else {
    object.kind ||= kind.kind;
    object.apiVersion ||= gv;
  }
  if (object.kind !== kind.kind && !kind.custom) {
    throw otherKind(object, kind);
  }
  if (object.apiVersion !== gv) {
    const [version = '', group = ''] = object.apiVersion.split('/').reverse();
    if (!kind.custom && goTypeName(group, version, kind.kind) === undefined) throw otherKind(object, kind);
    throw errors.badRequest(
      `the API version in the data (${object.apiVersion}) does not match the expected API version (${gv})`,
    );
  }
  ensureMetadata(object, kind);
  refuseUnknown(kind.decode(object), kind, caller, duplicates);
  return object;
}

/** Reason why Go cannot decode `object` as a `kind`. */
export function wrongType(object: AnyObject, kind: Kind): string {
  if (!object.kind) return `Object 'Kind' is missing in '${JSON.stringify(object)}'`;
  const [version = '', group = ''] = String(object.apiVersion ?? '')
    .split('/')
    .reverse();
  const known = goTypeName(group, version, object.kind) !== undefined;
  return known
    ? `converting (${version}.${object.kind}) to (${kind.group.split('.')[0] || 'core'}.${kind.kind}): unknown conversion`
    : `no kind ${JSON.stringify(object.kind)} is registered for version ${JSON.stringify(object.apiVersion)} in scheme ${JSON.stringify(SCHEMES[kind.group] ?? 'pkg/api/legacyscheme/scheme.go:30')}`;
}

/** Names of type registries in Kubernetes' messages; most groups share one. */
const SCHEMES: Readonly<Partial<Record<string, string>>> = {
  'apiextensions.k8s.io': 'k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:55',
  'apiregistration.k8s.io': 'k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:28',
};

/** A built-in kind at the URL of another one. */
function otherKind(object: AnyObject, kind: Kind) {
  const [version = ''] = object.apiVersion.split('/').reverse();
  return errors.badRequest(
    `${object.kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind.kind}: ${wrongType(object, kind)}`,
  );
}

function missingKind(object: AnyObject, kind: Kind) {
  const text = JSON.stringify(object);
  const summary = text.length > 30 ? `${text.slice(0, 30)} ...` : text;
  return errors.badRequest(
    `the object provided is unrecognized (must be of type ${kind.kind}): Object 'Kind' is missing in '${text}' (${summary})`,
  );
}

/** Requires metadata to be an object. */
export function ensureMetadata(object: AnyObject, kind: Kind): void {
  if (object.metadata === undefined || object.metadata === null) object.metadata = {};
  if (typeof object.metadata !== 'object' || Array.isArray(object.metadata)) {
    throw errors.badRequest(
      `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: json: cannot unmarshal ${goType(object.metadata)} into Go ${kind.custom ? 'value' : `struct field ${kind.kind}.metadata`} of type v1.ObjectMeta`,
    );
  }
}

/** Strict decoding rejects unknown and duplicate fields; Warn returns warnings. */
export function refuseUnknown(
  paths: readonly string[],
  kind: Kind,
  caller: Caller,
  duplicates: readonly string[] = [],
): void {
  if (caller.fieldValidation === 'Ignore' || paths.length + duplicates.length === 0) return;
  const messages = [
    ...duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`),
    ...paths.map((path) => `unknown field ${JSON.stringify(path)}`),
  ];
  if (caller.fieldValidation === 'Warn') {
    for (const message of messages) caller.warn(message);
    return;
  }
  throw errors.badRequest(
    `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: strict decoding error: ${messages.join(', ')}`,
  );
}

/** Name of a value's type in Go's JSON decoder. */
export function goType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}
