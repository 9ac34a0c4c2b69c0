/**
 * Effect of a change of a VM on its running guest. KubeVirt's rules (`vmRolloutStrategy: LiveUpdate`): a field that is
 * not listed here requires a restart, and the VM gets the condition RestartRequired.
 */
import { isDeepStrictEqual } from 'node:util';
import { hotplugDisk } from './admission/volume-requests';
import type { ClusterConfig } from './cluster-config';
import { findCondition } from './conditions';
import { canonicalForm } from './defaulting/canonical';
import { fillInstanceSpec } from './defaulting/instance';
import type { Interface, VirtualMachine, VirtualMachineInstanceSpec, Volume } from './generated/kubevirt-v1';
import { expandInstance } from './instancetype';
import type { AdmissionContext } from './kinds/kind';
import type { Condition } from './meta';
import { compareQuantities, tryParseQuantity } from './quantity';

/**
 * - `live`: at once;
 * - `migration`: at once, by migrating the guest to another launcher; where it cannot migrate, at its next start;
 * - `restart`: at its next start.
 */
export type Effect = 'live' | 'migration' | 'restart';

/** Effect of one changed field. */
export interface Impact {
  readonly effect: Effect;
  /** Reason, as the second half of a sentence. */
  readonly why: string;
  /** Effect with virt8s' own controller in this version, where it differs, because it does not migrate guests yet. */
  readonly ours?: 'restart';
}

/** Fields of a template's spec that place the guest. A running guest gets them for its next migration. */
export const PLACEMENT_FIELDS: readonly string[] = ['nodeSelector', 'affinity', 'tolerations'];

const live = (why: string): Impact => ({ effect: 'live', why });
const migration = (why: string): Impact => ({ effect: 'migration', why });
const restart = (why: string): Impact => ({ effect: 'restart', why });

const FIXED = restart('a running guest keeps it');
const NO_ROOM = restart('the guest started without room to grow');
const UNCHANGED = live('it changes nothing in the guest');

/** Returns the most disruptive of several impacts. */
export function worstOf(impacts: readonly Impact[]): Impact | undefined {
  const order: readonly Effect[] = ['live', 'migration', 'restart'];
  return impacts.reduce<Impact | undefined>(
    (worst, impact) => (worst && order.indexOf(worst.effect) >= order.indexOf(impact.effect) ? worst : impact),
    undefined,
  );
}

/**
 * Returns the impact of a change of a running VM's field.
 *
 * @param parts path of the field, with list items by name: `['spec', 'template', 'spec', 'volumes', 'root', 'dataVolume', 'name']`
 * @param before current VM; both VMs as the webhook stores them
 */
export function impactOf(
  parts: readonly string[],
  before: VirtualMachine,
  after: VirtualMachine,
  context: Pick<AdmissionContext, 'config' | 'find'>,
): Impact {
  const impact = ifItMayMove(upstreamImpactOf(parts, before, after, context), before);
  const [, field = '', , guest = '', device = '', list = ''] = parts;
  const isOfGuest = ['instancetype', 'preference', 'template'].includes(field);
  const isStorage = guest === 'volumes' || (guest === 'domain' && device === 'devices' && list === 'disks');
  const isServed = !isOfGuest || PLACEMENT_FIELDS.includes(guest) || (isStorage && impact.effect === 'live');
  return isServed || impact.effect === 'restart' ? impact : { ...impact, ours: 'restart' };
}

/** Returns `restart` instead of `migration` for a guest that cannot migrate. */
function ifItMayMove(impact: Impact, { status }: VirtualMachine): Impact {
  const movable = findCondition(status?.conditions as Condition[] | undefined, 'LiveMigratable');
  if (impact.effect !== 'migration' || movable?.status !== 'False') return impact;
  return restart(`the guest cannot migrate${movable.message ? `: ${movable.message}` : ''}`);
}

