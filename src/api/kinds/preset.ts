import { diskFields } from '../admission/disks';
import { bootloaderIsOne, kernelBootIsComplete } from '../admission/firmware';
import { root } from '../findings';
import type { Finding } from '../findings';
import type { VirtualMachineInstancePreset, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import type { AdmissionContext, KindAdmission } from './kind';
import { refusal } from './refusal';
import { shaped } from './shape';

/** Validates the parts of a preset that do not depend on its VMIs. */
export const presetAdmission: KindAdmission<VirtualMachineInstancePreset> = shaped({
  create: rules,
  update: presetUpdate,
});

const at = root.at('spec');

function rules({ spec }: VirtualMachineInstancePreset, { config }: AdmissionContext): Finding[] {
  const domain = spec?.domain;
  if (!domain) {
    return [
      refusal('preset-domain', at.at('domain'), 'missing domain.', 'add spec.domain', { type: 'FieldValueRequired' }),
    ];
  }
  const part: VirtualMachineInstanceSpec = { domain: { ...domain, devices: domain.devices ?? {} } };
  return [diskFields, bootloaderIsOne, kernelBootIsComplete].flatMap((rule) => rule(part, at, config));
}

function presetUpdate(
  preset: VirtualMachineInstancePreset,
  _old: VirtualMachineInstancePreset,
  context: AdmissionContext,
): Finding[] {
  return rules(preset, context);
}
