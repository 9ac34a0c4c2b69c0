/** Claims of guests, and whether their access modes and classes fit. */
import { mistake } from '../admission/rule';
import type { Finding } from '../findings';
import type { KubeObject } from '../meta';
import { misspeltReference } from './misspelt';
import { textAt } from './read';
import { accessModesOf } from './claim-facts';
import { diskOwner, isWriter, usesOf } from './storage-guests';
import { type Filled, filledBy } from './storage-sources';
import type { World } from './world';

/** QEMU does not start with a disk that it cannot open for writing. */
function claimsAreWritable(object: KubeObject, world: World): Finding[] {
  const owner = diskOwner(object);
  if (!owner) return [];
  return usesOf(owner)
    .filter(isWriter)
    .flatMap(({ claim, disk, path }) => {
      const modes = accessModesOf(claim, owner, world);
      if (modes.length === 0 || modes.some((mode) => mode !== 'ReadOnlyMany')) return [];
      const cause = `disk "${disk}" is writable, but claim "${claim}" is ReadOnlyMany`;
      const remedy = 'choose ReadWriteOnce or ReadWriteMany, or make the disk read-only';
      return mistake('claim-writable', path, cause, remedy, { value: modes });
    });
}

function classesAreSpeltRight({ spec, at }: Filled, world: World): Finding[] {
  const allowed = world.all('StorageClass').map(({ name }) => name);
  return (['pvc', 'storage'] as const).flatMap((form) => {
    const got = textAt(spec, form, 'storageClassName');
    if (got === undefined || allowed.includes(got)) return [];
    return misspeltReference('StorageClass', got, at.at(form, 'storageClassName'), allowed);
  });
}

/** Rules between claims and the objects declared with them. */
export const claimRules = (object: KubeObject, world: World): Finding[] => [
  ...claimsAreWritable(object, world),
  ...filledBy(object, diskOwner(object)).flatMap((filled) => classesAreSpeltRight(filled, world)),
];