function upstreamImpactOf(
  parts: readonly string[],
  before: VirtualMachine,
  after: VirtualMachine,
  context: Pick<AdmissionContext, 'config' | 'find'>,
): Impact {
  const [top, field, ...rest] = parts;
  if (top !== 'spec') return live('of the object, not of the guest');
  switch (field) {
    case 'runStrategy':
    case 'running':
      return live('it decides whether the guest runs');
    case 'instancetype':
    case 'preference':
      return impactOfSizes(before, after, context);
    case 'dataVolumeTemplates':
      return live('what is missing is created; what is there stays as it is');
    case 'updateVolumesStrategy':
      return live('it holds for the next change of volumes');
    case 'template':
      break;
    default:
      return live('of the VM, not of the guest');
  }
  const [inner, ...path] = rest;
  if (inner !== 'spec') return restart('a guest gets it when it starts');
  const [one, two] = [before, after].map((vm) => defaulted(vm.spec.template.spec, vm, context.config));
  return impactOnGuest(path, one, two, after.spec.updateVolumesStrategy, context.config);
}

const defaulted = (
  spec: VirtualMachineInstanceSpec | undefined,
  { metadata }: VirtualMachine,
  config: ClusterConfig,
): VirtualMachineInstanceSpec => {
  const copy = canonicalForm(spec ?? ({ domain: { devices: {} } } as VirtualMachineInstanceSpec));
  fillInstanceSpec(copy, config, metadata.name ?? '');
  return copy;
};

function impactOnGuest(
  [field, ...rest]: readonly string[],
  before: VirtualMachineInstanceSpec,
  after: VirtualMachineInstanceSpec,
  strategy: VirtualMachine['spec']['updateVolumesStrategy'],
  config: ClusterConfig,
): Impact {
  if (config.vmRolloutStrategy !== 'LiveUpdate') return restart(`vmRolloutStrategy is ${config.vmRolloutStrategy}`);
  if (field !== undefined && PLACEMENT_FIELDS.includes(field)) return live('it counts when the guest moves');
  if (field === 'volumes') return impactOfVolume(rest, before, after, strategy);
  if (field === 'networks') return impactOfNetwork(rest, before, after);
  switch ([field, ...rest.slice(0, 2)].join('.')) {
    case 'domain.cpu.sockets':
      return impactOfSockets(before, after);
    case 'domain.memory.guest':
      return impactOfMemory(before, after);
    case 'domain.devices.disks':
      return impactOfVolume(rest.slice(2), before, after, strategy);
    case 'domain.devices.interfaces':
      return impactOfNetwork(rest.slice(2), before, after);
    default:
      return FIXED;
  }
}

function impactOfSockets(before: VirtualMachineInstanceSpec, after: VirtualMachineInstanceSpec): Impact {
  const [now, wanted] = [before, after].map(({ domain }) => domain.cpu?.sockets ?? 1);
  const max = before.domain.cpu?.maxSockets;
  if (wanted === now) return UNCHANGED;
  if (wanted < now) return restart('CPUs cannot be unplugged');
  if (max === undefined) return NO_ROOM;
  if (wanted > max) return restart(`the guest started with room for ${max} sockets`);
  return migration('CPUs are plugged');
}

function impactOfMemory(before: VirtualMachineInstanceSpec, after: VirtualMachineInstanceSpec): Impact {
  const [memory, wanted] = [before.domain.memory, after.domain.memory?.guest];
  const max = memory?.maxGuest;
  if (max === undefined || memory?.guest === undefined) return NO_ROOM;
  if (!tryParseQuantity(wanted)) return FIXED;
  const more = compareQuantities(wanted, memory.guest);
  if (more === 0) return UNCHANGED;
  if (more < 0) return restart('memory that it started with cannot be unplugged');
  if (compareQuantities(wanted, max) > 0) return restart(`the guest started with room for ${max}`);
  return migration('memory is plugged');
}

const named = <T extends { name: string }>(list: readonly T[] | undefined, name: string | undefined): T | undefined =>
  list?.find((item) => item.name === name);

const claimOf = ({ persistentVolumeClaim, dataVolume }: Volume) => persistentVolumeClaim ?? dataVolume;

