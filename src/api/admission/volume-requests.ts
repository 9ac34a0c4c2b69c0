import { isDeepStrictEqual } from 'node:util';
import { Finding, root } from '../findings';
import { factsOfBus } from '../disk-buses';
import type {
  Disk,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceSpec,
  VirtualMachineVolumeRequest,
  Volume,
} from '../generated/kubevirt-v1';
import type { AdmissionContext } from '../kinds/kind';
import { validateInstanceSpec } from './instance';
import { mistake } from './rule';

const template = root.at('spec', 'template', 'spec');

/** Validates volume requests of a running guest: each request, and the resulting guest. */
export function volumeRequests(vm: VirtualMachine, { config, find }: AdmissionContext): Finding[] {
  const requests = vm.status?.volumeRequests ?? [];
  const spec = vm.spec.template.spec;
  if (requests.length === 0 || !spec) return [];
  const vmi = vm.status?.ready ? runningOf(vm, find) : undefined;
  const wrong = mistakesOf(requests, spec.volumes ?? [], vmi?.spec.volumes ?? []);
  if (wrong.length > 0) return wrong;
  const later = validateInstanceSpec(requests.reduce(withRequest, spec), template, config);
  if (later.length > 0 || !vmi) return later;
  const now = validateInstanceSpec(requests.reduce(withRequest, vmi.spec), template, config);
  if (now.length > 0 || !isMigrating(vmi)) return now;
  const message = 'Cannot handle volume requests while VMI migration is in progress';
  const type = 'FieldValueNotSupported';
  return mistake('volume-request', root.at('spec'), message, 'retry when the migration has ended', { type });
}

function runningOf({ metadata }: VirtualMachine, find: AdmissionContext['find']) {
  const vmi = find('VirtualMachineInstance', metadata.namespace, metadata.name ?? '');
  return vmi && !vmi.metadata.deletionTimestamp ? (vmi as VirtualMachineInstance) : undefined;
}

function isMigrating({ status }: VirtualMachineInstance): boolean {
  const state = status?.migrationState;
  return state !== undefined && state !== null && !state.completed && !state.failed;
}

/** Returns the mistake of the first invalid request. */
function mistakesOf(
  requests: readonly VirtualMachineVolumeRequest[],
  own: readonly Volume[],
  running: readonly Volume[],
): Finding[] {
  const added = new Set<string>();
  const removed = new Set<string>();
  const path = root.at('Status', 'volumeRequests');
  const refuse = (message: string, remedy: string): Finding[] =>
    mistake('volume-request', root.at('status', 'volumeRequests'), message, remedy, { field: `${path}` });
  for (const { addVolumeOptions: add, removeVolumeOptions: remove } of requests) {
    if (!add === !remove) {
      const message = add
        ? 'VolumeRequests require either addVolumeOptions or removeVolumeOptions to be set, not both'
        : 'VolumeRequests require one of either addVolumeOptions or removeVolumeOptions to be set';
      return refuse(message, 'write one change per request');
    }
    const { name } = (add ?? remove)!;
    const verb = add ? 'AddVolume' : 'RemoveVolume';
    const seen = add ? added : removed;
    if (seen.has(name))
      return refuse(`${verb} request for [${name}] aleady exists`, 'wait until the first request is done');
    seen.add(name);
    if (!add) continue;
    const unfit = hotplugDisk(add.disk, name, 'AddVolume request');
    if (unfit !== undefined) return refuse(unfit, 'use disk: {bus: scsi}');
    const { persistentVolumeClaim, dataVolume } = add.volumeSource;
    const volume = { name, ...(persistentVolumeClaim ? { persistentVolumeClaim } : dataVolume ? { dataVolume } : {}) };
    for (const [volumes, where] of [
      [own, 'the vmi template.'],
      [running, 'currently running vmi'],
    ] as const) {
      const there = volumes.find((each) => each.name === name);
      if (!there || isDeepStrictEqual(there, volume)) continue;
      const message = `AddVolume request for [${name}] conflicts with an existing volume of the same name on ${where}`;
      return refuse(message, 'choose another name');
    }
  }
  return [];
}

/** Returns why a disk cannot be hot-plugged. */
export function hotplugDisk(disk: Disk | undefined, name: string, prefix: string): string | undefined {
  if (!disk) return `${prefix} for [${name}] requires the disk field to be set.`;
  const bus = disk.disk?.bus ?? disk.lun?.bus ?? '';
  if (disk.disk) {
    if (!factsOfBus(bus)?.pluggable.includes('disk')) {
      return `${prefix} for disk [${name}] requires bus to be 'scsi' or 'virtio'. [${bus}] is not permitted.`;
    }
  } else if (disk.lun) {
    if (!factsOfBus(bus)?.pluggable.includes('lun'))
      return `${prefix} for LUN [${name}] requires bus to be 'scsi'. [${bus}] is not permitted.`;
  } else {
    return `${prefix} for [${name}] requires diskDevice of type 'disk' or 'lun' to be used.`;
  }
  if (disk.dedicatedIOThread && bus !== 'virtio') return `${prefix} for [${name}] requires virtio bus for IOThreads.`;
  return disk.bootOrder !== undefined && disk.bootOrder < 1
    ? 'spec.domain.devices.disks[1] must have a boot order > 0, if supplied'
    : undefined;
}

/** Returns the spec after a request. */
function withRequest(
  spec: VirtualMachineInstanceSpec,
  { addVolumeOptions: add, removeVolumeOptions: remove }: VirtualMachineVolumeRequest,
): VirtualMachineInstanceSpec {
  const { disks = [] } = spec.domain.devices;
  const volumes = spec.volumes ?? [];
  const changed = (volumesNow: Volume[], disksNow: Disk[]): VirtualMachineInstanceSpec => ({
    ...spec,
    volumes: volumesNow,
    domain: { ...spec.domain, devices: { ...spec.domain.devices, disks: disksNow } },
  });
  if (add) {
    const { name, disk, volumeSource } = add;
    if (volumes.some((volume) => volume.name === name)) return spec;
    const { persistentVolumeClaim: claim, dataVolume } = volumeSource;
    const source = claim
      ? { persistentVolumeClaim: { ...claim, hotpluggable: true } }
      : dataVolume
        ? { dataVolume: { ...dataVolume, hotpluggable: true } }
        : {};
    return changed([...volumes, { name, ...source }], disk ? [...disks, { ...disk, name }] : disks);
  }
  return changed(
    volumes.filter(({ name }) => name !== remove?.name),
    disks.filter(({ name }) => name !== remove?.name),
  );
}
