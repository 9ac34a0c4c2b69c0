import { createHash } from 'node:crypto';
import type { Architecture, ClusterConfig } from '../cluster-config';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { defaultCpuModel, defaultCpuTopology, defaultMaxSockets } from './cpu';
import {
  attachVolumes,
  defaultDevices,
  defaultDisks,
  defaultNetwork,
  defaultProbes,
  defaultPullPolicies,
} from './devices';
import { defaultFeatures, defaultTimers } from './features';
import { canonicalizeQuantities, defaultGuestMemory, defaultMaxGuest } from './memory';

/**
 * The spec with everything that it leaves open filled in, as KubeVirt's mutator does. Pure and idempotent.
 *
 * @param name of the VMI: its firmware UUID is derived from it, so that a guest keeps it over restarts
 */
export function defaultInstanceSpec(
  given: VirtualMachineInstanceSpec,
  config: ClusterConfig,
  name: string,
): VirtualMachineInstanceSpec {
  const spec = structuredClone(given);
  spec.domain.devices ??= {};
  spec.domain.resources ??= {};
  defaultPlatform(spec, config);
  defaultGuestMemory(spec);
  defaultCpuTopology(spec);
  defaultPullPolicies(spec, config);
  defaultNetwork(spec, config);
  attachVolumes(spec);
  defaultFirmware(spec, name);
  defaultFeatures(spec);
  defaultTimers(spec);
  defaultDisks(spec);
  defaultDevices(spec);
  defaultProbes(spec);
  defaultCpuModel(spec, config);
  defaultMaxSockets(spec, config);
  canonicalizeQuantities(spec);
  defaultMaxGuest(spec, config);
  spec.evictionStrategy ??= config.evictionStrategy;
  return spec;
}

/** Architecture and machine type: also the VM keeps these, so that an upgrade does not change a guest's machine. */
export function defaultPlatform(spec: VirtualMachineInstanceSpec, config: ClusterConfig): void {
  spec.architecture ||= config.defaultArchitecture as Architecture;
  const machine = (spec.domain.machine ??= { type: '' });
  machine.type ||= config.architecture(spec.architecture).machineType;
}

function defaultFirmware(spec: VirtualMachineInstanceSpec, name: string): void {
  const firmware = (spec.domain.firmware ??= {});
  // a generated name is not known yet, and shared UUIDs would be worse than none: the launcher's libvirt then makes one
  if (name) firmware.uuid ||= firmwareUuid(name);
  if (spec.architecture === 'arm64' && !firmware.bootloader) firmware.bootloader = { efi: { secureBoot: false } };
}

/** KubeVirt's namespace for firmware UUIDs: the same name gives the same UUID here and there. */
const FIRMWARE_NAMESPACE = '6a1a24a1-4061-4607-8bf4-a3963d0c5895';

/** Firmware UUID of a guest of this name. */
export function firmwareUuid(name: string): string {
  return uuidOf(FIRMWARE_NAMESPACE, name);
}

/** Name-based UUID (version 5, RFC 9562). */
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