/** Impact on a volume and its disk, which are added, removed and changed together. */
function impactOfVolume(
  [name]: readonly string[],
  before: VirtualMachineInstanceSpec,
  after: VirtualMachineInstanceSpec,
  strategy: VirtualMachine['spec']['updateVolumesStrategy'],
): Impact {
  const [was, now] = [named(before.volumes, name), named(after.volumes, name)];
  const [disk, newDisk] = [before, after].map(({ domain }) => named(domain.devices.disks, name));
  const isCdrom = disk?.cdrom !== undefined && newDisk?.cdrom !== undefined;
  if (!was) {
    if (!now) return FIXED;
    if (!claimOf(now)?.hotpluggable) return restart('only a claim with hotpluggable: true can be plugged');
    if (isCdrom) return live('the medium is inserted');
    const unfit = hotplugDisk(newDisk, name ?? '', 'hotplug');
    return unfit === undefined ? live('it is plugged') : restart('only a disk on virtio or scsi can be plugged');
  }
  if (!now) {
    if (!claimOf(was)?.hotpluggable) return restart('it was there when the guest started');
    return live(isCdrom ? 'the medium is ejected' : 'it is unplugged');
  }
  if (!isDeepStrictEqual(disk, newDisk)) return FIXED;
  if (!claimOf(was) || !claimOf(now)) return FIXED;
  if (isCdrom && claimOf(was)?.hotpluggable && claimOf(now)?.hotpluggable) return live('the medium is changed');
  if (strategy === 'Migration') return migration('its data is copied to the new claim');
  return restart('updateVolumesStrategy: Migration would move it while the guest runs');
}

/** Impact on a network and its interface, which are added, removed and changed together. */
function impactOfNetwork(
  [name]: readonly string[],
  before: VirtualMachineInstanceSpec,
  after: VirtualMachineInstanceSpec,
): Impact {
  const [was, now] = [before, after].map(({ domain }) => named(domain.devices.interfaces, name));
  const [multus, newMultus] = [before, after].map(({ networks }) => named(networks, name)?.multus);
  if (!was) {
    if (!now) return FIXED;
    const fits = newMultus && (now.bridge || now.sriov);
    return fits ? migration('it is plugged') : restart('only bridge and sriov on a Multus network can be plugged');
  }
  if (!now) return was.state === 'absent' ? live('it was unplugged before') : restart('state: absent unplugs it');
  const { state: _s, ...rest } = was;
  const { state, ...newRest } = now;
  if (!isDeepStrictEqual(rest, newRest)) return FIXED;
  if (was.state !== state) return state === 'absent' ? unplugged(now, newMultus) : live('the link changes');
  if (multus && newMultus && now.bridge) return migration('it is plugged into the other network');
  return FIXED;
}

function unplugged({ bridge, sriov }: Interface, multus: unknown): Impact {
  if (multus && bridge) return live('it is unplugged');
  return multus && sriov ? migration('it is unplugged') : restart('only bridge and sriov can be unplugged');
}

/** Returns the impact of another instance type, by the fields that it changes; an unknown one may change any field. */
function impactOfSizes(
  before: VirtualMachine,
  after: VirtualMachine,
  { config, find }: Pick<AdmissionContext, 'config' | 'find'>,
): Impact {
  const [one, two] = [before, after].map((vm) => {
    if (!vm.spec.template.spec) return undefined;
    const { spec, problems, errors } = expandInstance(vm, { find });
    return problems.length > 0 || errors.length > 0 ? undefined : defaulted(spec, vm, config);
  });
  if (!one || !two) return restart('what it changes is not known here');
  const impacts = [
    ['domain', 'cpu', 'sockets'],
    ['domain', 'memory', 'guest'],
  ].flatMap((path) => {
    const value = (spec: VirtualMachineInstanceSpec): unknown =>
      path.reduce<unknown>((inner, part) => (inner as Record<string, unknown> | undefined)?.[part], spec);
    return value(one) === value(two) ? [] : [impactOnGuest(path, one, two, undefined, config)];
  });
  if (!isDeepStrictEqual(withoutSizes(one), withoutSizes(two))) impacts.push(FIXED);
  return worstOf(impacts) ?? UNCHANGED;
}

/** Returns the spec without the sizes that hot-plug changes, and without the limits that depend on them. */
function withoutSizes(spec: VirtualMachineInstanceSpec): object {
  const { cpu, memory, resources: _r, ...domain } = spec.domain;
  const { sockets: _s, maxSockets: _ms, ...fixedCpu } = cpu ?? {};
  const { guest: _g, maxGuest: _mg, ...fixedMemory } = memory ?? {};
  return { ...spec, domain: { ...domain, cpu: fixedCpu, memory: fixedMemory } };
}
