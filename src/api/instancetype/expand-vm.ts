import { canonicalForm } from '../defaulting/canonical';
import { attachVolumes, defaultNetwork, defaultNetworkProblem } from '../defaulting/devices';
import { fillTemplateSpec } from '../defaulting/instance';
import { root } from '../findings';
import type { Finding } from '../findings';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { AdmissionContext } from '../kinds/kind';
import { refusal } from '../kinds/refusal';
import type { ObjectMeta } from '../meta';
import { applyTo } from './apply';
import { findInstancetype, findPreference } from './find';
import type { FindProblem } from './find';

const at = root.at('spec', 'template');

/** Expanded VM: its instance type and preference are written into its template. */
export interface ExpandedVirtualMachine {
  /** Expanded VM; the given VM when there is a problem or a mistake, or nothing to expand. */
  readonly vm: VirtualMachine;
  readonly errors: Finding[];
  readonly problems: readonly FindProblem[];
}

/** Expands a VM for `expand-spec`, with defaults for fields that instance type and preference do not set. */
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
  const spec = canonicalForm(template.spec ?? { domain: { devices: {} } });
  const metadata = (template.metadata ?? {}) as ObjectMeta;
  attachVolumes(spec);
  defaultNetwork(spec, config);
  const conflicts = applyTo(spec, metadata, type.spec, preference.spec, at);
  if (conflicts.length > 0) return { vm: given, errors: conflicts, problems };
  const unfilled = defaultNetworkProblem(spec, config);
  if (unfilled) {
    const path = at.at('spec', 'domain', 'devices', 'interfaces');
    const remedy = 'add networks and interfaces, or change the default of the KubeVirt object';
    return { vm: given, errors: [refusal('default-network', path, unfilled, remedy)], problems };
  }
  fillTemplateSpec(spec, config);
  template.spec = spec;
  template.metadata = metadata;
  delete vm.spec.instancetype;
  delete vm.spec.preference;
  if (vm.status) {
    delete vm.status.instancetypeRef;
    delete vm.status.preferenceRef;
  }
  return { vm, errors: [], problems };
}

/**
 * Returns the VM to run under the cluster's policy: `expand` expands a VM without a stored revision, `expandAll` every
 * VM, before it starts. Returns the given VM when it cannot be expanded.
 */
export function expandedByPolicy(
  vm: VirtualMachine,
  context: Pick<AdmissionContext, 'config' | 'find'>,
): VirtualMachine {
  const policy = context.config.instancetypeReferencePolicy;
  const { instancetypeRef, preferenceRef } = vm.status ?? {};
  const keeps = [instancetypeRef, preferenceRef].some((ref) => ref?.controllerRevisionRef?.name);
  return policy === 'expandAll' || (policy === 'expand' && !keeps) ? expandVirtualMachine(vm, context).vm : vm;
}
