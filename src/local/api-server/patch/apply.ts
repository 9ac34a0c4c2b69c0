import { KubeObject, ManagedFieldsEntry } from '../../../api/meta';
import { clone } from '../json/values';
import { TypeSchema } from '../schema/type-schema';
import { PatchError } from './errors';
import { FieldSet } from './field-set';
import { allowedByLastApplied, syncLastApplied } from './last-applied';
import { capManagers, decodeManagers, encodeManagers, Manager, managerId, Managers } from './managers';
import { Conflicts, OwnershipContext, ownAfterApply, ownAfterUpdate, toConflictError } from './ownership';
import { fieldElement } from './path-element';
import { validateTyped } from './typed';

/** Options of both kinds of writes. */
interface WriteOptions {
  manager: string;
  /** group/version of the request. */
  apiVersion: string;
  subresource?: string;
  schema: TypeSchema;
  /** Paths (`status`, `metadata.labels`) that this endpoint resets: no manager gets their ownership. */
  resetFields?: readonly string[];
  now: Date;
}

export interface ApplyOptions extends WriteOptions {
  /** The stored object; undefined when apply creates it. */
  live: unknown;
  /** Applied configuration. */
  config: unknown;
  /** Whether to take over fields of other managers. */
  force?: boolean;
  /** Kind of the endpoint; a configuration of another kind is rejected. */
  kind?: string;
}

export interface UpdateOptions extends WriteOptions {
  /** The stored object; undefined on create. */
  live: unknown;
  /** The object to be stored, with the `managedFields` that the client sent. */
  next: unknown;
  operation: 'Update';
}

type Json = Record<string, unknown>;

/** Fields of every object without an owner. */
const UNOWNED = FieldSet.of(
  ...[['apiVersion'], ['kind'], ['metadata']].map((p) => p.map(fieldElement)),
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields']
    .concat('resourceVersion')
    .map((field) => ['metadata', field].map(fieldElement)),
);

/**
 * Server-side apply: merges `config` into `live`, removes fields that this manager no longer applies, and updates
 * `metadata.managedFields`. Throws `ConflictError` (409) and `PatchError`. Defaults are the caller's.
 */
export function serverSideApply(options: ApplyOptions): { object: unknown } {
  const { config, manager, force = false, apiVersion, subresource, schema, now, kind } = options;
  const given = config as KubeObject;
  if (kind !== undefined && (given.kind !== kind || given.apiVersion !== apiVersion))
    throw new PatchError(400, `invalid object type: ${given.apiVersion}, Kind=${given.kind}`);
  if (given.apiVersion !== apiVersion)
    throw new PatchError(
      400,
      `Incorrect version specified in apply patch. Specified patch version: ${given.apiVersion}, expected: ${apiVersion}`,
    );
  if (given.metadata?.managedFields) throw new PatchError(400, 'metadata.managedFields must be nil');

  const context = contextOf(options);
  const empty = { apiVersion, kind: given.kind };
  const live = withoutManagedFields(options.live ?? empty);
  let managers = decodeOrFail(managedFieldsOf(options.live));
  if (managers.size === 0) managers = update(empty, live, managers, { ...options, manager: 'before-first-apply' });

  const errors = validateTyped(config, schema, false);
  if (errors.length > 0) {
    const text = errors.length === 1 ? errors[0] : ['errors:', ...errors.map((e) => `  ${e}`)].join('\n');
    throw new PatchError(500, `failed to create typed patch object (${describe(given)}): ${text}`);
  }
  const id = managerId({ manager: manager || 'unknown', operation: 'Apply', apiVersion, subresource });
  const apply = (forced: boolean) => ownAfterApply(live, config, managers, id, forced, context);
  const { object, managers: owners } = withMigration(manager, live, apiVersion, schema, force, apply);
  const next = clone(object ?? live) as Json;
  const stripped = withoutUnowned(owners, id);
  const timed = object === undefined ? stripped : stamped(stripped, id, now);
  syncLastApplied(manager, next, config);
  return { object: withManagedFields(next, timed) };
}

/** Ignores conflicts of `kubectl apply --server-side` with fields of kubectl's client-side apply. */
function withMigration<T>(
  manager: string,
  live: unknown,
  apiVersion: string,
  schema: TypeSchema,
  force: boolean,
  apply: (force: boolean) => T,
): T {
  try {
    return apply(force);
  } catch (error) {
    if (!(error instanceof Conflicts)) throw error;
    const allowed = manager === 'kubectl' ? allowedByLastApplied(live, apiVersion, schema) : undefined;
    if (!allowed) throw toConflictError(error.list);
    const left = error.list.filter(({ path }) => !allowed.has(path));
    if (left.length > 0) throw toConflictError(left);
    return apply(true);
  }
}

