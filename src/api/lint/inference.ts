/** Volumes from which a VM infers its instance type or preference, although they have no labels to infer from. */
import { mistake } from '../admission/rule';
import { type Finding, root } from '../findings';
import type { KubeObject } from '../meta';
import { claimOf } from './claim-facts';
import { guestsIn } from './network-guests';
import { type Json, listAt, objectAt, read, textAt } from './read';
import { diskOwner } from './storage-guests';
import type { World } from './world';

const LABELS = 'instancetype.kubevirt.io/default-';

/** KubeVirt rejects such a VM: the names come from the labels of a DataVolume, or of the claim or DataSource that it copies. */
export function inferenceHasLabels(object: KubeObject, world: World): Finding[] {
  const guests = guestsIn(object);
  if (!guests) return [];
  const vm = objectAt(object, ...guests.ownerAt);
  return (['instancetype', 'preference'] as const).flatMap((field) => {
    const got = textAt(vm, field, 'inferFromVolume');
    if (got === undefined || read(vm, field, 'inferFromVolumeFailurePolicy') === 'Ignore') return [];
    const volume = listAt(guests.spec, 'volumes').find(({ name }) => name === got);
    const problem = volume && problemOf(volume, object, field, world);
    if (problem === undefined) return [];
    const path = root.at(...guests.ownerAt, field, 'inferFromVolume');
    const remedy = `set ${field}, or infer it from a disk that copies a claim, a snapshot or a DataSource`;
    return mistake(`${field}-inferred`, path, problem, remedy, { value: got });
  });
}

function problemOf(
  volume: Json,
  object: KubeObject,
  field: 'instancetype' | 'preference',
  world: World,
): string | undefined {
  const owner = diskOwner(object);
  const claim = textAt(volume, 'dataVolume', 'name') ?? textAt(volume, 'persistentVolumeClaim', 'claimName');
  const name = String(volume.name);
  if (claim === undefined)
    return `volume "${name}" is neither a claim nor a DataVolume, so no ${field} can be inferred`;
  const made = owner?.templates.some((template) => textAt(template, 'metadata', 'name') === claim);
  const declared = world.find('DataVolume', guestsIn(object)?.namespace, claim);
  if (!owner || !volume.dataVolume || (!made && !declared)) return undefined;
  // the labels of a DataVolume that is created with the VM are not read
  if (!made && read(declared, 'metadata', 'labels', `${LABELS}${field}`) !== undefined) return undefined;
  const spec = claimOf(claim, owner, world)?.dataVolume;
  const copies = [read(spec, 'source', 'pvc'), read(spec, 'source', 'snapshot'), read(spec, 'sourceRef')];
  if (!spec || copies.some((each) => each !== undefined)) return undefined;
  const why = made ? 'copies nothing' : 'copies nothing and has no such label';
  return `DataVolume "${claim}" of volume "${name}" ${why}, so no ${field} can be inferred`;
}
