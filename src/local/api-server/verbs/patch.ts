import { errors, StatusError } from '../errors';
import { syntaxError } from '../json/go-json';
import { parseJson, parseYaml, yamlError } from '../json/parse';
import { clone, isMap, sortedJson } from '../json/values';
import { ConflictError, jsonPatch, mergePatch, PatchError, serverSideApply, strategicMergePatch } from '../patch';
import { gvOf, Kind, subjectOf } from '../registry/kind';
import { anyType } from '../schema';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { conversionError } from './conversion-error';
import { Caller, Core, Target } from './core';
import { goType } from '../protobuf/messages';
import { ensureNamespace } from './create';
import { ensureMetadata, refuseUnknown, wrongType } from './decode';
import { patchedText, reachedByMerge, reachedByOperations } from './patched-text';
import { checkName, manage, Transform, write, Written } from './update';

export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

const MAX_JSON_PATCH_OPERATIONS = 10_000;

export interface Patch {
  /** Content type. */
  readonly type: string;
  readonly body: Buffer;
  readonly force: boolean;
}

/** Media types of patches that a kind takes: custom resources have no strategic merge. */
function patchTypes(kind: Kind): string[] {
  const { json, merge, strategic, apply } = PATCH_TYPES;
  return kind.custom ? [json, merge, apply] : [json, merge, strategic, apply];
}

/** PATCH. @throws StatusError */
export async function patch(core: Core, target: Target, change: Patch, caller: Caller): Promise<Written> {
  const accepted = patchTypes(target.kind);
  if (!accepted.includes(change.type)) {
    throw target.kind.custom ? errors.unsupportedMediaType(accepted) : errors.unsupportedMediaTypeRoute();
  }
  const transform = change.type === PATCH_TYPES.apply ? apply(target, change, caller) : edit(target, change, caller);
  return write(core, target, transform, caller, 'PatchOptions');
}

function parsePatch(body: Buffer, prefix: string): unknown {
  const text = body.toString('utf8');
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw errors.badRequest(`${prefix}${syntaxError(text, error)}`);
  }
}

/** JSON, merge and strategic merge patches. */
function edit(target: Target, change: Patch, caller: Caller): Transform {
  const { kind, name } = target;
  const strict = caller.fieldValidation !== 'Ignore';
  const decoding = change.type === PATCH_TYPES.strategic || !strict ? '' : 'error decoding patch: ';
  const parsed = parsePatch(change.body, decoding);
  return (current) => {
    if (!current) throw errors.notFound(subjectOf(kind), name);
    // The patch is kept for messages: decoding changes the values that it inserts.
    const again = (): unknown => applyEdit(kind, change.type, clone(current), clone(parsed));
    const edited = again();
    requireKind(edited, kind);
    const next = asObject(edited, kind);
    decodePatched(next, kind, change.type, parsed, caller, again);
    ensureNamespace(next, kind, target.namespace);
    checkName(next, target);
    return manage(kind, target.subresource, current, next, caller);
  };
}

function applyEdit(kind: Kind, type: string, document: AnyObject, parsed: unknown): unknown {
  try {
    if (type === PATCH_TYPES.merge) return mergePatch(document, requireMap(parsed));
    if (type === PATCH_TYPES.strategic)
      return strategicMergePatch(document, requireMap(parsed), kind.schema ?? anyType);
    if (!Array.isArray(parsed)) {
      throw errors.badRequest(
        `error decoding patch: json: cannot unmarshal ${typeof parsed} into Go value of type []handlers.jsonPatchOp`,
      );
    }
    if (parsed.length > MAX_JSON_PATCH_OPERATIONS) {
      throw errors.tooLarge(
        `The allowed maximum operations in a JSON patch is ${MAX_JSON_PATCH_OPERATIONS}, got ${parsed.length}`,
      );
    }
    return jsonPatch(document, parsed);
  } catch (error) {
    throw patchFailure(error);
  }
}

function requireMap(parsed: unknown): unknown {
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  const what = Array.isArray(parsed) ? 'array' : typeof parsed;
  throw errors.badRequest(
    `error decoding patch: json: cannot unmarshal ${what} into Go value of type map[string]interface {}`,
  );
}

function patchFailure(error: unknown): unknown {
  if (!(error instanceof PatchError)) return error;
  if (error.code === 400) return errors.badRequest(error.message);
  return error.code === 422 ? errors.unprocessable(error.message) : errors.unknown(error.message);
}

/** A custom resource names its kind also after a patch. */
function requireKind(value: unknown, kind: Kind): void {
  if (!kind.custom || !isMap(value) || value.kind) return;
  const shown = sortedJson(value);
  const why = `Object 'Kind' is missing in '${shown}'`;
  throw errors.invalid('', '', '', Fields.root('patch').invalid(shown, why).causes);
}

function asObject(value: unknown, kind: Kind): AnyObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw errors.badRequest(`the patched object is not a ${kind.kind}`);
  }
  const object = value as AnyObject;
  ensureMetadata(object, kind);
  return object;
}

