/** Snapshots, exports, restores and clones, and whether their VM has something to copy. */
import { keys } from '../keys';
import { mistake, nearest } from '../admission/rule';
import { type Finding, type Path, root, type RuleId } from '../findings';
import { canonicalMac } from '../mac-address';
import type { KubeObject } from '../meta';
import { migrationCanSucceed } from './migration-requests';
import { misspeltReference } from './misspelt';
import { guestsIn } from './network-guests';
import { keyOf, listAt, objectAt, read, textAt, textsAt } from './read';
import type { World } from './world';

/** Label of the Jobs of a `SnapshotSchedule`; their environment has the snapshot's spec. */
const SCHEDULE_LABEL = keys.snapshotSchedule;

/** VM to copy, and the path that names it. */
interface Source {
  readonly name: string;
  readonly path: Path;
  readonly what: string;
  readonly rule: RuleId;
}

function sourceOf(object: KubeObject): Source | undefined {
  const isVm = (source: unknown): boolean => textAt(source, 'kind') === 'VirtualMachine';
  switch (keyOf(object)) {
    case 'VirtualMachineExport.export.kubevirt.io': {
      const source = read(object, 'spec', 'source');
      const name = isVm(source) ? textAt(source, 'name') : undefined;
      return name === undefined
        ? undefined
        : { name, path: root.at('spec', 'source', 'name'), what: 'an export', rule: 'export-volumes' };
    }
    case 'VirtualMachineSnapshot.snapshot.kubevirt.io':
    case 'VirtualMachineBackup.backup.kubevirt.io':
    case 'VirtualMachineBackupTracker.backup.kubevirt.io': {
      const source = read(object, 'spec', 'source');
      const name = isVm(source) ? textAt(source, 'name') : undefined;
      if (name === undefined) return undefined;
      const path = root.at('spec', 'source', 'name');
      return object.kind === 'VirtualMachineSnapshot'
        ? { name, path, what: 'a snapshot', rule: 'snapshot-volumes' }
        : { name, path, what: 'a backup', rule: 'backup-volumes' };
    }
    case 'CronJob.batch': {
      const name = scheduledVm(object);
      return name === undefined
        ? undefined
        : { name, path: root.at('spec', 'jobTemplate'), what: 'a snapshot', rule: 'snapshot-volumes' };
    }
  }
  return undefined;
}

function scheduledVm(object: KubeObject): string | undefined {
  const template = objectAt(object, 'spec', 'jobTemplate', 'spec', 'template');
  if (textAt(template, 'metadata', 'labels', SCHEDULE_LABEL) === undefined) return undefined;
  const [container] = listAt(template, 'spec', 'containers');
  const spec = textAt(
    listAt(container, 'env').find(({ name }) => name === 'SPEC'),
    'value',
  );
  try {
    return textAt(JSON.parse(spec ?? 'null'), 'source', 'name');
  } catch {
    return undefined;
  }
}

/** Reports a copy of a VM without claims: container disks, scratch disks and files of a node are not copied. */
function vmHasClaims(object: KubeObject, world: World): Finding[] {
  const source = sourceOf(object);
  if (!source) return [];
  const { name, path, what, rule } = source;
  const namespace = textAt(object, 'metadata', 'namespace');
  const vm = world.find('VirtualMachine', namespace, name);
  if (!vm) return object.kind === 'CronJob' ? misspeltSource(source, namespace, world) : [];
  const volumes = listAt(guestsIn(vm)?.spec, 'volumes');
  if (volumes.some((volume) => volume.persistentVolumeClaim || volume.dataVolume)) return [];
  // a VM without disks is snapshotted for its configuration
  if (object.kind === 'VirtualMachineSnapshot' && volumes.length === 0) return [];
  if (rule === 'backup-volumes' && volumes.some(({ hostDisk }) => hostDisk)) return [];
  const cause = `no disk of VirtualMachine "${name}" is on a claim, and ${what} contains only claims`;
  const remedy = 'give the VM a disk on a claim, such as Disk.blank or Disk.http (a DataVolume), or remove this object';
  return mistake(rule, path, cause, remedy, { value: volumes.map((volume) => String(volume.name)) });
}

