/** Claims that do not fit the disk, dump, backup or volume that uses them. */
import { mistake } from '../admission/rule';
import { type Finding, type Path, root } from '../findings';
import { kindOf } from '../kinds/registry';
import { DUMP_OVERHEAD } from '../memory-dump';
import type { KubeObject } from '../meta';
import { addQuantities, compareQuantities, isAmount } from '../quantity';
import { accessModesOf, claimOf, sizeOfClaim, volumeModeOf } from './claim-facts';
import { guestsIn } from './network-guests';
import { isObject, isSame, type Json, listAt, objectAt, read, textAt } from './read';
import {
  describeDeclared,
  type DiskOwner,
  diskOwner,
  firstUser,
  isPlaced,
  isWriter,
  templateNames,
  type Use,
  usesOf,
} from './storage-guests';
import type { World } from './world';

/** libvirt passes SCSI commands to block devices only. */
function lunsAreBlocks(owner: DiskOwner, uses: readonly Use[], world: World): Finding[] {
  return uses.flatMap(({ claim, device, disk, path }) => {
    if (device !== 'lun' || volumeModeOf(claim, owner, world) !== 'Filesystem') return [];
    const cause = `disk "${disk}" is a LUN, and the volume mode of claim "${claim}" is Filesystem: libvirt does not start the guest`;
    const remedy = 'choose volumeMode Block for the claim, or present it as a disk';
    return mistake('lun-block', path, cause, remedy, { value: 'Filesystem', allowed: ['Block'] });
  });
}

/** Reports a claim of one node that several guests use at the same time, although each lets others use the disk. */
function nodesShareClaim(owner: DiskOwner, uses: readonly Use[], world: World): Finding[] {
  if (owner.running === 0) return [];
  const own = owner.object.kind === 'VirtualMachinePool' ? templateNames(owner) : [];
  return uses.flatMap((use) => {
    // two writers are reported by their own rule, for any access mode
    if (own.includes(use.claim) || isWriter(use)) return [];
    const modes = accessModesOf(use.claim, owner, world);
    const forPod = modes.length > 0 && modes.every((mode) => mode === 'ReadWriteOncePod');
    const forNode = modes.length > 0 && modes.every((mode) => mode.startsWith('ReadWriteOnce'));
    if (!forNode || (!forPod && use.readOnly)) return [];
    const other = owner.running > 1 ? owner.object : firstUser(use.claim, owner.namespace, world);
    if (!other || (owner.running === 1 && isSame(other, owner.object))) return [];
    // guests may be kept on one node
    if (!forPod && (isPlaced(owner.spec) || isPlaced(guestsIn(other)?.spec))) return [];
    const who = owner.running > 1 ? `all ${owner.running} guests use` : `${describeDeclared(other, world)} also uses`;
    const where = forPod ? 'and only one Pod can' : 'and only guests on one node can';
    const cause = `disk "${use.disk}": ${who} claim "${use.claim}", which is ${modes.join(', ')}, ${where}`;
    const remedy = forPod ? 'choose ReadWriteMany, or give each guest a claim' : 'choose ReadWriteMany';
    return mistake('claim-one-node', use.path, cause, remedy, { value: modes, allowed: ['ReadWriteMany'] });
  });
}

const WITH_SYSTEM = ['http', 's3', 'gcs', 'registry', 'imageio', 'vddk', 'pvc', 'snapshot'];

/** Returns whether the disk of a volume is blank when it is created, or has an image; undefined if that is unknown. */
function contentOf(volume: Json | undefined, owner: DiskOwner, world: World): 'blank' | 'image' | undefined {
  if (isObject(volume?.emptyDisk)) return 'blank';
  if (isObject(volume?.containerDisk)) return 'image';
  const name = textAt(volume, 'dataVolume', 'name') ?? textAt(volume, 'persistentVolumeClaim', 'claimName');
  const dataVolume = name === undefined ? undefined : claimOf(name, owner, world)?.dataVolume;
  if (read(dataVolume, 'source', 'blank') !== undefined) return 'blank';
  const imported = WITH_SYSTEM.some((kind) => read(dataVolume, 'source', kind) !== undefined);
  return imported || read(dataVolume, 'sourceRef') !== undefined ? 'image' : undefined;
}

/** The firmware tries only devices with a boot order, if any device has one. */
function bootOrderHasSystem(owner: DiskOwner, world: World): Finding[] {
  const { spec, at } = owner;
  const disks = listAt(spec, 'domain', 'devices', 'disks');
  if (disks.every(({ bootOrder }) => bootOrder === undefined)) return [];
  const ordered = disks.filter(({ bootOrder }) => bootOrder !== undefined);
  const cards = listAt(spec, 'domain', 'devices', 'interfaces');
  if (cards.some(({ bootOrder }) => bootOrder !== undefined)) return [];
  const volumes = listAt(spec, 'volumes');
  const content = (disk: Json): string | undefined =>
    contentOf(
      volumes.find(({ name }) => name === disk.name),
      owner,
      world,
    );
  if (ordered.some((disk) => !disk.disk || content(disk) !== 'blank')) return [];
  const system = disks.find((disk) => disk.disk && disk.bootOrder === undefined && content(disk) === 'image');
  if (!system) return [];
  const path = at.at('domain', 'devices', 'disks', disks.indexOf(ordered[0]), 'bootOrder');
  const cause = `the firmware tries only devices with a boot order, and disk "${String(ordered[0].name)}" is blank: the guest does not boot from disk "${String(system.name)}"`;
  const remedy = `give disk "${String(system.name)}" a boot order, or leave this one out`;
  return mistake('boot-order-system', path, cause, remedy, { value: ordered[0].bootOrder });
}

