import type { FeatureHyperv, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { enable } from './devices';

/** Hyper-V enlightenments that work only with another one. */
export const hypervDependencies: Partial<Record<keyof FeatureHyperv, keyof FeatureHyperv>> = {
  synic: 'vpindex',
  synictimer: 'synic',
  tlbflush: 'vpindex',
  ipi: 'vpindex',
  evmcs: 'vapic',
};

export function defaultFeatures(spec: VirtualMachineInstanceSpec): void {
  const features = (spec.domain.features ??= {});
  features.acpi ??= {};
  features.acpi.enabled ??= spec.architecture !== 's390x';
  enable(features.apic);
  enable(features.smm);
  enable(features.pvspinlock);
  if (features.hyperv) defaultHyperv(features.hyperv);
}

function defaultHyperv(hyperv: FeatureHyperv): void {
  const states = hyperv as Record<string, { enabled?: boolean } | undefined>;
  for (const feature of Object.values(states)) enable(feature);
  enable(hyperv.synictimer?.direct);
  enable(hyperv.tlbflush?.direct);
  enable(hyperv.tlbflush?.extended);
  if (hyperv.spinlocks?.enabled) hyperv.spinlocks.spinlocks ??= 4096;
  // twice, since synictimer needs synic, which needs vpindex
  for (let pass = 0; pass < 2; pass++) {
    for (const [feature, needed] of Object.entries(hypervDependencies)) {
      if (states[feature]?.enabled && !states[needed]) states[needed] = { enabled: true };
    }
  }
}

/** A timer that is mentioned is present unless it says not. */
export function defaultTimers(spec: VirtualMachineInstanceSpec): void {
  const timer = spec.domain.clock?.timer;
  for (const each of [timer?.hpet, timer?.kvm, timer?.pit, timer?.rtc, timer?.hyperv]) {
    if (each) each.present ??= true;
  }
}
