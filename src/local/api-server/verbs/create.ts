import { randomInt, randomUUID } from 'node:crypto';
import { errors, StatusError } from '../errors';
import { clone } from '../json/values';
import { updateManagedFields } from '../patch';
import { gvOf, Kind, StrategyContext, subjectOf } from '../registry/kind';
import { anyType } from '../schema';
import { ExistsError } from '../store/store';
import { AnyObject, timestamp } from '../types';
import { Fields } from '../validation/fields';
import { validateObjectMeta } from '../validation/object-meta';
import { oneFromStored, toStored } from './convert';
import { attributes, Caller, commit, Core, keyOf, optionsObject, read, Target } from './core';
import { dedupeOwners } from './owner-references';

/** Number of attempts for a generated name, as in Kubernetes. */
const NAME_ATTEMPTS = 8;
/** Generated names are cut so that five characters still fit into a label. */
const MAX_GENERATED_PREFIX = 58;
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

export function generateName(prefix: string): string {
  const suffix = Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return prefix.slice(0, MAX_GENERATED_PREFIX) + suffix;
}

export function strategyContext(caller: Caller): StrategyContext {
  return { user: caller.user, now: timestamp(), dryRun: caller.dryRun, warn: (message) => caller.warn(message) };
}

/** The namespace in the object is that of the URL. @throws StatusError 400 */
export function ensureNamespace(object: AnyObject, kind: Kind, namespace: string): void {
  const expected = kind.namespaced ? namespace : '';
  if (!object.metadata.namespace) {
    if (expected) object.metadata.namespace = expected;
    return;
  }
  if (object.metadata.namespace === expected) return;
  // The namespace of a cluster-scoped object is removed, as in Kubernetes.
  if (!expected) delete object.metadata.namespace;
  else {
    throw errors.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** Creates `object`, which has been decoded. @throws StatusError */
export async function create(core: Core, target: Target, object: AnyObject, caller: Caller): Promise<AnyObject> {
  const { kind, namespace } = target;
  const { metadata } = object;
  // Checked when the object is stored; '0' and '' mean no version.
  const versioned = !!metadata.resourceVersion && metadata.resourceVersion !== '0';
  for (const field of [
    'uid',
    'resourceVersion',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'selfLink',
  ] as const) {
    delete (metadata as Record<string, unknown>)[field];
  }
  ensureNamespace(object, kind, namespace);
  dedupeOwners(object, caller, false);
  const managed = updateManagedFields({
    live: kind.empty(),
    next: object,
    manager: caller.manager,
    operation: 'Update',
    apiVersion: gvOf(kind),
    schema: kind.schema ?? anyType,
    resetFields: kind.resetFields(''),
    now: new Date(),
  }) as AnyObject;
  return createManaged(core, target, managed, caller, versioned);
}

/** As `create`, for an object whose managedFields are already right (server-side apply). */
export async function createManaged(
  core: Core,
  target: Target,
  managed: AnyObject,
  caller: Caller,
  versioned = false,
): Promise<AnyObject> {
  const request = attributes('CREATE', target, caller, managed, undefined, optionsObject('CreateOptions', caller));
  await core.admission.mutate(request);
  const admitted = request.object!;
  dedupeOwners(admitted, caller, true);
  const generated = !admitted.metadata.name && !!admitted.metadata.generateName;
  for (let attempt = 1; ; attempt++) {
    try {
      return await store(core, target, generated ? clone(admitted) : admitted, caller, versioned);
    } catch (error) {
      const taken = error instanceof StatusError && error.status.reason === 'AlreadyExists';
      if (!generated || attempt === NAME_ATTEMPTS || !taken) throw error;
    }
  }
}

async function store(
  core: Core,
  target: Target,
  object: AnyObject,
  caller: Caller,
  versioned: boolean,
): Promise<AnyObject> {
  const { kind } = target;
  const { metadata } = object;
  metadata.uid = randomUUID();
  metadata.creationTimestamp = timestamp();
  const generated = !metadata.name && !!metadata.generateName;
  if (generated) metadata.name = generateName(metadata.generateName!);
  const { context, flush } = heldWarnings(caller);
  kind.prepareForCreate(object, context);
  validateNew(kind, object);
  flush();
  // Before admission: nothing may wait between the check of a quota and the write.
  const converted = kind.conversion && (await toStored(kind, object));
  await core.admission.validate(
    attributes('CREATE', target, caller, object, undefined, optionsObject('CreateOptions', caller)),
  );
  if (versioned) throw errors.unknown('resourceVersion should not be set on objects to be created');
  const key = keyOf(kind, metadata.namespace ?? '', metadata.name!);
  if (caller.dryRun) {
    if (core.store.get(key)) throw exists(core, kind, object, generated);
    return kind.fromStorage(kind.toStorage(object));
  }
  try {
    const stored = await commit(core, () => core.store.create(key, converted ?? kind.toStorage(object)));
    return await oneFromStored(kind, stored);
  } catch (error) {
    if (error instanceof ExistsError) throw exists(core, kind, object, generated);
    throw error;
  }
}

/** A context whose warnings reach the client when the object is valid: `flush` sends them. */
export function heldWarnings(caller: Caller): { context: StrategyContext; flush(): void } {
  const warnings: string[] = [];
  return {
    context: { ...strategyContext(caller), warn: (message) => void warnings.push(message) },
    flush: () => warnings.forEach((message) => caller.warn(message)),
  };
}

/** @throws StatusError 422 */
function validateNew(kind: Kind, object: AnyObject): void {
  const fields = Fields.root();
  validateObjectMeta(object, kind, fields.child('metadata'));
  kind.validate(object, fields);
  const causes = [...fields.causes, ...kind.schemaCauses(object, undefined, '', fields.causes)];
  if (causes.length)
    throw errors.invalid(kind.errorGroup ?? kind.group, object.kind, object.metadata.name ?? '', causes);
}

function exists(core: Core, kind: Kind, object: AnyObject, generated: boolean): StatusError {
  const { name = '', namespace = '' } = object.metadata;
  const current = read(core, kind, namespace, name);
  const error = generated
    ? errors.generateNameConflict(subjectOf(kind), name)
    : errors.alreadyExists(subjectOf(kind), name);
  if (current?.metadata.deletionTimestamp) {
    return new StatusError({ ...error.status, message: `object is being deleted: ${error.status.message}` });
  }
  return error;
}
