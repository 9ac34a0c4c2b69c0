import { keys } from '../../../api/keys';
import type { core, VirtualMachineInstance } from '../../../api';
import type { RenderInput } from './input';
import { CPU_FEATURE } from './node-selector';
import { reservationLabels } from './reservations';

/** The user's affinity, extended by rules that exclude unsuitable nodes, and nodes with Pods that must not run next to this guest. */
export function affinity(input: RenderInput): core.Affinity | undefined {
  const { vmi, config } = input;
  let result = withoutNodes(vmi.spec.affinity, excludedLabels(vmi));
  for (const key of Object.keys(reservationLabels(input))) {
    result = apartFrom(result, { matchExpressions: [{ key, operator: 'Exists' }] });
  }
  const { architecture } = vmi.spec;
  return config.hasGate('CrossArchitectureVirtualization') && architecture
    ? preferringArchitecture(result, architecture)
    : result;
}

/** Labels of nodes on which the guest's CPU would differ from the expected one. */
function excludedLabels({ spec }: VirtualMachineInstance): string[] {
  const { model, features = [] } = spec.domain.cpu ?? {};
  const forbidden = features.filter(({ policy }) => policy === 'forbid');
  return [
    ...(!model || model === 'host-model' ? [keys.obsoleteHostModel] : []),
    ...forbidden.map(({ name }) => `${CPU_FEATURE}${name}`),
  ];
}

function withoutNodes(wanted: core.Affinity | undefined, labels: readonly string[]): core.Affinity | undefined {
  if (labels.length === 0) return wanted;
  const excluded = labels.map((key): core.NodeSelectorRequirement => ({ key, operator: 'DoesNotExist' }));
  const required = wanted?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return withNodeTerms(wanted, required?.length ? required : [{}], excluded);
}

/** Adds requirements to each term, because terms are alternatives. */
function withNodeTerms(
  wanted: core.Affinity | undefined,
  terms: readonly core.NodeSelectorTerm[],
  requirements: readonly core.NodeSelectorRequirement[],
): core.Affinity {
  const nodeSelectorTerms = terms.map((term) => ({
    ...term,
    matchExpressions: [...(term.matchExpressions ?? []), ...requirements],
  }));
  return {
    ...wanted,
    nodeAffinity: {
      ...wanted?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
    },
  };
}

/** Only one node, by its label. */
export const onNode = (node: string): core.Affinity => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] }],
    },
  },
});

/** Excludes these nodes. */
export function notOnNode(wanted: core.Affinity | undefined, node: string): core.Affinity {
  const terms = wanted?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const elsewhere: core.NodeSelectorRequirement = { key: 'kubernetes.io/hostname', operator: 'NotIn', values: [node] };
  return withNodeTerms(wanted, terms?.length ? terms : [{}], [elsewhere]);
}

/** Excludes nodes that run such a Pod. */
export function apartFrom(wanted: core.Affinity | undefined, labelSelector: core.PodAffinityTerm['labelSelector']) {
  const terms = wanted?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return {
    ...wanted,
    podAntiAffinity: {
      ...wanted?.podAntiAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: [
        ...terms,
        { labelSelector, topologyKey: 'kubernetes.io/hostname' },
      ],
    },
  };
}

function preferringArchitecture(wanted: core.Affinity | undefined, architecture: string): core.Affinity {
  const native: core.NodeSelectorRequirement = {
    key: 'kubernetes.io/arch',
    operator: 'In',
    values: [architecture.toLowerCase()],
  };
  return {
    ...wanted,
    nodeAffinity: {
      ...wanted?.nodeAffinity,
      preferredDuringSchedulingIgnoredDuringExecution: [
        ...(wanted?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
        { weight: 100, preference: { matchExpressions: [native] } },
      ],
    },
  };
}
