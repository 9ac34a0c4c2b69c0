import type { FeatureHyperv, Features, VirtualMachineInstanceSpec } from '../../generated/kubevirt-v1';
import type { FeaturePreferences } from '../types';

export function preferFeatures(preference: FeaturePreferences, { domain }: VirtualMachineInstanceSpec): void {
  const features = (domain.features ??= {});
  // on and absent are one for ACPI: the preference decides
  if (preference.preferredAcpi) features.acpi = structuredClone(preference.preferredAcpi);
  fill(features, 'apic', preference.preferredApic);
  fill(features, 'kvm', preference.preferredKvm);
  fill(features, 'pvspinlock', preference.preferredPvspinlock);
  fill(features, 'smm', preference.preferredSmm);
  if (preference.preferredHyperv) preferHyperv(preference.preferredHyperv, (features.hyperv ??= {}));
}

/** Each enlightenment on its own. */
function preferHyperv(preferred: FeatureHyperv, own: FeatureHyperv): void {
  const fields = own as Record<string, unknown>;
  for (const [name, feature] of Object.entries(preferred)) {
    if (feature != null) fields[name] ??= structuredClone(feature);
  }
}

function fill<K extends keyof Features>(features: Features, field: K, preferred: Features[K] | null): void {
  if (preferred) features[field] ??= structuredClone(preferred);
}
