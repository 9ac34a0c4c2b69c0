/** `addvolume` and `removevolume`: decides what is written. Pure. KubeVirt's messages. */
import { kinds } from '../../../api/kinds/registry';
import type {
  AddVolumeOptions,
  ClusterConfig,
  Disk,
  RemoveVolumeOptions,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceSpec,
  Volume,
} from '../../../api';
import { hotplugClaim, isHotpluggable } from '../../../api/hotplug-volumes';
import { keys } from '../../../api/keys';
import { hotplugDisk } from '../../../api/admission/volume-requests';
import { badRequest, conflict } from '../status';
import type { Refusal } from '../status';

/** A request that was read and completed. */
export type VolumeRequest =
  { readonly add: { readonly volume: Volume; readonly disk: Disk } } | { readonly remove: string };

export type VolumeDecision = { readonly patch: object } | { readonly refusal: Refusal };

const GATES = ['DeclarativeHotplugVolumes', 'HotplugVolumes'] as const;
const ENABLE = 'enable it in developerConfiguration.featureGates of the KubeVirt object';

/** Reads the options of `addvolume`; throws for incomplete ones. */
export function addRequest(options: Partial<AddVolumeOptions>, config: ClusterConfig): VolumeRequest {
  const { name, disk, volumeSource } = options;
  if (!GATES.some((gate) => config.hasGate(gate))) {
    throw badRequest('Unable to Add Volume because HotplugVolumes feature gate is not enabled.', ENABLE);
  }
  if (!name) throw badRequest('AddVolumeOptions requires name to be set');
  if (!disk) throw badRequest('AddVolumeOptions requires disk to not be nil');
  if (!volumeSource) throw badRequest('AddVolumeOptions requires VolumeSource to not be nil');
  const { persistentVolumeClaim: claim, dataVolume } = volumeSource;
  if (!claim === !dataVolume) {
    throw badRequest('AddVolumeOptions requires one VolumeSource', 'set persistentVolumeClaim or dataVolume');
  }
  const unfit = hotplugDisk(disk, name, 'AddVolume request');
  if (unfit !== undefined) throw badRequest(unfit, 'use disk: {disk: {bus: scsi}}');
  const source = claim
    ? { persistentVolumeClaim: { ...claim, hotpluggable: true } }
    : { dataVolume: { ...dataVolume!, hotpluggable: true } };
  return { add: { volume: { name, ...source }, disk: { ...disk, name } } };
}

/** Reads the options of `removevolume`; throws for incomplete ones. */
export function removeRequest({ name }: Partial<RemoveVolumeOptions>, config: ClusterConfig): VolumeRequest {
  if (!GATES.some((gate) => config.hasGate(gate))) {
    throw badRequest('Unable to Remove Volume because HotplugVolumes feature gate is not enabled.', ENABLE);
  }
  if (!name) throw badRequest('RemoveVolumeOptions requires name to be set');
  return { remove: name };
}

/** Changes the template of a VM: virt-controller gives its running guest the volume. */
export function decideForVm(vm: VirtualMachine, request: VolumeRequest): VolumeDecision {
  const spec = vm.spec.template.spec;
  const subject = { kind: kinds.VirtualMachine.singular, name: vm.metadata.name ?? '' };
  const why = problemOf(spec?.volumes ?? [], request);
  if (why) return { refusal: conflict(subject, why.message, why.remedy) };
  const { resourceVersion } = vm.metadata;
  return { patch: { metadata: { resourceVersion }, spec: { template: { spec: changed(spec, request) } } } };
}

/** Changes an instance only: its VM, if it has one, does not get the volume at its next start. */
export function decideForInstance(vmi: VirtualMachineInstance, request: VolumeRequest): VolumeDecision {
  const subject = { kind: kinds.VirtualMachineInstance.singular, name: vmi.metadata.name ?? '' };
  const reject = (message: string, remedy?: string): VolumeDecision => ({
    refusal: conflict(subject, message, remedy),
  });
  if (vmi.status?.phase !== 'Running') return reject('VMI is not running');
  const why = problemOf(vmi.spec.volumes ?? [], request);
  if (why) return reject(why.message, why.remedy);
  const ephemeral = vmi.metadata.annotations?.[keys.ephemeralVolumes]?.split(',').filter(Boolean) ?? [];
  const name = 'add' in request ? request.add.volume.name : request.remove;
  const isLeaving = vmi.status.volumeStatus?.some((status) => status.name === name);
  if ('add' in request && isLeaving) {
    const message = `Unable to add volume [${name}] because volume with that name already exists`;
    return reject(message, 'it is being detached; retry in a moment, or choose another name');
  }
  const isOwned = vmi.metadata.ownerReferences?.some(({ controller, kind }) => controller && kind === 'VirtualMachine');
  if ('remove' in request && isOwned && !ephemeral.includes(name)) {
    const message = `Unable to remove volume [${name}] because it is a volume of the VM`;
    return reject(
      message,
      `remove it from the VM: virt8s removevolume ${vmi.metadata.name} --volume-name=${name} --persist`,
    );
  }
  const left = 'add' in request ? [...ephemeral, name] : ephemeral.filter((each) => each !== name);
  const annotations = { [keys.ephemeralVolumes]: left.length > 0 ? left.join(',') : null };
  const metadata = { resourceVersion: vmi.metadata.resourceVersion, annotations };
  return { patch: { metadata, spec: changed(vmi.spec, request) } };
}

/** Returns why a request is not possible. */
function problemOf(
  volumes: readonly Volume[],
  request: VolumeRequest,
): { message: string; remedy?: string } | undefined {
  if ('add' in request) {
    const { volume } = request.add;
    const claim = hotplugClaim(volume);
    if (volumes.some(({ name }) => name === volume.name)) {
      const message = `Unable to add volume [${volume.name}] because volume with that name already exists`;
      return { message, remedy: 'choose another name' };
    }
    return volumes.some((each) => hotplugClaim(each) === claim)
      ? { message: `Unable to add volume source [${claim}] because it already exists` }
      : undefined;
  }
  const found = volumes.find(({ name }) => name === request.remove);
  if (!found) return { message: `Unable to remove volume [${request.remove}] because it does not exist` };
  if (isHotpluggable(found)) return undefined;
  const message = `Unable to remove volume [${request.remove}] because it is not hotpluggable`;
  return { message, remedy: 'the guest started with it; remove it from the VM and restart it' };
}

function changed(spec: VirtualMachineInstanceSpec | undefined, request: VolumeRequest): object {
  const volumes = spec?.volumes ?? [];
  const disks = spec?.domain?.devices?.disks ?? [];
  if ('add' in request) {
    const { volume, disk } = request.add;
    return { volumes: [...volumes, volume], domain: { devices: { disks: [...disks, disk] } } };
  }
  return {
    volumes: volumes.filter(({ name }) => name !== request.remove),
    // a drive for CDs stays, without a medium
    domain: { devices: { disks: disks.filter(({ name, cdrom }) => name !== request.remove || cdrom) } },
  };
}
