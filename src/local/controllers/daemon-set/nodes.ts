import type { Node, Pod, Toleration } from '../../core-v1';
import { matchesNodeTerms, tolerates } from '../../scheduler/selectors';
import type { DaemonSet, PodTemplate } from '../apps-v1';

/** Nodes of a DaemonSet, and its Pods on them. Pure. */

export const HASH = 'controller-revision-hash';
const GENERATION = 'pod-template-generation';
/** Annotation with the number of templates that a DaemonSet has had. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

const tolerated = (name: string, effect: string): Toleration => ({
  key: `node.kubernetes.io/${name}`,
  operator: 'Exists',
  effect,
});

/** Taints of nodes with problems, on which the Pods stay. */
const TOLERATIONS: readonly Toleration[] = [
  tolerated('not-ready', 'NoExecute'),
  tolerated('unreachable', 'NoExecute'),
  tolerated('disk-pressure', 'NoSchedule'),
  tolerated('memory-pressure', 'NoSchedule'),
  tolerated('pid-pressure', 'NoSchedule'),
  tolerated('unschedulable', 'NoSchedule'),
];

function tolerationsOf({ template }: DaemonSet['spec']): Toleration[] {
  const { tolerations = [], hostNetwork } = template.spec ?? {};
  const added = [...TOLERATIONS, ...(hostNetwork ? [tolerated('network-unavailable', 'NoSchedule')] : [])];
  const isSame = (a: Toleration, b: Toleration): boolean =>
    a.key === b.key && a.effect === b.effect && a.operator === b.operator && (a.value ?? '') === (b.value ?? '');
  const kept = tolerations.map((own) => added.find((toleration) => isSame(toleration, own)) ?? own);
  return [...kept, ...added.filter((toleration) => !kept.includes(toleration))];
}

/** Whether a Pod is created on the node, and whether one that is there stays. */
export function placement(set: DaemonSet, node: Node): { runs: boolean; stays: boolean } {
  const { nodeName, nodeSelector = {}, affinity } = set.spec.template.spec ?? {};
  const labels = node.metadata.labels ?? {};
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const fits =
    (!nodeName || nodeName === node.metadata.name) &&
    Object.entries(nodeSelector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value) &&
    (!required || matchesNodeTerms(required.nodeSelectorTerms, node));
  if (!fits) return { runs: false, stays: false };
  const tolerations = tolerationsOf(set.spec);
  const refused = (node.spec?.taints ?? []).filter((taint) => !tolerates(tolerations, taint));
  const isRefused = (...effects: string[]): boolean => refused.some(({ effect }) => effects.includes(effect));
  return { runs: !isRefused('NoExecute', 'NoSchedule'), stays: !isRefused('NoExecute') };
}

/** The node on which a Pod runs or is going to run. */
export function nodeOf({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const field = required?.nodeSelectorTerms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === 'metadata.name' && operator === 'In');
  return field?.values?.length === 1 ? field.values[0] : undefined;
}

const generationOf = ({ metadata }: DaemonSet): string | undefined => metadata.annotations?.[TEMPLATE_GENERATION];

/** Whether the Pod has the current template. */
export function isUpdated(set: DaemonSet, { metadata }: Pod, hash: string): boolean {
  const generation = generationOf(set);
  const { labels = {} } = metadata;
  return labels[HASH] === hash || (generation !== undefined && labels[GENERATION] === generation);
}

/** The template for a Pod on this node. The scheduler assigns the Pod, so the Pod requires the node by affinity. */
export function templateFor(set: DaemonSet, node: string, hash: string): PodTemplate {
  const { metadata, spec } = set.spec.template;
  const generation = generationOf(set);
  const only = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] };
  return {
    metadata: {
      ...metadata,
      labels: { ...metadata?.labels, ...(generation ? { [GENERATION]: generation } : {}), [HASH]: hash },
    },
    spec: {
      ...spec,
      containers: spec?.containers ?? [],
      tolerations: tolerationsOf(set.spec),
      affinity: {
        ...spec?.affinity,
        nodeAffinity: {
          ...spec?.affinity?.nodeAffinity,
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [only] },
        },
      },
    },
  };
}
