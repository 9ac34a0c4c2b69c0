import { Attributes } from '../admission/admission';
import { errors, OPTIMISTIC_LOCK } from '../errors';
import { updateManagedFields } from '../patch';
import { gvOf, Kind, partOf, storageVersionOf, subjectOf } from '../registry/kind';
import { anyType } from '../schema';
import { Key, StaleError } from '../store/store';
import { clone, deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { validateObjectMeta, validateObjectMetaUpdate } from '../validation/object-meta';
import { pathSegmentName } from '../validation/names';
import { attributes, Caller, commit, Core, keyOf, optionsObject, readConverted, Target } from './core';
import { oneFromStored, toStored } from './convert';
import { createManaged, ensureNamespace, heldWarnings } from './create';
import { dedupeOwners } from './owner-references';

/** Number of retries of a write without a resource version after a conflict. */
const ATTEMPTS = 5;

export interface Written {
  readonly object: AnyObject;
  readonly created: boolean;
}

/** Makes the new object from the current one; its managedFields are already right. */
export type Transform = (current: AnyObject | undefined) => AnyObject;

/** PUT: replaces the object by `object`, which has been decoded. @throws StatusError */
export async function replace(core: Core, target: Target, object: AnyObject, caller: Caller): Promise<Written> {
  const { kind, name, namespace } = target;
  ensureNamespace(object, kind, namespace);
  checkName(object, target);
  dedupeOwners(object, caller, false);
  const uid = object.metadata.uid;
  const transform: Transform = (current) => {
    if (!current && !kind.createOnUpdate) throw errors.notFound(subjectOf(kind), name);
    if (uid && (current?.metadata.uid ?? '') !== uid) {
      throw errors.conflict(subjectOf(kind), name, uidMismatch(target, uid, current));
    }
    return manage(kind, target.subresource, current, clone(object), caller);
  };
  return write(core, target, transform, caller, 'UpdateOptions');
}

/** Attributes the changes between the two objects to the caller. */
export function manage(
  kind: Kind,
  subresource: string,
  live: AnyObject | undefined,
  next: AnyObject,
  caller: Caller,
): AnyObject {
  return updateManagedFields({
    live: live ?? kind.empty(),
    next,
    manager: caller.manager,
    operation: 'Update',
    apiVersion: gvOf(kind),
    subresource: subresource || undefined,
    schema: kind.schema ?? anyType,
    resetFields: kind.resetFields(subresource),
    now: new Date(),
  }) as AnyObject;
}

/** Error of the store for an object with another uid. */
export function uidMismatch({ kind, namespace, name }: Target, uid: string, current: AnyObject | undefined): string {
  const path = ['/registry', kind.custom ? kind.group : '', kind.plural, namespace, name].filter(Boolean).join('/');
  return `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current?.metadata.uid ?? ''}`;
}

/** The name in the object is that of the URL. @throws StatusError 400 */
export function checkName(object: AnyObject, { name, namespace }: Target): void {
  if (!object.metadata.name) {
    throw errors.badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (object.metadata.name !== name) {
    throw errors.badRequest(
      `the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`,
    );
  }
  if (namespace && object.metadata.namespace && object.metadata.namespace !== namespace) {
    throw errors.badRequest(
      `the namespace of the object (${object.metadata.namespace}) does not match the namespace on the request (${namespace})`,
    );
  }
}

/** Updates an existing object: transforms, admits, validates and stores it with optimistic concurrency. */
export async function write(
  core: Core,
  target: Target,
  transform: Transform,
  caller: Caller,
  options: 'UpdateOptions' | 'PatchOptions',
): Promise<Written> {
  const { kind, namespace, name } = target;
  for (let attempt = 1; ; attempt++) {
    const current = await readConverted(core, kind, namespace, name);
    const next = transform(current && clone(current));
    if (!current) return { object: await createManaged(core, target, next, caller), created: true };
    const unconditional = !next.metadata.resourceVersion || next.metadata.resourceVersion === '0';
    try {
      return { object: await change(core, target, next, current, caller), created: false };
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
      if (!error.current && !unconditional) throw errors.notFound(subjectOf(kind), name);
      // A PUT with a version fails; a patch and an unconditional PUT retry.
      const again = unconditional || options === 'PatchOptions';
      if (!again || attempt === ATTEMPTS) throw errors.conflict(subjectOf(kind), name, OPTIMISTIC_LOCK);
    }
  }
}

async function change(
  core: Core,
  target: Target,
  given: AnyObject,
  current: AnyObject,
  caller: Caller,
): Promise<AnyObject> {
  const { kind, name, subresource } = target;
  // A patch is admitted as the update that it results in.
  const admissionOptions = optionsObject('UpdateOptions', caller);
  const { admitted } = target;
  const request = (object: AnyObject): Attributes => {
    const same = attributes('UPDATE', target, caller, object, clone(current), admissionOptions);
    if (!admitted) return same;
    const { subresource: name, kind: objectKind } = admitted;
    return { ...same, subresource: name, objectKind, object: admitted.of(object), oldObject: admitted.of(current) };
  };
  const mutated = request(given);
  await core.admission.mutate(mutated);
  const next = admitted ? admitted.apply(mutated.object!, given) : mutated.object!;
  dedupeOwners(next, caller, true);
  checkVersion(kind, name, next, current);
  ensureNamespace(next, kind, target.namespace);
  keepSystemFields(next, current);
  const { context, flush } = heldWarnings(caller);
  const part = partOf(kind, subresource);
  if (subresource === 'status') kind.prepareStatus(next, current, context);
  else if (part) part.prepare(next, current, context);
  else kind.prepareForUpdate(next, current, context);
  validateChange(kind, subresource, next, current);
  flush();
  keepManagedTimestamps(next, current);
  // Before admission: nothing may wait between the check of a quota and the write.
  const converted = kind.conversion && (await toStored(kind, next));
  await core.admission.validate(request(next));
  const key = keyOf(kind, target.namespace, name);
  if (isFinished(kind, next, current)) {
    if (caller.dryRun) return next;
    const deleted = await commit(core, () => core.store.delete(key, current.metadata.resourceVersion));
    return { ...next, metadata: { ...next.metadata, resourceVersion: deleted.metadata.resourceVersion } };
  }
  // Nothing to write: return the stored object with its resource version.
  if (deepEqual(next, current) && !isOutdated(core, key, kind)) {
    await core.store.committed();
    return current;
  }
  if (caller.dryRun) return next;
  const { resourceVersion } = current.metadata;
  const write = (): AnyObject => core.store.update(key, converted ?? kind.toStorage(next), resourceVersion!);
  return oneFromStored(kind, await commit(core, write));
}

/** Whether a custom resource is stored in an older version: a write without changes migrates it. */
function isOutdated(core: Core, key: Key, kind: Kind): boolean {
  return kind.custom && core.store.get(key)?.apiVersion !== storageVersionOf(kind);
}

function checkVersion(kind: Kind, name: string, next: AnyObject, current: AnyObject): void {
  const given = next.metadata.resourceVersion;
  if (!given || given === '0') {
    if (!kind.unconditionalUpdate) {
      const fields = Fields.root('metadata.resourceVersion').invalid(0, 'must be specified for an update');
      throw errors.invalid(kind.group, kind.plural, name, fields.causes);
    }
    next.metadata.resourceVersion = current.metadata.resourceVersion;
  } else if (given !== current.metadata.resourceVersion) {
    throw errors.conflict({ group: kind.group, resource: kind.plural }, name, OPTIMISTIC_LOCK);
  }
}

/** Restores immutable metadata. */
function keepSystemFields(next: AnyObject, current: AnyObject): void {
  const to = next.metadata;
  const from = current.metadata;
  if (from.generation !== undefined) to.generation = from.generation;
  else delete to.generation;
  if (!to.uid) to.uid = from.uid;
  to.creationTimestamp = from.creationTimestamp;
  if (from.deletionTimestamp) to.deletionTimestamp = from.deletionTimestamp;
  if (to.deletionGracePeriodSeconds === undefined && from.deletionGracePeriodSeconds !== undefined) {
    to.deletionGracePeriodSeconds = from.deletionGracePeriodSeconds;
  }
}

/** @throws StatusError 422 */
function validateChange(kind: Kind, subresource: string, next: AnyObject, current: AnyObject): void {
  const fields = Fields.root();
  const metadata = fields.child('metadata');
  // Names were validated at creation; newer, stricter rules must not lock old objects.
  const { group, custom, namespaced } = kind;
  validateObjectMeta(next, { group, custom, namespaced, nameRule: pathSegmentName }, metadata);
  // Common and kind-specific rules both validate this; Kubernetes lists the findings twice.
  validateObjectMetaUpdate(next, current, metadata);
  validateObjectMetaUpdate(next, current, metadata);
  const part = partOf(kind, subresource);
  if (subresource === 'status') kind.validateStatus(next, current, fields);
  else if (part) part.validate(next, current, fields);
  else kind.validateUpdate(next, current, fields);
  const causes = [...fields.causes, ...kind.schemaCauses(next, current, subresource, fields.causes)];
  // the group that the object names, also if it is wrong
  const [, named = ''] = /^(.*)\/[^/]*$/.exec(next.apiVersion ?? '') ?? [];
  if (causes.length) throw errors.invalid(kind.errorGroup ?? named, next.kind, next.metadata.name ?? '', causes);
}

/** Whether a write changes more than the times in managedFields. */
function keepManagedTimestamps(next: AnyObject, current: AnyObject): void {
  const strip = (object: AnyObject) => ({
    ...object,
    metadata: {
      ...object.metadata,
      managedFields: object.metadata.managedFields?.map((entry) => ({ ...entry, time: undefined })),
    },
  });
  if (deepEqual(strip(next), strip(current))) next.metadata.managedFields = current.metadata.managedFields;
}

/** Whether the last finalizer of a deleted object was removed. */
function isFinished(kind: Kind, next: AnyObject, current: AnyObject): boolean {
  return (
    !!current.metadata.deletionTimestamp &&
    !next.metadata.finalizers?.length &&
    !kind.holdsDeletion?.(next) &&
    !current.metadata.deletionGracePeriodSeconds
  );
}
