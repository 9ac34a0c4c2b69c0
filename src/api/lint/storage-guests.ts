/** Guests and their disks. */
import { type Path, root } from '../findings';
import { machineSpecOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { type Guests, guestsIn, guestsOf, describeObject } from './network-guests';
import { type Json, listAt, objectAt, read, textAt } from './read';
import type { World } from './world';

/** Object that runs guests, and the DataVolumes that it creates with each of them. */
export interface DiskOwner extends Guests {
  readonly templates: readonly Json[];
  readonly templatesAt: Path;
  /** Number of guests that start when the object is created. */
  readonly running: number;
}

/** Claim that a guest sees as a disk. */
export interface Use {
  readonly claim: string;
  readonly disk: string;
  readonly path: Path;
  readonly device: 'disk' | 'cdrom' | 'lun';
  readonly readOnly: boolean;
  readonly shareable: boolean;
}

const STARTS = ['Always', 'RerunOnFailure', 'Once'];

let latest: DiskOwner | undefined;

/** Returns the guests of an object; undefined when it runs none. The last answer is kept for the next rule. */
export function diskOwner(object: KubeObject): DiskOwner | undefined {
  if (latest?.object === object) return latest;
  const guests = guestsIn(object);
  return guests && (latest = withDisks(guests));
}

function withDisks(guests: Guests): DiskOwner {
  const { object, count } = guests;
  const made = templatesIn(object);
  if (!made) return { ...guests, templates: [], templatesAt: root, running: count };
  const { vm, templates, templatesAt } = made;
  const starts = STARTS.includes(textAt(vm, 'runStrategy') ?? '') || read(vm, 'running') === true;
  return { ...guests, templates, templatesAt, running: starts ? count : 0 };
}

/** Returns the spec of a VM, or of the VMs of a pool, and its DataVolumes; undefined for other kinds. */
export function templatesIn(
  object: KubeObject,
): { vm: Json | undefined; templates: readonly Json[]; templatesAt: Path } | undefined {
  const path = machineSpecOf(object);
  if (!path) return undefined;
  const vm = objectAt(object, ...path);
  return {
    vm,
    templates: listAt(vm, 'dataVolumeTemplates'),
    templatesAt: root.at(...path, 'dataVolumeTemplates'),
  };
}

/** Names of the DataVolumes that are created with each guest. */
export const templateNames = ({ templates }: DiskOwner): string[] =>
  templates.flatMap((template) => textAt(template, 'metadata', 'name') ?? []);

/** Returns the claims that a guest sees as disks, without the folders of virtiofs. */
export function usesOf({ spec, at }: Guests): Use[] {
  return listAt(spec, 'volumes').flatMap((volume, i): Use[] => {
    const claim = textAt(volume, 'persistentVolumeClaim', 'claimName') ?? textAt(volume, 'dataVolume', 'name');
    const isVolume = ({ name }: Json): boolean => name === volume.name;
    if (claim === undefined || listAt(spec, 'domain', 'devices', 'filesystems').some(isVolume)) return [];
    const disk = listAt(spec, 'domain', 'devices', 'disks').find(isVolume);
    const device = disk?.cdrom ? 'cdrom' : disk?.lun ? 'lun' : 'disk';
    const readonly = read(disk, device, 'readonly') ?? device === 'cdrom';
    return [
      {
        claim,
        disk: String(volume.name),
        path: at.at('volumes', i),
        device,
        readOnly: readonly === true || read(volume, 'persistentVolumeClaim', 'readOnly') === true,
        shareable: disk?.shareable === true,
      },
    ];
  });
}

/** Whether the claim can be shared; a LUN arbitrates itself. */
export const isWriter = ({ device, readOnly, shareable }: Use): boolean => device !== 'lun' && !readOnly && !shareable;

type Index = ReadonlyMap<string, Guests>;
const writers = new WeakMap<World, Index>();
const users = new WeakMap<World, Index>();
const owners = new WeakMap<World, Index>();

/** Returns the first object whose running guest writes to this claim. */
export function firstWriter(claim: string, namespace: string | undefined, world: World): KubeObject | undefined {
  return first(writers, world, claim, namespace, (owner) => {
    // the claims of a pool's VMs have numbers in their names
    const own = owner.object.kind === 'VirtualMachinePool' ? templateNames(owner) : [];
    const used = owner.running === 0 ? [] : usesOf(owner).filter(isWriter);
    return used.map((use) => use.claim).filter((name) => !own.includes(name));
  });
}

/** Returns the first object whose running guest uses this claim. */
export function firstUser(claim: string, namespace: string | undefined, world: World): KubeObject | undefined {
  return first(users, world, claim, namespace, (owner) => {
    const own = owner.object.kind === 'VirtualMachinePool' ? templateNames(owner) : [];
    const used = owner.running === 0 ? [] : usesOf(owner);
    return used.map((use) => use.claim).filter((name) => !own.includes(name));
  });
}

/** Whether the guest selects its nodes. */
export const isPlaced = (spec: unknown): boolean =>
  objectAt(spec, 'nodeSelector') !== undefined || objectAt(spec, 'affinity') !== undefined;

/** Returns the first VM that creates a DataVolume of this name. */
export function firstOwner(name: string, namespace: string | undefined, world: World): KubeObject | undefined {
  return first(owners, world, name, namespace, (owner) =>
    owner.object.kind === 'VirtualMachine' ? templateNames(owner) : [],
  );
}

/** Index that is built once for each world. */
function first(
  cache: WeakMap<World, Index>,
  world: World,
  name: string,
  namespace: string | undefined,
  namesOf: (owner: DiskOwner) => readonly string[],
): KubeObject | undefined {
  const key = (place: string | undefined, of: string): string => `${place ?? ''} ${of}`;
  let index = cache.get(world);
  if (!index) {
    const found = new Map<string, Guests>();
    for (const guests of guestsOf(world)) {
      for (const each of namesOf(withDisks(guests))) {
        const at = key(guests.namespace, each);
        if (!found.has(at)) found.set(at, guests);
      }
    }
    cache.set(world, (index = found));
  }
  return index.get(key(namespace, name))?.object;
}

/** Names an object of this world so that its author finds it. */
export function describeDeclared({ kind, metadata }: KubeObject, world: World): string {
  const [declared] = world.named(kind, metadata.namespace, metadata.name ?? '');
  return declared ? describeObject(declared) : `${kind} "${metadata.name}"`;
}
