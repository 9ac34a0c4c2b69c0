import { defaultBus, DISK_DEVICES } from '../disk-buses';
import type { ClusterConfig } from '../cluster-config';
import type { Disk, Probe, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';

/** Adds a disk for each volume that no disk or filesystem names. */
export function attachVolumes(spec: VirtualMachineInstanceSpec): void {
  if (!spec.volumes?.length) return;
  const { disks = [], filesystems = [] } = spec.domain.devices;
  const used = new Set<string>();
  for (const { name } of disks) used.add(name);
  for (const { name } of filesystems) used.add(name);
  const missing = spec.volumes.filter((volume) => !used.has(volume.name));
  if (missing.length > 0) {
    spec.domain.devices.disks = [...disks, ...missing.map(({ name }): Disk => ({ name }))];
  }
}

/** Sets the device type `disk` where it is missing, and a bus that every guest of the architecture can boot from. */
export function defaultDisks(spec: VirtualMachineInstanceSpec): void {
  const { architecture } = spec;
  for (const disk of spec.domain.devices.disks ?? []) {
    if (!disk.disk && !disk.cdrom && !disk.lun) disk.disk = {};
    for (const device of DISK_DEVICES) {
      const target = disk[device];
      if (target) target.bus ||= defaultBus(device, architecture) as 'sata';
    }
    if (disk.cdrom) {
      disk.cdrom.readonly ??= true;
      disk.cdrom.tray ||= 'closed';
    }
    enable(disk.blockSize?.matchVolume);
  }
}

export function defaultDevices(spec: VirtualMachineInstanceSpec): void {
  const { devices } = spec.domain;
  for (const input of devices.inputs ?? []) {
    input.bus ||= 'usb';
    input.type ||= 'tablet';
  }
  for (const gpu of devices.gpus ?? []) enable(gpu.virtualGPUOptions?.display?.ramFB);
  const { watchdog } = devices;
  if (!watchdog || spec.architecture === 'arm64') return;
  const timer = spec.architecture === 's390x' ? (watchdog.diag288 ??= {}) : (watchdog.i6300esb ??= {});
  timer.action ||= 'reset';
}

/** Sets the pull policy by tag, as Kubernetes does for containers. A registry's port counts as a tag, as in KubeVirt. */
export function defaultPullPolicies(spec: VirtualMachineInstanceSpec): void {
  for (const { containerDisk } of spec.volumes ?? []) {
    if (!containerDisk || containerDisk.imagePullPolicy) continue;
    const { image } = containerDisk;
    const moving = image.endsWith(':latest') || !/[:@]/.test(image);
    containerDisk.imagePullPolicy = moving ? 'Always' : 'IfNotPresent';
  }
}

/** Adds the Pod network, unless the VM has networks or interfaces, disables it, or the platform permits no default. */
export function defaultNetwork(spec: VirtualMachineInstanceSpec, config: ClusterConfig): void {
  if (!needsDefaultNetwork(spec) || defaultNetworkProblem(spec, config) !== undefined) return;
  const kind = config.defaultNetworkInterface;
  const binding = kind === 'masquerade' ? { masquerade: {} } : kind === 'slirp' ? { slirp: {} } : { bridge: {} };
  spec.domain.devices.interfaces = [{ name: 'default', ...binding }];
  spec.networks = [{ name: 'default', pod: {} }];
}

function needsDefaultNetwork({ domain: { devices }, networks }: VirtualMachineInstanceSpec): boolean {
  return devices.autoattachPodInterface !== false && !networks?.length && !devices.interfaces?.length;
}

/** Returns why the platform does not permit its default network, for a guest that needs it. */
export function defaultNetworkProblem(spec: VirtualMachineInstanceSpec, config: ClusterConfig): string | undefined {
  const kind = config.defaultNetworkInterface;
  if (!needsDefaultNetwork(spec)) return undefined;
  if (kind === 'bridge' && !config.permitBridgeOnPodNetwork)
    return 'bridge interface is not enabled in kubevirt-config';
  return kind === 'slirp' && !config.permitSlirp ? 'slirp interface is deprecated as of v1.3' : undefined;
}

export function defaultProbes(spec: VirtualMachineInstanceSpec): void {
  for (const probe of [spec.readinessProbe, spec.livenessProbe] as (Probe | undefined)[]) {
    if (!probe) continue;
    probe.timeoutSeconds = atLeastOne(probe.timeoutSeconds, 1);
    probe.periodSeconds = atLeastOne(probe.periodSeconds, 10);
    probe.successThreshold = atLeastOne(probe.successThreshold, 1);
    probe.failureThreshold = atLeastOne(probe.failureThreshold, 3);
  }
}

/** Sets a count of a probe; 0 and absence mean the default. */
export function atLeastOne(count: number | undefined, otherwise: number): number {
  return count !== undefined && count >= 1 ? count : otherwise;
}

/** Enables a feature that is present, unless it is disabled. */
export function enable(feature: { enabled?: boolean } | undefined): void {
  if (feature) feature.enabled ??= true;
}
