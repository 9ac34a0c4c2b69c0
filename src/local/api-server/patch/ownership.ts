/**
 * Computes field ownership after a change: the algorithm of structured-merge-diff's updater for one version of a type.
 */
import { StatusCause } from '../../../api/meta';
import { TypeSchema } from '../schema/type-schema';
import { ConflictError } from './errors';
import { FieldSet, printPath } from './field-set';
import { Manager, Managers, printManager } from './managers';
import { PathElement } from './path-element';
import { reconcileWithSchema } from './reconcile';
import { compare, Comparison, equal, mergeTyped, removeItems, toFieldSet } from './typed';

export interface OwnershipContext {
  readonly schema: TypeSchema;
  readonly apiVersion: string;
  /** Paths that this endpoint resets, so that no manager can own them through it. */
  readonly ignored: FieldSet;
}

/** One field that another manager owns. */
export interface Conflict {
  readonly manager: string;
  readonly path: PathElement[];
}

/** Conflicts inside the room; `toConflictError` converts them to an API error. */
export class Conflicts extends Error {
  public constructor(public readonly list: readonly Conflict[]) {
    super(`${list.length} conflicts`);
  }
}

/** The managers after `next` has replaced `live` by an update of manager `id`. */
export function ownAfterUpdate(
  live: unknown,
  next: unknown,
  managers: Managers,
  id: string,
  context: OwnershipContext,
): Managers {
  const { owners, change } = settle(live, next, reconcileAll(managers, context), id, true, context);
  const mine = owners.get(id)?.set ?? new FieldSet();
  const set = mine
    .difference(change.removed)
    .union(change.modified)
    .union(change.added)
    .recursiveDifference(context.ignored);
  return withManager(owners, id, { ...owners.get(id), set, apiVersion: context.apiVersion, applied: false });
}

/** The object and its managers after manager `id` applied `config`. `object` is undefined when nothing changed. */
export function ownAfterApply(
  live: unknown,
  config: unknown,
  stored: Managers,
  id: string,
  force: boolean,
  context: OwnershipContext,
): { object: unknown; managers: Managers } {
  const { schema, apiVersion, ignored } = context;
  const managers = reconcileAll(stored, context);
  const last = managers.get(id);
  const set = toFieldSet(config, schema).recursiveDifference(ignored);
  const applied = new Map(managers).set(id, { ...last, set, apiVersion, applied: true });
  const merged = mergeTyped(live, config, schema);
  const object = last && !last.set.empty ? dropAbandoned(merged, applied, last.set, schema) : merged;
  const { owners } = settle(live, object, applied, id, force, context);
  return { object: equal(live, object) ? undefined : object, managers: owners };
}

const reconcileAll = (managers: Managers, { schema }: OwnershipContext): Managers =>
  new Map([...managers].map(([id, m]) => [id, { ...m, set: reconcileWithSchema(m.set, schema) }]));

/** Takes changed fields away from the other managers, or throws `Conflicts` when that is not forced. */
function settle(
  live: unknown,
  next: unknown,
  managers: Managers,
  id: string,
  force: boolean,
  { schema, ignored }: OwnershipContext,
): { owners: Managers; change: Comparison } {
  const all = compare(live, next, schema);
  const change = {
    added: all.added.recursiveDifference(ignored),
    modified: all.modified.recursiveDifference(ignored),
    removed: all.removed.recursiveDifference(ignored),
  };
  const touched = change.modified.union(change.added);
  const conflicts: Conflict[] = [];
  const owners = new Map<string, Manager>();
  for (const [other, manager] of managers) {
    if (other === id) {
      if (!manager.set.empty) owners.set(other, manager);
      continue;
    }
    const taken = manager.set.intersection(touched);
    taken.forEach((path) => conflicts.push({ manager: other, path }));
    const set = manager.set.difference(taken).difference(change.removed);
    if (!set.empty) owners.set(other, { ...manager, set });
  }
  if (!force && conflicts.length > 0) throw new Conflicts(conflicts);
  return { owners, change };
}

/** Removes fields that the manager no longer applies, unless another manager owns them. */
function dropAbandoned(merged: unknown, managers: Managers, last: FieldSet, schema: TypeSchema): unknown {
  const named = (set: FieldSet) => set.withNamedFields(schema);
  const mergedSet = named(toFieldSet(merged, schema));
  const withoutLast = removeItems(merged, named(last), schema);
  const owned = [...managers.values()].reduce((set, m) => set.union(m.set), new FieldSet());
  const kept = named(toFieldSet(withoutLast, schema)).union(named(owned));
  const withOwned = removeItems(merged, mergedSet.difference(kept), schema);
  // restore fields of other managers that were removed with their parent
  const gone = mergedSet.difference(named(toFieldSet(withOwned, schema)));
  return removeItems(merged, gone.intersection(named(last)), schema);
}

function withManager(managers: Managers, id: string, manager: Manager): Managers {
  const result = new Map(managers);
  if (manager.set.empty) result.delete(id);
  else result.set(id, manager);
  return result;
}

/** Conflict error (409) of Kubernetes. */
export function toConflictError(conflicts: readonly Conflict[]): ConflictError {
  const sorted = [...conflicts].sort((a, b) => (a.manager < b.manager ? -1 : a.manager > b.manager ? 1 : 0));
  const causes = sorted.map(({ manager, path }): StatusCause => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${printManager(manager)}`,
    field: printPath(path),
  }));
  const [only] = sorted;
  if (sorted.length === 1 && only)
    return new ConflictError(
      `Apply failed with 1 conflict: conflict with ${printManager(only.manager)}: ${printPath(only.path)}`,
      causes,
    );
  const lines = [...Map.groupBy(sorted, (c) => c.manager)].flatMap(([manager, list]) => [
    `conflicts with ${printManager(manager)}:`,
    ...list.map(({ path }) => `- ${printPath(path)}`),
  ]);
  return new ConflictError(`Apply failed with ${sorted.length} conflicts: ${lines.join('\n')}`, causes);
}
