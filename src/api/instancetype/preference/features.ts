import type { FeatureHyperv, VirtualMachineInstanceSpec } from '../../generated/kubevirt-v1';
import type { FeaturePreferences } from '../../generated/instancetype-v1beta1';
import { fill } from './fill';

export function preferFeatures(preference: FeaturePreferences, { domain }: VirtualMachineInstanceSpec): void {
  const features = (domain.features ??= {});
  // enabled and absent mean the same for ACPI: the preference decides
  if (preference.preferredAcpi) features.acpi = structuredClone(preference.preferredAcpi);
  fill(features, 'apic', preference.preferredApic);
  fill(features, 'kvm', preference.preferredKvm);
  fill(features, 'pvspinlock', preference.preferredPvspinlock);
  fill(features, 'smm', preference.preferredSmm);
  if (preference.preferredHyperv) preferHyperv(preference.preferredHyperv, (features.hyperv ??= {}));
}

/** Fills each Hyper-V enlightenment separately. */
function preferHyperv(preferred: FeatureHyperv, own: FeatureHyperv): void {
  for (const [name, feature] of Object.entries(preferred)) fill(own, name as keyof FeatureHyperv, feature);
}
