import { errorText } from '../../../api/error-text';
import { errors, StatusError } from '../errors';
import { contentType, decodeBody, readBody } from '../http/body';
import { Context } from '../http/context';
import { sendJson } from '../http/responder';
import { Subresource, writer } from '../http/resources';
import { parseJson, refuseReservedKey } from '../json/parse';
import { clone, isMap, own } from '../json/values';
import { mergePatch, jsonPatch, PatchError } from '../patch';
import { Kind, ScalePaths, subjectOf } from '../registry/kind';
import { selector as formatSelector } from '../table/format';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isEmptySelector } from '../validation/label-selector';
import { Core, readConverted, Target } from '../verbs/core';
import { PATCH_TYPES } from '../verbs/patch';
import { checkName, manage, write } from '../verbs/update';

const steps = (path: string) => path.split('.').filter(Boolean);

function valueAt(object: AnyObject, path: string | undefined): unknown {
  return path === undefined
    ? undefined
    : steps(path).reduce<unknown>((value, key) => (isMap(value) ? own(value, key) : undefined), object);
}

function setAt(object: AnyObject, path: string, value: unknown): void {
  const keys = steps(path);
  keys.forEach(refuseReservedKey);
  let at: Record<string, unknown> = object;
  for (const key of keys.slice(0, -1)) at = (at[key] ??= {}) as Record<string, unknown>;
  at[keys[keys.length - 1]] = value;
}

/** Custom resources have the text of a selector, built-in kinds the selector. */
function selectorText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isMap(value) && !isEmptySelector(value) ? formatSelector(value) : '';
}

/** The `autoscaling/v1` Scale of an object. */
function scaleOf(object: AnyObject, paths: ScalePaths): AnyObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorText(valueAt(object, paths.labelSelectorPath));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { ...optional('replicas', valueAt(object, paths.specReplicasPath)) },
    status: {
      replicas: Number(valueAt(object, paths.statusReplicasPath) ?? 0),
      ...(selector ? { selector } : {}),
    },
  };
}

/** Requires the replicas field of a custom resource. @throws StatusError 500 */
function requireReplicas(object: AnyObject, { custom, scale: paths }: Kind): void {
  if (!custom || valueAt(object, paths!.specReplicasPath) !== undefined) return;
  throw errors.internal(`the spec replicas field ${JSON.stringify(paths!.specReplicasPath)} does not exist`);
}

const optional = (name: string, value: unknown) => (value ? { [name]: value } : {});

/** The scale subresource of every kind that has one. */
export function scale(core: Core): Subresource {
  return {
    verbs: ['get', 'update', 'patch'],
    async serve(context, target) {
      const { kind } = target;
      const current = await readConverted(core, kind, target.namespace, target.name);
      if (!current) throw errors.notFound(subjectOf(kind), target.name);
      if (context.info.verb === 'get') requireReplicas(current, kind);
      if (context.info.verb === 'get') return sendJson(context.response, 200, scaleOf(current, kind.scale!));
      const wanted = await wantedScale(context, current, kind);
      checkName({ ...wanted, metadata: wanted.metadata ?? {} }, target);
      const object = await setReplicas(core, target, wanted, context);
      sendJson(context.response, 200, scaleOf(object, kind.scale!));
    },
  };
}

async function wantedScale(context: Context, current: AnyObject, kind: Kind): Promise<AnyObject> {
  const body = await readBody(context.request);
  const type = contentType(context.request);
  if (context.info.verb === 'update') return decodeBody(body, type, 'Scale') as AnyObject;
  const document = clone(scaleOf(current, kind.scale!));
  try {
    const patch: unknown = parseJson(body.toString('utf8'));
    // a JSON patch may replace a number that is omitted because it is zero
    document.spec.replicas ??= 0;
    if (type === PATCH_TYPES.json) return jsonPatch(document, patch as never) as AnyObject;
    const merged = mergePatch(document, patch) as AnyObject;
    // A patch without a version applies to any version.
    if (!(patch as AnyObject).metadata?.resourceVersion) delete merged.metadata?.resourceVersion;
    return merged;
  } catch (error) {
    if (error instanceof PatchError) throw errors.unprocessable(error.message);
    if (error instanceof StatusError) throw error;
    throw errors.badRequest(errorText(error));
  }
}

async function setReplicas(core: Core, target: Target, wanted: AnyObject, context: Context): Promise<AnyObject> {
  const { kind, name } = target;
  const replicas: unknown = wanted.spec?.replicas ?? 0;
  if (!Number.isInteger(replicas) || (replicas as number) < 0) {
    const path = kind.custom ? kind.scale!.specReplicasPath : 'spec.replicas';
    const detail = kind.custom ? 'should be a non-negative integer' : 'must be greater than or equal to 0';
    const [group, subject] = kind.custom ? [kind.group, kind.kind] : ['autoscaling', 'Scale'];
    throw errors.invalid(group, subject, name, Fields.root(path).invalid(replicas, detail).causes);
  }
  const { caller } = writer(context, context.info.verb === 'patch' ? 'PatchOptions' : 'UpdateOptions');
  const main: Target = {
    ...target,
    subresource: '',
    admitted: {
      subresource: 'scale',
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      of: (object) => scaleOf(object, kind.scale!),
      apply(form, object) {
        setAt(object, kind.scale!.specReplicasPath, form.spec?.replicas ?? 0);
        return object;
      },
    },
  };
  const transform = (object: AnyObject | undefined) => {
    if (!object) throw errors.notFound(subjectOf(kind), name);
    const next = clone(object);
    setAt(next, kind.scale!.specReplicasPath, replicas);
    if (wanted.metadata?.resourceVersion) next.metadata.resourceVersion = wanted.metadata.resourceVersion;
    // Custom resources do not record who scaled them.
    return kind.custom ? next : manage(kind, 'scale', object, next, caller);
  };
  return (await write(core, main, transform, caller, 'PatchOptions')).object;
}
