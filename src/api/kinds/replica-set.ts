import { validateInstanceSpec } from '../admission/instance';
import type { ClusterConfig } from '../cluster-config';
import { FieldError, Path, root } from '../field-error';
import type { VirtualMachineInstanceReplicaSet } from '../generated/kubevirt-v1';
import type { KindAdmission } from './kind';
import { selectsTemplate } from './label-selector';
import { shaped } from './shape';

const spec = root.at('spec');

/** A replica set creates VMIs: its template follows the rules of theirs. */
export const replicaSetAdmission: KindAdmission<VirtualMachineInstanceReplicaSet> = shaped({
  create: (set, { config }) => replicaSetRules(set, spec, config),
  update: (set, _old, { config }) => replicaSetRules(set, spec, config),
});

function replicaSetRules(
  { spec: set }: VirtualMachineInstanceReplicaSet,
  at: Path,
  config: ClusterConfig,
): FieldError[] {
  const { template, selector } = set;
  return [
    ...(template.spec ? validateInstanceSpec(template.spec, at.at('template', 'spec'), config) : []),
    ...selectsTemplate(selector, template.metadata?.labels, at.at('selector')),
  ];
}
