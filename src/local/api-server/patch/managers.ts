import { ManagedFieldsEntry } from '../../../api/meta';
import { FieldSet } from './field-set';
import { goJson } from './path-element';

/** Decoded entry of `metadata.managedFields`: a manager and its fields. */
export interface Manager {
  readonly set: FieldSet;
  readonly apiVersion: string;
  readonly applied: boolean;
  readonly time?: string;
}

/**
 * All managers of an object by identifier: name, operation, subresource, and for updates the version too, as JSON.
 * Never changed in place.
 */
export type Managers = ReadonlyMap<string, Manager>;

type Identity = Pick<ManagedFieldsEntry, 'manager' | 'operation' | 'apiVersion' | 'subresource'>;

/** The identifier under which a manager's entries are one. */
export function managerId({ manager, operation, apiVersion, subresource }: Identity): string {
  return goJson({
    ...(manager ? { manager } : {}),
    operation,
    ...(operation === 'Update' ? { apiVersion } : {}),
    ...(subresource ? { subresource } : {}),
  });
}

/** Reads `metadata.managedFields`. Throws when an entry is malformed. */
export function decodeManagers(entries: unknown): Managers {
  const managers = new Map<string, Manager>();
  for (const [i, entry] of ((entries ?? []) as ManagedFieldsEntry[]).entries()) {
    if (entry.operation !== 'Apply' && entry.operation !== 'Update')
      throw new Error('operation must be `Apply` or `Update`');
    if (!entry.apiVersion) throw new Error('apiVersion must not be empty');
    if (!entry.fieldsType) throw new Error(`missing fieldsType in managed fields entry ${i}`);
    if (entry.fieldsType !== 'FieldsV1')
      throw new Error(`invalid fieldsType ${JSON.stringify(entry.fieldsType)} in managed fields entry ${i}`);
    managers.set(managerId(entry), {
      set: FieldSet.fromFieldsV1(entry.fieldsV1 ?? {}),
      apiVersion: entry.apiVersion,
      applied: entry.operation === 'Apply',
      time: entry.time,
    });
  }
  return managers;
}

/** Writes `metadata.managedFields`, sorted: appliers first, then by time, name, version, subresource. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] {
  const entries = [...managers].map(([id, { set, apiVersion, applied, time }]): ManagedFieldsEntry => {
    const { manager, operation, subresource } = JSON.parse(id) as Identity;
    return {
      ...(manager ? { manager } : {}),
      operation: applied ? 'Apply' : operation,
      apiVersion,
      ...(time ? { time } : {}),
      fieldsType: 'FieldsV1',
      fieldsV1: set.toFieldsV1(),
      ...(subresource ? { subresource } : {}),
    };
  });
  const by = (key: (e: ManagedFieldsEntry) => string | number) => (a: ManagedFieldsEntry, b: ManagedFieldsEntry) =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
  const orders = [
    by((e) => e.operation ?? ''),
    by((e) => seconds(e.time)),
    by((e) => e.manager ?? ''),
    by((e) => e.apiVersion ?? ''),
    by((e) => e.subresource ?? ''),
  ];
  return entries.sort((a, b) => orders.map((o) => o(a, b)).find((c) => c !== 0) ?? 0);
}

const seconds = (time: string | undefined): number => (time ? Math.floor(Date.parse(time) / 1000) : 0);

/** Name of a manager in conflicts: `"kubectl-edit" with subresource "status" using v1`. */
export function printManager(id: string): string {
  const { manager, operation, apiVersion, subresource } = JSON.parse(id) as Identity;
  const name = goJson(manager ?? '') + (subresource ? ` with subresource ${goJson(subresource)}` : '');
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}

/** More entries by updates than these are folded together, the oldest first. */
const MAX_UPDATE_MANAGERS = 10;

/** Folds the oldest updaters of a version into `ancient-changes`, so that an object's metadata cannot grow for ever. */
export function capManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, m]) => !m.applied).map(([id]) => id);
  if (updaters.length <= MAX_UPDATE_MANAGERS) return managers;
  const age = (id: string) => seconds(managers.get(id)?.time);
  updaters.sort((a, b) => age(a) - age(b) || (a < b ? -1 : 1));
  const result = new Map(managers);
  const first = new Map<string, string>();
  let count = updaters.length;
  for (const id of updaters) {
    if (count <= MAX_UPDATE_MANAGERS) break;
    const manager = result.get(id);
    if (!manager) continue;
    const { apiVersion } = manager;
    const oldest = first.get(apiVersion);
    if (oldest === undefined) {
      first.set(apiVersion, id);
      continue;
    }
    const bucketId = managerId({ manager: 'ancient-changes', operation: 'Update', apiVersion });
    const bucket = result.get(bucketId) ?? result.get(oldest);
    if (!result.has(bucketId)) result.delete(oldest);
    result.delete(id);
    result.set(bucketId, { ...manager, set: bucket ? manager.set.union(bucket.set) : manager.set });
    count--;
  }
  return result;
}
