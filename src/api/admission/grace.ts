import { keys } from '../keys';
import type { ClusterConfig } from '../cluster-config';
import type { Finding, Path } from '../findings';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { enableGate, gateOff, InstanceRule, mistake } from './rule';
import { mistakesOf } from '../mistakes';

const NVIDIA = '10DE';
const graceDevices = ['2342', '2348', '2941'];

interface Assigned {
  readonly path: Path;
  readonly resource: string;
}

/** Returns GPUs of NVIDIA Grace, which need the host's I/O virtualization, and NVIDIA devices that may be such GPUs. */
function assigned(spec: VirtualMachineInstanceSpec, at: Path, config: ClusterConfig) {
  const found = { grace: [] as Assigned[], ambiguous: [] as Assigned[] };
  const permitted = config.raw.permittedHostDevices?.pciHostDevices ?? [];
  const { gpus, hostDevices } = spec.domain.devices;
  if (permitted.length === 0 || (!gpus && !hostDevices)) return found;
  const selectors = new Map(permitted.map((device) => [device.resourceName, device.pciVendorSelector]));
  for (const [list, devices] of [
    ['gpus', gpus ?? []],
    ['hostDevices', hostDevices ?? []],
  ] as const) {
    devices.forEach(({ deviceName: resource = '' }, i) => {
      const [vendor, device] = idsOf(selectors.get(resource));
      if (vendor !== NVIDIA) return;
      const entry = { path: at.at('domain', 'devices', list, i, 'deviceName'), resource };
      if (graceDevices.includes(device)) found.grace.push(entry);
      else if (device === '*') found.ambiguous.push(entry);
    });
  }
  return found;
}

/** Parses `10de:2342` into vendor and device; undefined for another text. */
function idsOf(selector = ''): string[] {
  const ids = selector.split(':').map((id) => id.trim().toUpperCase().replace(/^0X/, ''));
  return ids.length === 2 && /^[\dA-F]{4}$/.test(ids[0]) && /^([\dA-F]{4}|\*)$/.test(ids[1]) ? ids : [];
}

/** Reports what a guest with an NVIDIA Grace GPU lacks. */
export const graceGpus: InstanceRule = (spec, at, config) => {
  const { grace, ambiguous } = assigned(spec, at, config);
  const gate = 'GraceIOVirtualization';
  const on = config.hasGate(gate);
  if (!on) {
    return mistakesOf(grace, ({ path, resource }) => {
      const message = `${gate} feature gate must be enabled for NVIDIA Grace GPU passthrough resource "${resource}"`;
      return gateOff('gate-grace', path, message, gate, { value: resource });
    });
  }
  const errors = mistakesOf(ambiguous, ({ path, resource }) => {
    const message = `${gate} requires an exact pciVendorSelector for NVIDIA PCI host device resource "${resource}"`;
    return mistake('grace-selector', path, message, 'list the device in permittedHostDevices', { value: resource });
  });
  return grace.length === 0 ? errors : [...errors, ...requirements(spec, at, config)];
};

function requirements(spec: VirtualMachineInstanceSpec, at: Path, config: ClusterConfig): Finding[] {
  const { cpu, machine } = spec.domain;
  const architecture = spec.architecture || config.defaultArchitecture;
  const gate = 'GraceIOVirtualization';
  const errors: Finding[] = [];
  if (architecture !== 'arm64') {
    const message = `${gate} requires arm64 architecture`;
    errors.push(...mistake('grace-architecture', at.at('architecture'), message, 'write architecture: arm64'));
  }
  const type = machine?.type || config.architecture(architecture).machineType;
  if (!type.startsWith('virt')) {
    const message = `${gate} requires "virt" machine type`;
    errors.push(...mistake('grace-machine', at.at('domain', 'machine', 'type'), message, 'use virt', { value: type }));
  }
  if (!cpu?.dedicatedCpuPlacement) {
    const message = `${gate} requires dedicated CPU placement`;
    const path = at.at('domain', 'cpu', 'dedicatedCpuPlacement');
    errors.push(...mistake('grace-dedicated', path, message, 'set it to true', { type: 'FieldValueRequired' }));
  }
  for (const needed of ['PCINUMAAwareTopology', 'IOMMUFD'] as const) {
    if (config.hasGate(needed)) continue;
    const message = `${needed} feature gate must be enabled when ${gate} is used`;
    errors.push(
      ...mistake('grace-gates', at.at('domain', 'devices'), message, enableGate(needed, at.at('domain', 'devices')), {
        gates: [needed],
      }),
    );
  }
  return errors;
}

/** Reports annotations that place devices where an NVIDIA Grace GPU does not work. */
export function graceAnnotations(
  annotations: Readonly<Record<string, string>>,
  metadata: Path,
  spec: VirtualMachineInstanceSpec,
  config: ClusterConfig,
): Finding[] {
  const forbidden = [
    [
      keys.placePciDevicesOnRootComplex,
      'GraceIOVirtualization is not compatible with placing PCI devices on the root complex',
    ],
    [keys.disablePciHole64, 'GraceIOVirtualization requires the 64-bit PCI hole'],
  ].filter(([annotation]) => annotations[annotation] === 'true');
  if (forbidden.length === 0 || assigned(spec, metadata, config).grace.length === 0) return [];
  return forbidden.flatMap(([annotation, message]) =>
    mistake('grace-annotation', metadata.at('annotations', annotation), message, 'remove the annotation', {
      field: `${metadata.at(`annotations[${annotation}]`)}`,
    }),
  );
}
