/** Restores and clones, and the claims and identities of the VMs that they create. */
import { mistake } from '../admission/rule';
import { type Finding, type Path, root } from '../findings';
import type { KubeObject } from '../meta';
import { guestsIn } from './network-guests';
import { type Json, keyOf, listAt, objectAt, read, textAt } from './read';
import { firstOwner } from './storage-guests';
import type { World } from './world';

const RESTORE = 'VirtualMachineRestore.snapshot.kubevirt.io';
const CLONE = 'VirtualMachineClone.clone.kubevirt.io';

/** A restore or clone, and the VM whose disks it copies. */
interface Copy {
  readonly object: KubeObject;
  readonly namespace: string | undefined;
  /** Name of the VM, if the app declares the snapshot or names the VM. */
  readonly source: string;
  /** The VM, if the app declares it. */
  readonly vm: KubeObject | undefined;
  readonly target: string;
}

function copyOf(object: KubeObject, world: World): Copy | undefined {
  const key = keyOf(object);
  if (key !== RESTORE && key !== CLONE) return undefined;
  const namespace = textAt(object, 'metadata', 'namespace');
  const ofSnapshot = (name: string | undefined): string | undefined =>
    name && textAt(world.find('VirtualMachineSnapshot', namespace, name), 'spec', 'source', 'name');
  const from = objectAt(object, 'spec', 'source');
  const source =
    key === RESTORE
      ? ofSnapshot(textAt(object, 'spec', 'virtualMachineSnapshotName'))
      : textAt(from, 'kind') === 'VirtualMachine'
        ? textAt(from, 'name')
        : ofSnapshot(textAt(from, 'name'));
  const target = textAt(object, 'spec', 'target', 'name');
  if (source === undefined || target === undefined) return undefined;
  return { object, namespace, source, vm: world.find('VirtualMachine', namespace, source), target };
}

/** With InPlace, KubeVirt deletes the claims of the snapshot's VM, and creates them again. */
function keepsSource({ object, source, target }: Copy): Finding[] {
  if (textAt(object, 'spec', 'volumeRestorePolicy') !== 'InPlace' || source === target) return [];
  const cause = `InPlace keeps the names of the claims, so it replaces the disks of VirtualMachine "${source}"`;
  const remedy = 'use RandomizeNames or PrefixTargetName for a new VM';
  return mistake('restore-in-place', root.at('spec', 'volumeRestorePolicy'), cause, remedy, { value: 'InPlace' });
}

/** Longest name that KubeVirt forms without a hash. */
const LONGEST = 63;

/** KubeVirt takes an existing claim of the new name for the restored one. */
function claimsAreNew({ object, namespace, vm, target }: Copy, world: World): Finding[] {
  const spec = objectAt(object, 'spec');
  const isOverridden = new Set<unknown>();
  const errors: Finding[] = [];
  const taken = (name: string | undefined, path: Path): void => {
    if (name === undefined || name.length > LONGEST || !isClaim(name, namespace, world)) return;
    const cause = `claim "${name}" exists already: KubeVirt uses it as it is, and copies no data`;
    errors.push(...mistake('restore-claim', path, cause, 'choose names that no claim has', { value: name }));
  };
  const isInPlace = textAt(spec, 'volumeRestorePolicy') === 'InPlace';
  listAt(spec, 'volumeRestoreOverrides').forEach((override, i) => {
    const at = root.at('spec', 'volumeRestoreOverrides', i);
    if (isOverridden.has(override.volumeName)) {
      const cause = `volume "${String(override.volumeName)}" has an override already, and this one is ignored`;
      const extra = { value: override.volumeName, type: 'FieldValueDuplicate' } as const;
      errors.push(...mistake('restore-override', at.at('volumeName'), cause, 'merge the two', extra));
    }
    isOverridden.add(override.volumeName);
    if (!isInPlace) taken(textAt(override, 'restoreName'), at.at('restoreName'));
  });
  const field = keyOf(object) === RESTORE ? 'volumeRestorePolicy' : 'volumeNamePolicy';
  if (textAt(spec, field) !== 'PrefixTargetName') return errors;
  for (const volume of listAt(vm && guestsIn(vm)?.spec, 'volumes')) {
    const isCopied = volume.dataVolume ?? volume.persistentVolumeClaim;
    if (!isCopied || isOverridden.has(volume.name)) continue;
    taken(`${target}-${String(volume.name)}`, root.at('spec', field));
  }
  return errors;
}

const isClaim = (name: string, namespace: string | undefined, world: World): boolean =>
  world.named('PersistentVolumeClaim', namespace, name).length > 0 ||
  world.named('DataVolume', namespace, name).length > 0 ||
  firstOwner(name, namespace, world) !== undefined;

const DEVICES = '/spec/template/spec/domain/devices/interfaces';
const FIRMWARE = '/spec/template/spec/domain/firmware';

/** A restore into a new VM keeps the whole spec of the snapshot, unlike a clone. */
function identityIsNew({ object, namespace, source, vm, target }: Copy, world: World): Finding[] {
  if (keyOf(object) !== RESTORE || !vm || source === target || world.find('VirtualMachine', namespace, target)) {
    return [];
  }
  const spec = guestsIn(vm)?.spec;
  const patched = patchedPaths(object);
  const isPatched = (path: string): boolean => patched.some((each) => path === each || path.startsWith(`${each}/`));
  const kept = [
    ...listAt(spec, 'domain', 'devices', 'interfaces').map((card, i) => ({
      what: 'MAC address',
      value: textAt(card, 'macAddress'),
      path: `${DEVICES}/${i}/macAddress`,
    })),
    ...(['uuid', 'serial'] as const).map((field) => ({
      what: `firmware ${field === 'uuid' ? 'UUID' : 'serial number'}`,
      value: textAt(spec, 'domain', 'firmware', field),
      path: `${FIRMWARE}/${field}`,
    })),
  ];
  return kept.flatMap(({ what, value, path }) => {
    if (value === undefined || isPatched(path)) return [];
    const cause = `the new VM "${target}" keeps the ${what} "${value}", which VirtualMachine "${source}" has`;
    const example = JSON.stringify({ op: 'replace', path, value: '' });
    const remedy = `add the patch ${example}, or write the new value without colons`;
    return mistake('restore-identity', root.at('spec', 'patches'), cause, remedy, { value, patched: path });
  });
}

function patchedPaths(object: KubeObject): string[] {
  const patches = read(object, 'spec', 'patches');
  if (!Array.isArray(patches)) return [];
  return patches.flatMap((patch: unknown) => {
    try {
      const path = (JSON.parse(String(patch)) as Json | null)?.path;
      return typeof path === 'string' ? [path] : [];
    } catch {
      return [];
    }
  });
}

/** Rules between restores and clones and the VMs declared with them. */
export function restoreRules(object: KubeObject, world: World): Finding[] {
  const copy = copyOf(object, world);
  return copy ? [...keepsSource(copy), ...claimsAreNew(copy, world), ...identityIsNew(copy, world)] : [];
}