/** Reports unknown fields and wrong types of a patched object as errors of the patch. */
function decodePatched(
  object: AnyObject,
  kind: Kind,
  type: string,
  parsed: unknown,
  caller: Caller,
  again: () => unknown,
): void {
  const invalid = (why: string) => {
    const shown = shownPatch(again(), kind, type, parsed);
    return errors.invalid('', '', '', Fields.root('patch').invalid(shown, why).causes);
  };
  let unknown: string[];
  keepType(object, kind, type, invalid);
  try {
    unknown = kind.decode(object);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const why = error.message.replace(/^.* cannot be handled as a \w+: /, '');
    throw invalid(type === PATCH_TYPES.strategic ? conversionError(why) : why);
  }
  // Go's converter, which reads the result of a strategic patch, sorts them
  if (type === PATCH_TYPES.strategic) unknown.sort();
  if (caller.fieldValidation === 'Strict' && unknown.length) {
    const list = unknown.map((path) => `unknown field ${JSON.stringify(path)}`).join(', ');
    throw invalid(`strict decoding error: ${list}`);
  }
  refuseUnknown(unknown, kind, caller);
}

/** Text of the patched object in messages, or of a strategic patch itself. */
function shownPatch(object: unknown, kind: Kind, type: string, parsed: unknown): string {
  if (type === PATCH_TYPES.strategic) return goText(parsed);
  if (kind.custom) return sortedJson(object);
  const reached = Array.isArray(parsed) ? reachedByOperations(parsed) : reachedByMerge(parsed);
  return patchedText(object, goType(kind.group, kind.version, kind.kind), reached);
}

/** A patch cannot change the kind of a built-in object: a strategic patch is ignored, others are rejected. */
function keepType(object: AnyObject, kind: Kind, type: string, invalid: (why: string) => StatusError): void {
  if (kind.custom) return;
  const gv = gvOf(kind);
  if (type !== PATCH_TYPES.strategic) {
    if (object.apiVersion !== gv || object.kind !== kind.kind) throw invalid(wrongType(object, kind));
  }
  object.apiVersion = gv;
  object.kind = kind.kind;
}

/** Text of decoded JSON as Go's `%+v` prints it: `map[a:1 b:[x y]]`. */
function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, item]) => `${key}:${goText(item)}`).join(' ')}]`;
}

/** Server-side apply: creates the object when it is absent. */
function apply(target: Target, change: Patch, caller: Caller): Transform {
  const { kind, name, namespace, subresource } = target;
  let parsed: unknown;
  try {
    parsed = parseYaml(change.body.toString('utf8'));
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw errors.badRequest(`error decoding YAML: error converting YAML to JSON: ${yamlError(error)}`);
  }
  const config = asObject(parsed, kind);
  checkApplied(config, kind);
  return (current) => {
    if (!current && subresource) throw errors.notFound(subjectOf(kind), name);
    const applied = clone(config);
    if (!applied.metadata.name) applied.metadata.name = name;
    // Defaults must not have an owner, to avoid conflicts: set them on the merged object, not on the configuration.
    const { object } = merge(current, applied);
    const next = object as AnyObject;
    ensureNamespace(next, kind, namespace);
    kind.decode(next);
    if (!current && applied.metadata.uid) {
      throw errors.conflict(
        subjectOf(kind),
        name,
        `uid mismatch: the provided object specified uid ${applied.metadata.uid}, and no existing object was found`,
      );
    }
    checkName(next, target);
    return next;
  };

  function merge(live: AnyObject | undefined, applied: AnyObject): { object: unknown } {
    try {
      return serverSideApply({
        live,
        config: applied,
        manager: caller.manager,
        force: change.force,
        apiVersion: gvOf(kind),
        subresource: subresource || undefined,
        schema: kind.schema ?? anyType,
        resetFields: kind.resetFields(subresource),
        now: new Date(),
      });
    } catch (error) {
      if (error instanceof ConflictError) throw errors.applyConflict(error.message, error.causes);
      throw patchFailure(error);
    }
  }
}

function checkApplied(config: AnyObject, kind: Kind): void {
  const gv = gvOf(kind);
  if (kind.custom && (config.apiVersion !== gv || config.kind !== kind.kind)) {
    const [version = '', group = ''] = (config.apiVersion ?? '').split('/').reverse();
    throw errors.badRequest(`invalid object type: ${group}/${version}, Kind=${config.kind ?? ''}`);
  }
  if (!config.kind || !config.apiVersion) {
    throw errors.badRequest(`error decoding YAML: Object 'Kind' is missing in '${JSON.stringify(config)}'`);
  }
  if (config.apiVersion !== gv || config.kind !== kind.kind) {
    throw errors.badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${config.apiVersion}, expected: ${gv}`,
    );
  }
  if (config.metadata.managedFields?.length) throw errors.badRequest('metadata.managedFields must be nil');
}
