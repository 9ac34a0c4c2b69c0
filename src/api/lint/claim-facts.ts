/** What the app declares about a claim: as PersistentVolumeClaim, as DataVolume, or as DataVolume of a VM. */
import { type Json, listAt, objectAt, read, textAt } from './read';
import type { DiskOwner } from './storage-guests';
import type { World } from './world';

/** Who names the claim: a guest, which may create it, or another object of this namespace. */
type Place = Pick<DiskOwner, 'namespace'> & Partial<Pick<DiskOwner, 'templates'>>;

/** Declaration of a claim. */
export interface ClaimFacts {
  /** Spec of the claim, or the `storage` of a DataVolume. */
  readonly spec: Json;
  /** Whether the claim has exactly this spec. CDI completes the `storage` of a DataVolume. */
  readonly isExact: boolean;
  /** Spec of the DataVolume, if the claim belongs to one. */
  readonly dataVolume?: Json;
}

/** Returns the declaration of a claim; undefined if the app does not declare it. */
export function claimOf(name: string, { templates = [], namespace }: Place, world: World): ClaimFacts | undefined {
  const own = templates.find((template) => textAt(template, 'metadata', 'name') === name);
  const dataVolume = objectAt(own ?? world.find('DataVolume', namespace, name), 'spec');
  if (!dataVolume) {
    const spec = objectAt(world.find('PersistentVolumeClaim', namespace, name), 'spec');
    return spec && { spec, isExact: true };
  }
  const exact = objectAt(dataVolume, 'pvc');
  return { spec: exact ?? objectAt(dataVolume, 'storage') ?? {}, isExact: exact !== undefined, dataVolume };
}

/** Returns the access modes of the declared claim; an empty list when they are unknown. */
export function accessModesOf(claim: string, owner: Place, world: World): string[] {
  const facts = claimOf(claim, owner, world);
  const modes =
    read(facts?.spec, 'accessModes') ?? (facts?.dataVolume ? profileSet(facts.spec, world)?.accessModes : undefined);
  return Array.isArray(modes) ? modes.filter((mode): mode is string => typeof mode === 'string') : [];
}

/** Returns the volume mode of the declared claim; undefined when it is unknown. */
export function volumeModeOf(claim: string, owner: Place, world: World): string | undefined {
  const facts = claimOf(claim, owner, world);
  if (!facts) return undefined;
  const own = textAt(facts.spec, 'volumeMode');
  if (own !== undefined || facts.isExact) return own ?? 'Filesystem';
  return read(facts.dataVolume, 'contentType') === 'archive' ? 'Filesystem' : undefined;
}

/** Returns the requested size of the declared claim. */
export const sizeOfClaim = (facts: ClaimFacts): unknown => read(facts.spec, 'resources', 'requests', 'storage');

/** Returns the first fitting set of the profile, which a claim without access modes gets. */
function profileSet(spec: Json, world: World): Json | undefined {
  const name = textAt(spec, 'storageClassName');
  const volumeMode = textAt(spec, 'volumeMode');
  const sets = listAt(name && world.find('StorageProfile', undefined, name), 'spec', 'claimPropertySets');
  return sets.find((set) => volumeMode === undefined || set.volumeMode === volumeMode);
}
