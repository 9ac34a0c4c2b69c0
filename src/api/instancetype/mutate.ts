import type { Finding } from '../findings';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { AdmissionContext } from '../kinds/kind';
import { findPreference } from './find';
import { inferMatcher } from './infer';
import { validateMatcher, validateMatcherUpdate } from './matcher';
import { fill } from './preference/fill';
import type { MatcherField, PreferenceSpec } from './types';

const fields: readonly MatcherField[] = ['instancetype', 'preference'];

/** VM with complete references. */
export interface MatchedVirtualMachine {
  /** VM with names instead of `inferFromVolume`, and with the fields that its preference sets before all defaults. */
  readonly vm: VirtualMachine;
  /** Reasons to reject it; `vm` is then the given one. */
  readonly errors: Finding[];
}

/**
 * Resolves the instance type and preference of a VM, before all defaults: the names of
 * both, and the fields of the preference that the VM itself stores (architecture, machine type, storage class of its
 * DataVolumes). Idempotent, so that validation can repeat it to get the errors.
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
  // a missing target is accepted: the VM waits for it
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
