import type { ClusterConfig } from '../cluster-config';
import type { Disk, Probe, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';

/** Every volume is seen by the guest: one that no disk or filesystem names becomes a disk. */
export function attachVolumes(spec: VirtualMachineInstanceSpec): void {
  const { disks = [], filesystems = [] } = spec.domain.devices;
  const used = new Set([...disks, ...filesystems].map(({ name }) => name));
  const missing = (spec.volumes ?? []).filter((volume) => !used.has(volume.name) && !volume.memoryDump);
  if (missing.length > 0) {
    spec.domain.devices.disks = [...disks, ...missing.map(({ name }): Disk => ({ name }))];
  }
}

/** A disk that names no kind is a plain one; its bus is what every guest of the architecture can boot from. */
export function defaultDisks(spec: VirtualMachineInstanceSpec): void {
  const pc = (spec.architecture ?? 'amd64') === 'amd64';
  for (const disk of spec.domain.devices.disks ?? []) {
    if (!disk.disk && !disk.cdrom && !disk.lun) disk.disk = {};
    if (disk.disk) disk.disk.bus ??= pc ? 'sata' : 'virtio';
    if (disk.lun) disk.lun.bus ??= pc ? 'sata' : 'scsi';
    if (disk.cdrom) {
      disk.cdrom.bus ??= pc ? 'sata' : 'scsi';
      disk.cdrom.readonly ??= true;
      disk.cdrom.tray ??= 'closed';
    }
    enable(disk.blockSize?.matchVolume);
  }
}

export function defaultDevices(spec: VirtualMachineInstanceSpec): void {
  const { devices } = spec.domain;
  if (devices.autoattachInputDevice && !devices.inputs?.length) {
    devices.inputs = [{ name: 'default-0', type: 'tablet' }];
  }
  for (const input of devices.inputs ?? []) {
    input.bus ??= 'usb';
    input.type ??= 'tablet';
  }
  if (devices.watchdog?.i6300esb) devices.watchdog.i6300esb.action ??= 'reset';
  if (devices.watchdog?.diag288) devices.watchdog.diag288.action ??= 'reset';
}

/** By tag, as Kubernetes does for containers. A registry's port counts as a tag here, as KubeVirt has it. */
export function defaultPullPolicies(spec: VirtualMachineInstanceSpec, config: ClusterConfig): void {
  for (const { containerDisk } of spec.volumes ?? []) {
    if (!containerDisk || containerDisk.imagePullPolicy) continue;
    const { image } = containerDisk;
    const moving = image.endsWith(':latest') || !/[:@]/.test(image);
    containerDisk.imagePullPolicy = config.imagePullPolicy ?? (moving ? 'Always' : 'IfNotPresent');
  }
}

/** The Pod network, unless the VM names networks or interfaces or wants none. */
export function defaultNetwork(spec: VirtualMachineInstanceSpec, config: ClusterConfig): void {
  const { devices } = spec.domain;
  if (devices.autoattachPodInterface === false) return;
  if (spec.networks?.length || devices.interfaces?.length) return;
  const binding = config.defaultNetworkInterface === 'masquerade' ? { masquerade: {} } : { bridge: {} };
  devices.interfaces = [{ name: 'default', ...binding }];
  spec.networks = [{ name: 'default', pod: {} }];
}

export function defaultProbes(spec: VirtualMachineInstanceSpec): void {
  for (const probe of [spec.readinessProbe, spec.livenessProbe] as (Probe | undefined)[]) {
    if (!probe) continue;
    probe.timeoutSeconds ||= 1;
    probe.periodSeconds ||= 10;
    probe.successThreshold ||= 1;
    probe.failureThreshold ||= 3;
  }
}

/** A feature that is mentioned is on unless it says off. */
export function enable(feature: { enabled?: boolean } | undefined): void {
  if (feature) feature.enabled ??= true;
}
