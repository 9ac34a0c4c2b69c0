import type { VirtualMachineInstanceSpec } from '../../generated/kubevirt-v1';
import type { ObjectMeta } from '../../meta';
import type { PreferenceSpec } from '../types';
import { preferDevices } from './devices';
import { preferFeatures } from './features';
import { fill } from './fill';
import { preferFirmware } from './firmware';

/** Fills every field that the VM does not set and the preference does. Changes `spec` and `metadata`. */
export function applyPreference(
  preference: PreferenceSpec,
  spec: VirtualMachineInstanceSpec,
  metadata: ObjectMeta,
): void {
  preferCpuFeatures(preference, spec);
  if (preference.devices) preferDevices(preference.devices, spec);
  if (preference.features) preferFeatures(preference.features, spec);
  if (preference.firmware) preferFirmware(preference.firmware, spec);
  preferMachine(preference, spec);
  preferClock(preference, spec);
  fill(spec, 'subdomain', preference.preferredSubdomain);
  fill(spec, 'terminationGracePeriodSeconds', preference.preferredTerminationGracePeriodSeconds);
  fill(spec, 'architecture', preference.preferredArchitecture);
  metadata.annotations = { ...preference.annotations, ...metadata.annotations };
  fill(spec.domain, 'launchSecurity', preference.preferredLaunchSecurity);
}

/** Adds CPU features. A feature that the VM lists keeps its policy. */
function preferCpuFeatures({ cpu }: PreferenceSpec, spec: VirtualMachineInstanceSpec): void {
  const preferred = cpu?.preferredCPUFeatures ?? [];
  if (preferred.length === 0) return;
  const own = (spec.domain.cpu ??= {});
  const named = new Set(own.features?.map(({ name }) => name));
  own.features = [...(own.features ?? []), ...structuredClone(preferred.filter(({ name }) => !named.has(name)))];
}

function preferMachine({ machine }: PreferenceSpec, { domain }: VirtualMachineInstanceSpec): void {
  const type = machine?.preferredMachineType;
  if (type && !domain.machine?.type) domain.machine = { ...domain.machine, type };
}

/** Fills the clock. The offset is taken from one of the two, never merged. */
function preferClock({ clock }: PreferenceSpec, { domain }: VirtualMachineInstanceSpec): void {
  if (!clock) return;
  const own = (domain.clock ??= {});
  if (clock.preferredClockOffset && own.utc === undefined && own.timezone === undefined) {
    Object.assign(own, structuredClone(clock.preferredClockOffset));
  }
  fill(own, 'timer', clock.preferredTimer);
}