/** A disk that is created blank and that its only guest cannot write stays blank. */
function blankIsWritten(owner: DiskOwner, uses: readonly Use[], world: World): Finding[] {
  const own = templateNames(owner);
  return uses.flatMap(({ claim, disk, device, readOnly, path }) => {
    if (device !== 'disk' || !readOnly || !own.includes(claim)) return [];
    if (read(claimOf(claim, owner, world)?.dataVolume, 'source', 'blank') === undefined) return [];
    const cause = `disk "${disk}" is created blank together with the VM, and the guest cannot write to it`;
    return mistake('disk-blank-readonly', path, cause, 'remove readOnly, or use a source with data');
  });
}

/** A firmware of one architecture does not boot a disk of another. */
function imageIsForGuest(owner: DiskOwner): Finding[] {
  const own = textAt(owner.spec, 'architecture');
  if (own === undefined) return [];
  return owner.templates.flatMap((template, i) => {
    const fields = ['source', 'registry', 'platform', 'architecture'];
    const got = textAt(template, 'spec', ...fields);
    if (got === undefined || got === own) return [];
    const cause = `the image is for ${got}, and the guest has the architecture ${own}`;
    const path = owner.templatesAt.at(i, 'spec', ...fields);
    return mistake('source-guest-architecture', path, cause, `write ${own}`, { value: got, allowed: [own] });
  });
}

/** KubeVirt writes a dump to a file that is larger than the guest's memory. */
function dumpFits(owner: DiskOwner, uses: readonly Use[], world: World): Finding[] {
  const { spec, at } = owner;
  return listAt(spec, 'volumes').flatMap((volume, i) => {
    const name = textAt(volume, 'memoryDump', 'claimName');
    if (name === undefined) return [];
    const path = at.at('volumes', i, 'memoryDump', 'claimName');
    const use = uses.find(({ claim }) => claim === name);
    if (use) {
      const taken = `claim "${name}" holds disk "${use.disk}" of the guest`;
      return mistake('memory-dump-claim', path, taken, 'choose a claim of its own for the dump', { value: name });
    }
    const facts = claimOf(name, owner, world);
    if (!facts) return [];
    const block = blockTarget('memory-dump-claim', name, owner, path, 'a memory dump is a file, and', world);
    if (block.length > 0) return block;
    const memory = read(spec, 'domain', 'resources', 'requests', 'memory') ?? read(spec, 'domain', 'memory', 'guest');
    const size = sizeOfClaim(facts);
    if (!isAmount(memory) || !isAmount(size)) return [];
    const needed = addQuantities(memory, DUMP_OVERHEAD);
    if (compareQuantities(size, needed) >= 0) return [];
    const cause = `claim "${name}" has ${String(size)}, and a dump of ${String(memory)} of memory needs ${needed}`;
    const remedy = `request more than ${needed}: the file system of the claim needs room, too`;
    return mistake('memory-dump-claim', path, cause, remedy, { value: size });
  });
}

function blockTarget(
  rule: 'memory-dump-claim' | 'backup-claim',
  name: string,
  owner: Parameters<typeof volumeModeOf>[1],
  path: Path,
  what: string,
  world: World,
): Finding[] {
  if (volumeModeOf(name, owner, world) !== 'Block') return [];
  const cause = `${what} the volume mode of claim "${name}" is Block`;
  const extra = { value: 'Block', allowed: ['Filesystem'] };
  return mistake(rule, path, cause, 'choose a claim with volumeMode Filesystem', extra);
}

/** KubeVirt attaches the target of a backup to the guest, and writes files to it. */
function backupHasTarget(object: KubeObject, world: World): Finding[] {
  if (kindOf(object) !== 'VirtualMachineBackup') return [];
  const claim = textAt(object, 'spec', 'pvcName');
  if (claim === undefined) return [];
  const namespace = textAt(object, 'metadata', 'namespace');
  const path = root.at('spec', 'pvcName');
  const block = blockTarget('backup-claim', claim, { namespace }, path, 'a backup consists of files, and', world);
  if (block.length > 0) return block;
  const vm = backedUp(object, namespace, world);
  const owner = vm && diskOwner(vm);
  const use = owner && usesOf(owner).find((each) => each.claim === claim);
  if (!use) return [];
  const cause = `claim "${claim}" holds disk "${use.disk}" of the VM that is backed up`;
  return mistake('backup-claim', path, cause, 'choose a claim of its own for the backup', { value: claim });
}