/** Returns `next` with `metadata.managedFields` brought up to date after a create, update or patch. Never throws. */
export function updateManagedFields(options: UpdateOptions): unknown {
  const { apiVersion, next } = options;
  const live = options.live ?? { apiVersion, kind: (next as KubeObject).kind };
  const sent = managedFieldsOf(next);
  const plain = withoutManagedFields(next);
  const managers = options.subresource
    ? decodeOrNone(managedFieldsOf(live))
    : isReset(sent, options.schema)
      ? new Map<string, Manager>()
      : decodeSent(sent, managedFieldsOf(live));
  const created = !(live as Partial<KubeObject>).metadata?.uid;
  // an object without managedFields gets them at the first apply
  if (managers.size === 0 && !created) return plain;
  try {
    return withManagedFields(plain as Json, update(withoutManagedFields(live), plain, managers, options));
  } catch {
    return plain; // the type does not fit: better no ownership than a wrong one
  }
}

function update(live: unknown, next: unknown, managers: Managers, options: WriteOptions): Managers {
  const { manager, apiVersion, subresource, now } = options;
  // The operation has an identity of its own: what it changes is added to the manager's entry with a new time, and
  // the time stays when it changed nothing.
  const self = 'current-operation';
  const owners = withoutUnowned(ownAfterUpdate(live, next, managers, self, contextOf(options)), self);
  const mine = owners.get(self);
  if (!mine) return capManagers(owners);
  const result = new Map(owners);
  result.delete(self);
  const id = managerId({ manager: manager || 'unknown', operation: 'Update', apiVersion, subresource });
  const before = result.get(id);
  result.set(id, { ...mine, set: before ? mine.set.union(before.set) : mine.set });
  return capManagers(stamped(result, id, now));
}

const contextOf = ({ schema, apiVersion, resetFields = [] }: WriteOptions): OwnershipContext => ({
  schema,
  apiVersion,
  ignored: FieldSet.of(...resetFields.map((path) => path.split('.').map(fieldElement))),
});

function withoutUnowned(managers: Managers, id: string): Managers {
  const mine = managers.get(id);
  if (!mine) return managers;
  const result = new Map(managers);
  const set = mine.set.difference(UNOWNED);
  if (set.empty) result.delete(id);
  else result.set(id, { ...mine, set });
  return result;
}

function stamped(managers: Managers, id: string, now: Date): Managers {
  const mine = managers.get(id);
  return mine ? new Map(managers).set(id, { ...mine, time: `${now.toISOString().slice(0, 19)}Z` }) : managers;
}

const managedFieldsOf = (object: unknown): unknown =>
  (object as Partial<KubeObject> | undefined)?.metadata?.managedFields;

/** `[{}]` means: forget who owns what. So does `[]` on built-in types (they have a name), but not on custom resources. */
const isReset = (entries: unknown, { name }: TypeSchema): boolean =>
  Array.isArray(entries) &&
  (entries.length === 0 ? name !== undefined : entries.length === 1 && Object.keys(entries[0]).length === 0);

function decodeOrNone(entries: unknown): Managers {
  try {
    return decodeManagers(entries);
  } catch {
    return new Map();
  }
}

/** Clients that omit the field or send invalid values must not delete it. */
function decodeSent(sent: unknown, stored: unknown): Managers {
  try {
    const managers = decodeManagers(sent);
    if (managers.size > 0) return managers;
  } catch {
    // the stored value is used
  }
  return decodeOrNone(stored);
}

function decodeOrFail(entries: unknown): Managers {
  try {
    return decodeManagers(entries);
  } catch (error) {
    throw new PatchError(500, `failed to decode managed fields: ${(error as Error).message}`);
  }
}

function withoutManagedFields(object: unknown): unknown {
  const { metadata, ...rest } = object as Json & { metadata?: Json };
  if (metadata === undefined) return rest;
  const { managedFields: _, ...kept } = metadata;
  return { ...(object as Json), metadata: kept };
}

function withManagedFields(object: Json, managers: Managers): unknown {
  const entries: ManagedFieldsEntry[] = encodeManagers(managers);
  const { managedFields: _, ...metadata } = (object.metadata ?? {}) as Json;
  return { ...object, metadata: entries.length > 0 ? { ...metadata, managedFields: entries } : metadata };
}

/** `ns/name; group/version, Kind=Kind` */
const describe = ({ metadata, apiVersion, kind }: KubeObject): string =>
  `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}; ${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