function misspeltSource({ name, path }: Source, namespace: string | undefined, world: World): Finding[] {
  const known = world.all('VirtualMachine').filter((each) => each.namespace === namespace);
  return misspeltReference(
    'VirtualMachine',
    name,
    path,
    known.map((each) => each.name),
  );
}

/** Only a VM's own snapshot can be restored onto it. Another target name creates a new VM, and must be free. */
function restoresItsOwn(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'VirtualMachineRestore.snapshot.kubevirt.io') return [];
  const namespace = textAt(object, 'metadata', 'namespace');
  const snapshotName = textAt(object, 'spec', 'virtualMachineSnapshotName');
  const target = textAt(object, 'spec', 'target', 'name');
  if (snapshotName === undefined || target === undefined) return [];
  const source = textAt(world.find('VirtualMachineSnapshot', namespace, snapshotName), 'spec', 'source', 'name');
  if (source === undefined || source === target || !world.find('VirtualMachine', namespace, target)) return [];
  const cause = `VirtualMachineSnapshot "${snapshotName}" is of VirtualMachine "${source}", but "${target}" is another VM`;
  const remedy = `write "${source}" to restore that VM, or a free name to create a new VM`;
  return mistake('restore-target', root.at('spec', 'target', 'name'), cause, remedy, {
    value: target,
    allowed: [source],
  });
}

/** Reports a clone onto a VM that exists. */
function cloneIsAnother(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'VirtualMachineClone.clone.kubevirt.io') return [];
  const target = textAt(object, 'spec', 'target', 'name');
  const namespace = textAt(object, 'metadata', 'namespace');
  if (target === undefined || !world.find('VirtualMachine', namespace, target)) return [];
  const cause = `VirtualMachine "${target}" exists already, and a clone creates a new VM`;
  const path = root.at('spec', 'target', 'name');
  return mistake('clone-target', path, cause, 'choose a name that no VM has', { value: target });
}

/** Addresses of a clone are those of interfaces that its source has, and differ from them. */
function cloneHasInterfaces(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'VirtualMachineClone.clone.kubevirt.io') return [];
  const source = objectAt(object, 'spec', 'source');
  const name = textAt(source, 'kind') === 'VirtualMachine' ? textAt(source, 'name') : undefined;
  const vm = name && world.find('VirtualMachine', textAt(object, 'metadata', 'namespace'), name);
  if (!vm) return [];
  const interfaces = listAt(guestsIn(vm)?.spec, 'domain', 'devices', 'interfaces');
  const allowed = interfaces.map((iface) => String(iface.name));
  return Object.entries(textsAt(object, 'spec', 'newMacAddresses')).flatMap(([key, mac]) => {
    const path = root.at('spec', 'newMacAddresses', key);
    const iface = interfaces.find((each) => each.name === key);
    if (!iface && interfaces.length > 0) {
      const cause = `VirtualMachine "${name}" has no interface "${key}"`;
      return mistake('clone-interface', path, cause, nearest(key, allowed), { value: key, allowed });
    }
    const own = textAt(iface, 'macAddress');
    if (own === undefined || canonicalMac(own) !== canonicalMac(mac)) return [];
    const cause = `VirtualMachine "${name}" has this address, too`;
    return mistake('clone-interface', path, cause, 'choose another', { value: mac });
  });
}

/** Reports a migration of a VM that does not run. */
function migrationHasGuest(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'VirtualMachineInstanceMigration.kubevirt.io') return [];
  const name = textAt(object, 'spec', 'vmiName');
  const vm = name && world.find('VirtualMachine', textAt(object, 'metadata', 'namespace'), name);
  if (!vm) return [];
  if (read(vm, 'spec', 'runStrategy') !== 'Halted' && read(vm, 'spec', 'running') !== false) return [];
  const cause = `VirtualMachine "${name}" does not run, so it has no instance to migrate`;
  const remedy = 'start the VM (runStrategy Always), or remove the migration';
  return mistake('migration-halted', root.at('spec', 'vmiName'), cause, remedy, { value: name });
}

/** Rules between requests to copy or migrate a VM, and the VMs declared with them. */
export const copyRules = (object: KubeObject, world: World): Finding[] => [
  ...vmHasClaims(object, world),
  ...restoresItsOwn(object, world),
  ...cloneIsAnother(object, world),
  ...cloneHasInterfaces(object, world),
  ...migrationCanSucceed(object, world),
  ...migrationHasGuest(object, world),
];
