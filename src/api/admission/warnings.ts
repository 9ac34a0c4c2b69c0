import { describe, Finding, Path, root } from '../findings';
import type { VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import type { AdmissionContext } from '../kinds/kind';
import { presetWarnings } from '../presets';
import { likelyMistakesOfVm, likelyMistakesOfSpec, longName } from './likely-mistakes';
import { networksOf } from './network';
import { breaksRules, shapeErrors } from './shape';

/** Returns warnings of an accepted object: deprecated fields and likely mistakes. */
export function virtualMachineWarnings(vm: VirtualMachine, { config }: Pick<AdmissionContext, 'config'>): string[] {
  if (shapeErrors(vm).some(breaksRules)) return [];
  const { running, template } = vm.spec;
  const old = running === undefined || running === null;
  return [
    ...(old ? [] : ['spec.running is deprecated, please use spec.runStrategy instead.']),
    ...(template.spec ? deprecatedNetworks(template.spec, root.at('spec', 'template', 'spec')) : []),
    ...likelyMistakesOfVm(vm, config).map(text),
  ];
}

export function virtualMachineInstanceWarnings(
  vmi: VirtualMachineInstance,
  { config }: Pick<AdmissionContext, 'config'>,
): string[] {
  if (shapeErrors(vmi).some(breaksRules)) return [];
  const at = root.at('spec');
  return [
    ...presetWarnings(vmi),
    ...deprecatedNetworks(vmi.spec, at),
    ...[...longName(vmi.metadata), ...likelyMistakesOfSpec(vmi.spec, at, config)].map(text),
  ];
}

const text = (finding: Finding): string => `${finding.path}: ${describe(finding)}`;

function deprecatedNetworks(spec: VirtualMachineInstanceSpec, at: Path): string[] {
  const warnings: string[] = [];
  networksOf(spec).forEach(({ genie }, i) => {
    if (!genie) return;
    const path = at.at('networks', i);
    const name = JSON.stringify(genie.networkName ?? '');
    warnings.push(
      `${path.at('genie')}: CNI-Genie is deprecated and no longer maintained; use Multus: ` +
        `${path.at('multus')}: {networkName: ${name}}`,
    );
  });
  (spec.domain.devices?.interfaces ?? []).forEach(({ slirp }, i) => {
    if (!slirp) return;
    const path = at.at('domain', 'devices', 'interfaces', i);
    warnings.push(`${path.at('slirp')}: slirp is deprecated; use ${path.at('passtBinding')}: {} or masquerade: {}`);
  });
  return warnings;
}
