import type { core, Features, FeatureState, VirtualMachineInstance } from '../../../api';
import { hasDedicatedCpus } from './input';
import type { RenderInput } from './input';

/** Labels that a node must carry. The handler of each node sets them from what QEMU and the CPU can do. */
export function nodeSelector({ vmi, config }: RenderInput): Record<string, string> {
  const { domain, architecture, nodeSelector: wanted } = vmi.spec;
  const selector: Record<string, string> = {
    'kubevirt.io/schedulable': 'true',
    ...(architecture && { 'kubernetes.io/arch': architecture }),
    ...config.nodeSelectors,
    ...wanted,
  };
  const require = (label: string): void => void (selector[label] = 'true');
  if (hasDedicatedCpus(vmi)) require('kubevirt.io/cpumanager');
  if (config.hasGate('HypervStrictCheck')) hypervLabels(domain.features).forEach(require);
  const { model, features, realtime } = domain.cpu ?? {};
  if (model && model !== 'host-model' && model !== 'host-passthrough') {
    require(`cpu-model.node.kubevirt.io/${model}`);
  }
  for (const feature of model ? (features ?? []) : []) {
    if (!feature.policy || feature.policy === 'require') require(`cpu-feature.node.kubevirt.io/${feature.name}`);
  }
  const machine = vmi.status?.machine?.type || domain.machine?.type;
  if (machine) require(`machine-type.node.kubevirt.io/${machine}`);
  if (realtime) require('kubevirt.io/realtime');
  if (domain.launchSecurity?.sev) require('kubevirt.io/sev');
  if (domain.launchSecurity?.sev?.policy?.encryptedState) require('kubevirt.io/sev-es');
  if (domain.launchSecurity?.snp) require('kubevirt.io/sev-snp');
  if (domain.launchSecurity?.tdx) require('kubevirt.io/tdx');
  return selector;
}

/** Hyper-V enlightenments that need something of the host's kernel. */
const HYPERV = [
  'vpindex',
  'runtime',
  'reset',
  'synic',
  'synictimer',
  'frequencies',
  'reenlightenment',
  'tlbflush',
  'ipi',
];

function hypervLabels(features: Features | undefined): string[] {
  const hyperv = features?.hyperv as Record<string, FeatureState | undefined> | undefined;
  const isOn = (name: string): boolean => Boolean(hyperv?.[name]) && hyperv?.[name]?.enabled !== false;
  return [
    ...HYPERV.filter(isOn).map((name) => `hyperv.node.kubevirt.io/${name}`),
    ...(isOn('evmcs') ? ['cpu-vendor.node.kubevirt.io/Intel'] : []),
  ];
}

/** The user's affinity, and nodes that could not run this guest kept out. */
export function affinity(vmi: VirtualMachineInstance): core.Affinity | undefined {
  const { model, features = [] } = vmi.spec.domain.cpu ?? {};
  const absent = (key: string): core.NodeSelectorRequirement => ({ key, operator: 'DoesNotExist' });
  const excluded = [
    ...(!model || model === 'host-model' ? [absent('node-labeller.kubevirt.io/obsolete-host-model')] : []),
    ...features
      .filter(({ policy }) => policy === 'forbid')
      .map(({ name }) => absent(`cpu-feature.node.kubevirt.io/${name}`)),
  ];
  const wanted = vmi.spec.affinity;
  if (excluded.length === 0) return wanted;
  const required = wanted?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  // terms are alternatives: each must exclude
  const terms = required?.length ? required : [{}];
  return {
    ...wanted,
    nodeAffinity: {
      ...wanted?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((term: core.NodeSelectorTerm) => ({
          ...term,
          matchExpressions: [...(term.matchExpressions ?? []), ...excluded],
        })),
      },
    },
  };
}
