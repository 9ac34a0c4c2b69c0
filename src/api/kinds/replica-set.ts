import { graceAnnotations } from '../admission/grace';
import { featuresOfNamedGates, validateInstanceSpec } from '../admission/instance';
import type { ClusterConfig } from '../cluster-config';
import { canonicalForm } from '../defaulting/canonical';
import { Finding, root } from '../findings';
import type { VirtualMachineInstanceReplicaSet } from '../generated/kubevirt-v1';
import type { KindAdmission } from './kind';
import { selectsTemplate } from './label-selector';
import { shaped } from './shape';

const spec = root.at('spec');
const template = spec.at('template');

/** Rules of replica sets. The template of a replica set follows the rules of VMIs. */
export const replicaSetAdmission: KindAdmission<VirtualMachineInstanceReplicaSet> =
  shaped<VirtualMachineInstanceReplicaSet>(
    {
      create: (set, { config }) => [
        ...replicaSetRules(set, config),
        ...(set.spec.template.spec
          ? featuresOfNamedGates(canonicalForm(set.spec.template.spec), template.at('spec'), config)
          : []),
      ],
      update: (set, _old, { config }) => replicaSetRules(set, config),
    },
    'strict',
  );

function replicaSetRules({ spec: set }: VirtualMachineInstanceReplicaSet, config: ClusterConfig): Finding[] {
  const { metadata } = set.template;
  const instance = set.template.spec && canonicalForm(set.template.spec);
  return [
    ...(instance ? graceAnnotations(metadata?.annotations ?? {}, template.at('metadata'), instance, config) : []),
    ...(instance ? validateInstanceSpec(instance, template.at('spec'), config) : []),
    ...selectsTemplate(set.selector, metadata?.labels, spec.at('selector')),
  ];
}
