import type { Finding, Path } from '../findings';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import type { ObjectMeta } from '../meta';
import { applyCpu } from './apply-cpu';
import { applyMemory } from './apply-memory';
import { applyAnnotations, applyDevices, applyPlacement } from './apply-rest';
import { applyPreference } from './preference/apply';
import type { InstancetypeSpec, PreferenceSpec } from './types';

/**
 * Writes an instance type and a preference into a spec and its metadata, both of which are changed. A field that the
 * instance type sets must be absent from the VM. The preference fills absent fields, unless there are conflicts.
 *
 * @param at path of the object with spec and metadata, for the paths of conflicts
 */
export function applyTo(
  spec: VirtualMachineInstanceSpec,
  metadata: ObjectMeta,
  type: InstancetypeSpec | undefined,
  preference: PreferenceSpec | undefined,
  at: Path,
): Finding[] {
  if (type) {
    const inSpec = at.at('spec');
    const conflicts = [
      ...applyPlacement(type, spec, inSpec),
      ...applyCpu(type, preference, spec, inSpec),
      ...applyMemory(type, spec, inSpec),
      ...applyDevices(type, spec, inSpec),
      ...applyAnnotations(type.annotations, metadata, at.at('metadata', 'annotations')),
    ];
    if (conflicts.length > 0) return conflicts;
  }
  if (preference) applyPreference(preference, spec, metadata);
  return [];
}
