import type { FeatureHyperv, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { enable } from './devices';

/** Hyper-V enlightenments and the one that each requires, in order of dependency. */
export const hypervDependencies: readonly (readonly [keyof FeatureHyperv, keyof FeatureHyperv])[] = [
  ['evmcs', 'vapic'],
  ['ipi', 'vpindex'],
  ['tlbflush', 'vpindex'],
  ['synictimer', 'synic'],
  ['synic', 'vpindex'],
];

export function defaultFeatures(spec: VirtualMachineInstanceSpec): void {
  const features = (spec.domain.features ??= {});
  features.acpi ??= {};
  features.acpi.enabled ??= spec.architecture !== 's390x';
  enable(features.apic);
  enable(features.smm);
  enable(features.pvspinlock);
  if (features.hyperv) defaultHyperv(features.hyperv, spec);
}

type States = Record<string, { enabled?: boolean } | undefined>;

function defaultHyperv(hyperv: FeatureHyperv, spec: VirtualMachineInstanceSpec): void {
  const states = hyperv as States;
  for (const name in states) enable(states[name]);
  enable(hyperv.synictimer?.direct);
  enable(hyperv.tlbflush?.direct);
  enable(hyperv.tlbflush?.extended);
  if (hyperv.spinlocks?.enabled) hyperv.spinlocks.spinlocks ??= 4096;
  if (!enableDependencies(states)) return;
  if (hyperv.evmcs && hyperv.evmcs.enabled !== false) requireVmx(spec);
}

/** Returns false at the first required one that is disabled: validation then rejects the object. */
function enableDependencies(states: States): boolean {
  for (const [feature, needed] of hypervDependencies) {
    if (!states[feature]?.enabled || states[needed]?.enabled) continue;
    if (states[needed]?.enabled === false) return false;
    states[needed] = { ...states[needed], enabled: true };
  }
  return true;
}

/** Adds the CPU feature vmx for Enlightened VMCS, which requires nested virtualization. */
function requireVmx(spec: VirtualMachineInstanceSpec): void {
  const cpu = (spec.domain.cpu ??= {});
  const vmx = cpu.features?.find(({ name }) => name === 'vmx');
  if (vmx) vmx.policy = 'require';
  else cpu.features = [...(cpu.features ?? []), { name: 'vmx', policy: 'require' }];
}

/** Enables a timer that is in the spec, unless it is disabled. */
export function defaultTimers(spec: VirtualMachineInstanceSpec): void {
  const timer = spec.domain.clock?.timer;
  for (const each of [timer?.hpet, timer?.kvm, timer?.pit, timer?.rtc, timer?.hyperv]) {
    if (each) each.present ??= true;
  }
}
