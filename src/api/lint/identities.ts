/** Identities that guests read from SMBIOS, by which licences and inventories distinguish them. */
import { mistake } from '../admission/rule';
import type { Finding } from '../findings';
import type { KubeObject } from '../meta';
import { type Guests, guestsIn, guestsOf } from './network-guests';
import { isSame, objectAt, read, textAt } from './read';
import { mostGuests } from './scaling';
import type { World } from './world';

const FIELDS = [
  ['firmware', 'uuid', 'UUID'],
  ['firmware', 'serial', 'serial number'],
  ['chassis', 'serial', 'serial number of the chassis'],
] as const;

/** Reports an identity in the template of several guests, and one that two guests have. */
export function identitiesDiffer(object: KubeObject, world: World): Finding[] {
  const guests = guestsIn(object);
  const domain = objectAt(guests?.spec, 'domain');
  if (!guests || (!domain?.firmware && !domain?.chassis)) return [];
  const isSet = object.kind === 'VirtualMachinePool' || object.kind === 'VirtualMachineInstanceReplicaSet';
  return isSet ? ofSet(guests, world) : ofOne(guests, world);
}

function ofSet({ object, spec, at }: Guests, world: World): Finding[] {
  const most = mostGuests(object, world);
  if (most < 2) return [];
  return FIELDS.flatMap(([part, field, what]) => {
    const value = textAt(spec, 'domain', part, field);
    if (value === undefined) return [];
    const cause = `all ${most} guests would have the same ${what}`;
    const remedy = 'leave it out, or declare one VM for each';
    return mistake('identity-unique', at.at('domain', part, field), cause, remedy, { value });
  });
}

/** UUIDs and the guest that has each first, by namespace. */
const indexes = new WeakMap<World, ReadonlyMap<string, Guests>>();

function firstByUuid(world: World): ReadonlyMap<string, Guests> {
  let index = indexes.get(world) as Map<string, Guests> | undefined;
  if (!index) {
    indexes.set(world, (index = new Map<string, Guests>()));
    for (const each of guestsOf(world)) {
      const key = keyOf(each);
      if (key !== undefined && !index.has(key)) index.set(key, each);
    }
  }
  return index;
}

/** Undefined for a guest that does not run, since its replacement may have its identity. */
function keyOf({ object, spec, namespace }: Guests): string | undefined {
  const uuid = textAt(spec, 'domain', 'firmware', 'uuid');
  const isOff = textAt(object, 'spec', 'runStrategy') === 'Halted' || read(object, 'spec', 'running') === false;
  return uuid === undefined || isOff ? undefined : `${namespace ?? ''} ${uuid.toLowerCase().replaceAll('-', '')}`;
}

/** Reports at the later one. */
function ofOne(guests: Guests, world: World): Finding[] {
  const key = keyOf(guests);
  const first = key === undefined ? undefined : firstByUuid(world).get(key);
  if (!first || isSame(first.object, guests.object)) return [];
  const value = textAt(guests.spec, 'domain', 'firmware', 'uuid');
  const { kind, metadata } = first.object;
  const cause = `${kind} "${metadata.name}" has the same UUID, by which licences and inventories distinguish machines`;
  const path = guests.at.at('domain', 'firmware', 'uuid');
  return mistake('identity-unique', path, cause, 'give each its own, or leave it out', {
    value,
    type: 'FieldValueDuplicate',
  });
}
