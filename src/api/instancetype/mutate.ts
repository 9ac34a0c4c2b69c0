import type { Finding } from '../findings';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { AdmissionContext } from '../kinds/kind';
import { findPreference } from './find';
import { inferMatcher } from './infer';
import { validateMatcher, validateMatcherUpdate } from './matcher';
import { fill } from './preference/fill';
import type { MatcherField, PreferenceSpec } from './types';

const fields: readonly MatcherField[] = ['instancetype', 'preference'];

/** A VM whose references are complete. */
export interface MatchedVirtualMachine {
  /** The VM with names instead of `inferFromVolume`, and what a preference decides before anything else does. */
  readonly vm: VirtualMachine;
  /** Why it must be refused; `vm` is the given one then. */
  readonly errors: Finding[];
}

/**
 * The part of a VM's mutation that is about its instance type and preference, and comes before all defaults: which
 * ones they are, and of the preference what the VM itself stores (architecture, machine type, storage class of its
 * DataVolumes). Idempotent, so that validation may ask again for what was refused.
 */
export function inferMatchers(
  given: VirtualMachine,
  { find }: Pick<AdmissionContext, 'find'>,
  old?: VirtualMachine,
): MatchedVirtualMachine {
  if (!given.spec.instancetype && !given.spec.preference) return { vm: given, errors: [] };
  for (const rule of rules) {
    const errors = fields.flatMap((field) => rule(given, field, old));
    if (errors.length > 0) return { vm: given, errors };
  }
  const vm = structuredClone(given);
  for (const field of fields) {
    const errors = inferMatcher(vm, field, find);
    if (errors.length > 0) return { vm: given, errors };
  }
  // one that is not there yet is no mistake: the VM waits for it
  const { spec: preference } = findPreference(vm, find);
  if (preference) storePreferred(vm, preference);
  return { vm, errors: [] };
}

type MatcherRule = (vm: VirtualMachine, field: MatcherField, old: VirtualMachine | undefined) => Finding[];
const rules: readonly MatcherRule[] = [
  (vm, field, old) => (old ? validateMatcherUpdate(vm, old, field) : []),
  (vm, field) => validateMatcher(vm, field),
];

function storePreferred(vm: VirtualMachine, preference: PreferenceSpec): void {
  const { spec } = vm.spec.template;
  if (spec) {
    fill(spec, 'architecture', preference.preferredArchitecture);
    const type = preference.machine?.preferredMachineType;
    if (type && !spec.domain.machine?.type) spec.domain.machine = { ...spec.domain.machine, type };
  }
  const storageClassName = preference.volumes?.preferredStorageClassName;
  if (!storageClassName) return;
  for (const template of vm.spec.dataVolumeTemplates ?? []) {
    const { pvc, storage } = template?.spec ?? {};
    if (pvc) pvc.storageClassName ??= storageClassName;
    if (storage) storage.storageClassName ??= storageClassName;
  }
}
