import { defaultCpuTopology } from '../defaulting/cpu';
import { attachVolumes, defaultNetwork, defaultPullPolicies } from '../defaulting/devices';
import { defaultPlatform } from '../defaulting/instance';
import { defaultGuestMemory } from '../defaulting/memory';
import { root } from '../field-error';
import type { FieldError } from '../field-error';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { AdmissionContext } from '../kinds/kind';
import type { ObjectMeta } from '../meta';
import { applyTo } from './apply';
import { findInstancetype, findPreference } from './find';
import type { FindProblem } from './find';

/** A VM that stands on its own: what its references meant is written into its template. */
export interface ExpandedVirtualMachine {
  /** The given VM when there is a problem or a mistake, or nothing to expand. */
  readonly vm: VirtualMachine;
  readonly errors: FieldError[];
  readonly problems: readonly FindProblem[];
}

/** `expand-spec`: also the defaults that instance type and preference leave to others are filled in. */
export function expandVirtualMachine(
  given: VirtualMachine,
  { config, find }: Pick<AdmissionContext, 'config' | 'find'>,
): ExpandedVirtualMachine {
  if (!given.spec.instancetype && !given.spec.preference) return { vm: given, errors: [], problems: [] };
  const type = findInstancetype(given, find);
  const preference = findPreference(given, find);
  const problems = [type.problem, preference.problem].filter((problem) => problem !== undefined);
  if (problems.length > 0) return { vm: given, errors: [], problems };
  const vm = structuredClone(given);
  const { template } = vm.spec;
  const spec = (template.spec ??= { domain: { devices: {} } });
  spec.domain.devices ??= {};
  const metadata = ((template.metadata as ObjectMeta | undefined) ??= {});
  attachVolumes(spec);
  defaultNetwork(spec, config);
  const errors = applyTo(spec, metadata, type.spec, preference.spec, root.at('spec', 'template'));
  if (errors.length > 0) return { vm: given, errors, problems };
  defaultPlatform(spec, config);
  defaultGuestMemory(spec);
  defaultCpuTopology(spec);
  defaultPullPolicies(spec);
  template.metadata = metadata;
  delete vm.spec.instancetype;
  delete vm.spec.preference;
  if (vm.status) {
    delete vm.status.instancetypeRef;
    delete vm.status.preferenceRef;
  }
  return { vm, errors, problems };
}