/** Returns the VM of a backup, also where the backup names a tracker. */
function backedUp(object: KubeObject, namespace: string | undefined, world: World): KubeObject | undefined {
  const source = objectAt(object, 'spec', 'source');
  const name = textAt(source, 'name');
  if (name === undefined) return undefined;
  if (textAt(source, 'kind') === 'VirtualMachine') return world.find('VirtualMachine', namespace, name);
  const tracker = world.find('VirtualMachineBackupTracker', namespace, name);
  const vm = textAt(tracker, 'spec', 'source', 'name');
  return vm === undefined ? undefined : world.find('VirtualMachine', namespace, vm);
}

/** Reports a claim that names a PersistentVolume to which Kubernetes does not bind it. */
function volumeFits(object: KubeObject, world: World): Finding[] {
  return claimsIn(object).flatMap(({ spec, at, mode }) => {
    const name = textAt(spec, 'volumeName');
    const volume = name === undefined ? undefined : volumeNamed(name, world);
    if (!volume) return [];
    const problem = volumeProblem(spec, volume, mode);
    if (problem === undefined) return [];
    const cause = `the claim cannot be bound to PersistentVolume "${name}", ${problem}`;
    return mistake('claim-volume', at.at('volumeName'), cause, 'correct the claim or the volume', { value: name });
  });
}

/** PersistentVolumes have no namespace, but cdk8s gives them that of their chart. */
const volumeNamed = (name: string, world: World): Json | undefined =>
  objectAt(
    world
      .all('PersistentVolume')
      .find((each) => each.name === name)
      ?.object(),
    'spec',
  );

interface PlacedClaim {
  readonly spec: Json;
  readonly at: Path;
  /** Volume mode of a claim that names none; undefined if CDI chooses it. */
  readonly mode?: string;
}

function claimsIn(object: KubeObject): PlacedClaim[] {
  const ofDataVolume = (spec: unknown, at: Path): PlacedClaim[] => {
    const [exact, storage] = [objectAt(spec, 'pvc'), objectAt(spec, 'storage')];
    if (exact) return [{ spec: exact, at: at.at('pvc'), mode: 'Filesystem' }];
    return storage ? [{ spec: storage, at: at.at('storage') }] : [];
  };
  if (object.kind === 'PersistentVolumeClaim') {
    const spec = objectAt(object, 'spec');
    return spec ? [{ spec, at: root.at('spec'), mode: 'Filesystem' }] : [];
  }
  if (kindOf(object) === 'DataVolume') return ofDataVolume(read(object, 'spec'), root.at('spec'));
  const owner = diskOwner(object);
  if (!owner) return [];
  return owner.templates.flatMap(({ spec }, i) => ofDataVolume(spec, owner.templatesAt.at(i, 'spec')));
}

function volumeProblem(claim: Json, volume: Json, unset: string | undefined): string | undefined {
  const [size, capacity] = [read(claim, 'resources', 'requests', 'storage'), read(volume, 'capacity', 'storage')];
  if (isAmount(size) && isAmount(capacity) && compareQuantities(size, capacity) > 0) {
    return `which has ${String(capacity)}, less than the ${String(size)} of the claim`;
  }
  const ofVolume = read(volume, 'storageClassName') ?? '';
  const ofClaim = read(claim, 'storageClassName');
  if (typeof ofClaim === 'string' && ofClaim !== ofVolume) {
    return `whose storageClassName is ${JSON.stringify(ofVolume)}, and that of the claim ${JSON.stringify(ofClaim)}`;
  }
  const offered = read(volume, 'accessModes');
  const wanted = read(claim, 'accessModes');
  const missing = Array.isArray(offered) && Array.isArray(wanted) ? wanted.find((mode) => !offered.includes(mode)) : '';
  if (missing) return `which does not offer the access mode ${String(missing)}`;
  const mode = textAt(claim, 'volumeMode') ?? unset;
  const modeOfVolume = textAt(volume, 'volumeMode') ?? 'Filesystem';
  return mode === undefined || mode === modeOfVolume
    ? undefined
    : `whose volumeMode is ${modeOfVolume}, and that of the claim ${mode}`;
}

/** Rules between the disks of a guest and their claims. */
export const disksFitClaims = (owner: DiskOwner, uses: readonly Use[], world: World): Finding[] => [
  ...lunsAreBlocks(owner, uses, world),
  ...nodesShareClaim(owner, uses, world),
  ...bootOrderHasSystem(owner, world),
  ...blankIsWritten(owner, uses, world),
  ...dumpFits(owner, uses, world),
  ...imageIsForGuest(owner),
];

/** Rules between claims and the backups and volumes that use them. */
export const claimUseRules = (object: KubeObject, world: World): Finding[] => [
  ...backupHasTarget(object, world),
  ...(world.all('PersistentVolume').length > 0 ? volumeFits(object, world) : []),
];
