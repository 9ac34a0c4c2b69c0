import type { Devices, Disk, Interface, VirtualMachineInstanceSpec } from '../../generated/kubevirt-v1';
import type { DevicePreferences } from '../../generated/instancetype-v1beta1';
import { fill } from './fill';

export function preferDevices(preference: DevicePreferences, spec: VirtualMachineInstanceSpec): void {
  const devices = (spec.domain.devices ??= {});
  fill(devices, 'useVirtioTransitional', preference.preferredUseVirtioTransitional);
  fill(devices, 'blockMultiQueue', preference.preferredBlockMultiQueue);
  fill(devices, 'networkInterfaceMultiqueue', preference.preferredNetworkInterfaceMultiQueue);
  // false and absent mean the same for this field: the preference decides
  if (preference.preferredDisableHotplug) devices.disableHotplug = true;
  else if (preference.preferredDisableHotplug === false) delete devices.disableHotplug;
  if (devices.sound) fill(devices.sound, 'model', preference.preferredSoundModel);
  fill(devices, 'rng', preference.preferredRng);
  fill(devices, 'tpm', preference.preferredTPM);
  if (preference.preferredVideoType) fill((devices.video ??= {}), 'type', preference.preferredVideoType);
  preferAutoattach(preference, devices);
  for (const disk of devices.disks ?? []) preferDisk(preference, disk);
  for (const card of devices.interfaces ?? []) preferInterface(preference, card, spec);
  for (const input of devices.inputs ?? []) {
    fill(input, 'bus', preference.preferredInputBus);
    fill(input, 'type', preference.preferredInputType);
  }
  preferPanicDevice(preference, devices);
}

/** Fills the `autoattach` fields. Also called before devices are added, because they decide which. */
export function preferAutoattach(preference: DevicePreferences, devices: Devices): void {
  fill(devices, 'autoattachGraphicsDevice', preference.preferredAutoattachGraphicsDevice);
  fill(devices, 'autoattachMemBalloon', preference.preferredAutoattachMemBalloon);
  fill(devices, 'autoattachPodInterface', preference.preferredAutoattachPodInterface);
  fill(devices, 'autoattachSerialConsole', preference.preferredAutoattachSerialConsole);
  fill(devices, 'autoattachInputDevice', preference.preferredAutoattachInputDevice);
}

/** Fills disks. A disk without a device type becomes a plain disk. */
function preferDisk(preference: DevicePreferences, disk: Disk): void {
  if (disk.cdrom) {
    fill(disk.cdrom, 'bus', preference.preferredCdromBus);
  } else if (disk.lun) {
    fill(disk.lun, 'bus', preference.preferredLunBus);
  } else {
    disk.disk ??= {};
    fill(disk.disk, 'bus', preference.preferredDiskBus);
    fill(disk, 'blockSize', preference.preferredDiskBlockSize);
    fill(disk, 'cache', preference.preferredDiskCache);
    fill(disk, 'io', preference.preferredDiskIO);
    // other buses do not support dedicated threads
    if (disk.disk.bus === 'virtio') fill(disk, 'dedicatedIOThread', preference.preferredDiskDedicatedIoThread);
  }
}

const bindings = ['bridge', 'slirp', 'masquerade', 'sriov', 'macvtap', 'passt', 'passtBinding', 'binding'] as const;

/** Fills interfaces. Masquerade requires the Pod network. */
function preferInterface(preference: DevicePreferences, card: Interface, spec: VirtualMachineInstanceSpec): void {
  fill(card, 'model', preference.preferredInterfaceModel);
  if (!preference.preferredInterfaceMasquerade || bindings.some((binding) => card[binding])) return;
  const network = spec.networks?.find(({ name }) => name === card.name);
  if (network?.pod) card.masquerade = structuredClone(preference.preferredInterfaceMasquerade);
}

function preferPanicDevice({ preferredPanicDeviceModel: model }: DevicePreferences, devices: Devices): void {
  if (model == null) return;
  if (!devices.panicDevices?.length) devices.panicDevices = [{ model }];
  else for (const device of devices.panicDevices) fill(device, 'model', model);
}
