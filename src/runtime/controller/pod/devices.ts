import type { Interface } from '../../../api';
import type { ParsedQuantity } from '../../../api/quantity';
import { units } from './amounts';
import { isClaimed, qualified } from './input';
import type { RenderInput } from './input';

const DEVICES = 'devices.kubevirt.io';

/** Hypervisor of the cluster's nodes: KVM unless the gate ConfigurableHypervisor is enabled and configures another. */
export const hypervisorOf = ({ config }: Pick<RenderInput, 'config'>): string =>
  (config.hasGate('ConfigurableHypervisor') && config.raw.hypervisors?.[0]?.name) || 'kvm';

/** Device nodes that the handler offers. Without KVM, QEMU runs its networking in user space, too. */
export function nodeDevices(input: RenderInput): Record<string, ParsedQuantity> {
  const { vmi, config } = input;
  const { interfaces = [], autoattachPodInterface, autoattachVSOCK } = vmi.spec.domain.devices;
  const hypervisor = hypervisorOf(input) === 'hyperv-direct' ? 'mshv' : 'kvm';
  const names = [
    ...(interfaces.length > 0 || autoattachPodInterface !== false ? ['tun'] : []),
    ...(interfaces.some(isVirtio) && !config.useEmulation ? ['vhost-net'] : []),
    ...(config.useEmulation ? [] : [hypervisor]),
    ...(autoattachVSOCK ? ['vhost-vsock'] : []),
  ];
  return Object.fromEntries(names.map((name) => [`${DEVICES}/${name}`, units(1n, 'DecimalSI')]));
}

const isVirtio = ({ model }: Interface): boolean => !model || model === 'virtio';

/** Resources of device plugins, one entry per device. @throws when the cluster does not permit a device */
export function deviceResources(input: RenderInput): string[] {
  const { vmi, config } = input;
  const { gpus = [], hostDevices = [], disks = [] } = vmi.spec.domain.devices;
  const { launchSecurity } = vmi.spec.domain;
  rejectForbidden(input);
  return [
    ...networkResources(input),
    ...[...gpus, ...hostDevices].flatMap((device) =>
      device.deviceName && !isClaimed(device) ? [device.deviceName] : [],
    ),
    ...(launchSecurity?.sev || launchSecurity?.snp ? [`${DEVICES}/sev`] : []),
    ...(launchSecurity?.tdx ? [`${DEVICES}/tdx`] : []),
    ...(disks.some(({ lun }) => lun?.reservation) ? [`${DEVICES}/pr-helper`] : []),
    ...(config.hasGate('IOMMUFD') ? [`${DEVICES}/iommufd`] : []),
  ];
}

/** Node resources that the Multus networks need, unless a webhook of the network operator adds them to the Pod. */
function networkResources({ vmi, config, attachmentDefinitions, definitionsUnknown }: RenderInput): string[] {
  if (config.hasGate('ExternalNetResourceInjection')) return [];
  return (vmi.spec.networks ?? []).flatMap(({ name, multus }) => {
    if (!multus || !attachmentDefinitions) return [];
    const key = qualified(multus.networkName, vmi).join('/');
    const definition = attachmentDefinitions.get(key);
    if (!definition) {
      throw new Error(
        `network "${name}": NetworkAttachmentDefinition "${key}" ` +
          (definitionsUnknown ?? 'does not exist; create it or name another') +
          ' (the VM will start automatically)',
      );
    }
    return definition.resourceName ? [definition.resourceName] : [];
  });
}

/** A configuration with permitted devices permits only those. */
function rejectForbidden({ vmi, config }: RenderInput): void {
  const permitted = config.raw.permittedHostDevices;
  if (!permitted) return;
  const names = new Set(
    [...(permitted.pciHostDevices ?? []), ...(permitted.mediatedDevices ?? []), ...(permitted.usb ?? [])].map(
      ({ resourceName }) => resourceName,
    ),
  );
  const { gpus = [], hostDevices = [] } = vmi.spec.domain.devices;
  const forbidden = [
    ...gpus.filter((device) => !(isClaimed(device) && config.hasGate('GPUsWithDRA'))),
    ...hostDevices.filter((device) => !(isClaimed(device) && config.hasGate('HostDevicesWithDRA'))),
  ].find(({ deviceName }) => !names.has(deviceName ?? ''));
  if (forbidden) {
    throw new Error(
      `device "${forbidden.name}": ${forbidden.deviceName ?? 'no deviceName'} is not permitted in the ` +
        'permittedHostDevices configuration; add it to the KubeVirt object or use one of ' +
        ([...names].join(', ') || 'none'),
    );
  }
}

/** Resource claims for devices that Dynamic Resource Allocation assigns to the Pod. */
export function deviceClaims({ vmi, config }: RenderInput): { name: string; request?: string }[] {
  const { gpus = [], hostDevices = [] } = vmi.spec.domain.devices;
  const claimed = [
    ...(config.hasGate('GPUsWithDRA') ? gpus.filter(({ deviceName }) => !deviceName) : []),
    ...(config.hasGate('HostDevicesWithDRA') ? hostDevices.filter(({ deviceName }) => !deviceName) : []),
    ...(config.hasGate('NetworkDevicesWithDRA') ? (vmi.spec.networks ?? []).flatMap((n) => n.resourceClaim ?? []) : []),
  ].filter(isClaimed);
  return claimed.map(({ claimName = '', requestName }) => ({
    name: claimName,
    ...(requestName && { request: requestName }),
  }));
}
