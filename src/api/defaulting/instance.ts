import { createHash } from 'node:crypto';
import type { Architecture, ClusterConfig } from '../cluster-config';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { canonicalForm } from './canonical';
import { defaultCpuModel, defaultCpuRequest, defaultCpuTopology, defaultMaxSockets } from './cpu';
import {
  attachVolumes,
  defaultDevices,
  defaultDisks,
  defaultNetwork,
  defaultProbes,
  defaultPullPolicies,
} from './devices';
import { defaultFeatures, defaultTimers } from './features';
import { defaultGuestMemory, defaultMaxGuest } from './memory';

/**
 * Returns the spec with all defaults, as KubeVirt's mutator sets them. Pure and idempotent.
 *
 * @param name name of the VMI, from which its firmware UUID is derived, so that a guest keeps it over restarts
 */
export function defaultInstanceSpec(
  given: VirtualMachineInstanceSpec,
  config: ClusterConfig,
  name: string,
): VirtualMachineInstanceSpec {
  const spec = canonicalForm(given);
  fillInstanceSpec(spec, config, name);
  return spec;
}

/** The same for a spec in its canonical form, which is changed. */
export function fillInstanceSpec(spec: VirtualMachineInstanceSpec, config: ClusterConfig, name: string): void {
  fillTemplateSpec(spec, config);
  defaultFirmware(spec, name);
  defaultFeatures(spec);
  defaultTimers(spec);
  defaultDisks(spec);
  defaultDevices(spec);
  defaultProbes(spec);
  defaultCpuModel(spec, config);
  if (spec.architecture === 'arm64' || config.vmRolloutStrategy !== 'LiveUpdate') return;
  defaultMaxSockets(spec, config);
  defaultMaxGuest(spec, config);
}

/** Sets the defaults that the rules for a VM also depend on. Changes the spec, which is in its canonical form. */
export function fillTemplateSpec(spec: VirtualMachineInstanceSpec, config: ClusterConfig): void {
  spec.domain ??= { devices: {} };
  spec.domain.devices ??= {};
  defaultPlatform(spec, config);
  defaultCpuRequest(spec, config);
  defaultGuestMemory(spec);
  defaultCpuTopology(spec);
  defaultPullPolicies(spec);
  spec.evictionStrategy ??= config.evictionStrategy;
  defaultNetwork(spec, config);
  attachVolumes(spec);
}

/** Sets architecture and machine type. The VM stores these too, so that an upgrade does not change a guest's machine. */
export function defaultPlatform(spec: VirtualMachineInstanceSpec, config: ClusterConfig): void {
  spec.architecture ||= config.defaultArchitecture as Architecture;
  const machine = (spec.domain.machine ??= { type: '' });
  machine.type ||= config.architecture(spec.architecture).machineType;
}

function defaultFirmware(spec: VirtualMachineInstanceSpec, name: string): void {
  const firmware = (spec.domain.firmware ??= {});
  // a generated name is not known yet, and a shared UUID would be worse than none: libvirt then generates one
  if (name) firmware.uuid ||= firmwareUuid(name);
  if (spec.architecture !== 'arm64') return;
  firmware.bootloader ??= { efi: {} };
  const { efi } = firmware.bootloader;
  if (efi) efi.secureBoot ??= false;
}

/** Whether the guest's bus is PCI Express, whose layout is stored in the VMI. */
export function hasPcie({ architecture, domain }: VirtualMachineInstanceSpec): boolean {
  if (!['amd64', 'arm64', ''].includes(architecture ?? '')) return false;
  const type = domain.machine?.type;
  return type === undefined || type.includes('q35') || type.startsWith('virt');
}

/** KubeVirt's namespace for firmware UUIDs: the same name results in the same UUID. */
const FIRMWARE_NAMESPACE = '6a1a24a1-4061-4607-8bf4-a3963d0c5895';

/** Returns the firmware UUID of a guest with this name. */
export function firmwareUuid(name: string): string {
  return uuidOf(FIRMWARE_NAMESPACE, name);
}

/** Returns a name-based UUID (version 5, RFC 9562). */
export function uuidOf(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  hash[6] = (hash[6] & 0x0f) | 0x50;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
