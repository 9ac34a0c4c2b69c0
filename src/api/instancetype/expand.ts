import { keys } from '../keys';
import { defaultNetwork, attachVolumes } from '../defaulting/devices';
import { specPath } from '../context';
import { root } from '../findings';
import type { Finding } from '../findings';
import type { VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import type { AdmissionContext } from '../kinds/kind';
import type { ObjectMeta } from '../meta';
import { applyTo } from './apply';
import { findInstancetype, findPreference } from './find';
import type { FindProblem } from './find';
import { isNamespaced } from './matcher';
import { preferAutoattach } from './preference/devices';
import { checkSpread } from './spread';
import type { InstancetypeSpec, MatcherField, PreferenceSpec } from './types';

type Cluster = Pick<AdmissionContext, 'config' | 'find'>;

/** Template of a VM with its instance type and preference written into it. */
export interface Expansion {
  /** Spec of the template; the given one when there is nothing to apply, or a mistake. */
  readonly spec: VirtualMachineInstanceSpec;
  readonly annotations: Record<string, string> | undefined;
  /** Conflicts, for which the VM must be rejected. */
  readonly errors: Finding[];
  /** References to objects that do not exist (yet): admission accepts them, and the VM waits. */
  readonly problems: readonly FindProblem[];
  readonly instancetype?: InstancetypeSpec;
  readonly preference?: PreferenceSpec;
}

/** Returns the template of a VM for the rules of admission: with its instance type and preference, before defaults. */
export function expandInstance(vm: VirtualMachine, context: Pick<AdmissionContext, 'find' | 'specAt'>): Expansion {
  const { spec: own, metadata } = vm.spec.template as {
    spec: VirtualMachineInstanceSpec;
    metadata?: ObjectMeta | null;
  };
  const { type, preference, problems } = findBoth(vm, context.find);
  const given: Expansion = { spec: own, annotations: metadata?.annotations, errors: [], problems };
  if (!type && !preference) return given;
  const uneven = checkSpread(type, preference);
  if (uneven.length > 0) return { ...given, errors: uneven };
  const spec = structuredClone(own);
  const meta = structuredClone(metadata ?? {});
  const errors = applyTo(spec, meta, type, preference, specPath(context).at('template'));
  if (errors.length > 0) return { ...given, errors };
  return { spec, annotations: meta.annotations, errors, problems, instancetype: type, preference };
}

/**
 * Applies the steps from a VM's template to its VMI that depend on instance type and preference, in KubeVirt's order:
 * automatic devices, the Pod network, then the instance type and the preference. Changes `vmi`, whose spec
 * is that of the template. Also for VMs without references.
 */
export function sizeInstance(
  vmi: VirtualMachineInstance,
  vm: VirtualMachine,
  { config, find }: Cluster,
): { errors: Finding[]; problems: readonly FindProblem[] } {
  const { type, preference, problems } = findBoth(vm, find);
  const { spec, metadata } = vmi;
  const devices = (spec.domain.devices ??= {});
  attachVolumes(spec);
  if (preference?.devices) preferAutoattach(preference.devices, devices);
  if (devices.autoattachInputDevice && !devices.inputs?.length) {
    // the preference sets its bus and type, or they get defaults later
    devices.inputs = [{ name: 'default-0' } as NonNullable<typeof devices.inputs>[number]];
  }
  defaultNetwork(spec, config);
  if (!type && !preference) return { errors: [], problems };
  noteNames(vm, metadata);
  return { errors: applyTo(spec, metadata, type, preference, root), problems };
}

/** Sets the annotations that name the instance type and preference of a VMI. */
const noted: Record<MatcherField, { own: string; cluster: string }> = {
  instancetype: { own: keys.instancetypeName, cluster: keys.clusterInstancetypeName },
  preference: { own: keys.preferenceName, cluster: keys.clusterPreferenceName },
};

function noteNames(vm: VirtualMachine, metadata: ObjectMeta): void {
  for (const field of ['instancetype', 'preference'] as const) {
    const matcher = vm.spec[field];
    if (!matcher?.name) continue;
    const { own, cluster } = noted[field];
    const annotation = isNamespaced(field, matcher) ? own : cluster;
    metadata.annotations = { ...metadata.annotations, [annotation]: matcher.name };
  }
}

function findBoth(
  vm: VirtualMachine,
  find: AdmissionContext['find'],
): {
  type?: InstancetypeSpec;
  preference?: PreferenceSpec;
  problems: FindProblem[];
} {
  const type = findInstancetype(vm, find);
  const preference = findPreference(vm, find);
  const problems = [type.problem, preference.problem].filter((problem) => problem !== undefined);
  return { type: type.spec, preference: preference.spec, problems };
}
