/** Facts for the cases and tables: those of the model node, overridden by those of a case. */
import { type KubeVirtConfiguration, type VirtualMachineInstance, clusterConfig } from '../../../../../src/api';
import type { DomainFacts } from '../../../../../src/runtime/launcher/domain/facts';
import { type ModelOptions, modelFacts } from '../../../../../src/cli/render/model/facts';

export interface Given {
  /** Facts that differ from the model node's. */
  facts?: Partial<DomainFacts>;
  /** `spec.configuration` of the KubeVirt object. */
  configuration?: KubeVirtConfiguration;
  /** Claims by name. */
  claims?: Record<string, { volumeMode?: 'Filesystem' | 'Block' }>;
  node?: ModelOptions['node'];
}

export function factsOf(vmi: VirtualMachineInstance, given: Given = {}): DomainFacts {
  const config = clusterConfig({
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: { configuration: given.configuration },
  });
  const claims = new Map(Object.entries(given.claims ?? {}));
  return { ...modelFacts(vmi, { config, claims, node: given.node }), ...given.facts };
}
