import { keys } from '../../../api/keys';
import type { Features, FeatureState, VirtualMachineInstance } from '../../../api';
import { hasDedicatedCpus } from './input';
import type { RenderInput } from './input';

export const CPU_FEATURE = keys.cpuFeaturePrefix;
export const CPU_VENDOR = keys.cpuVendorPrefix;
const ARCH = 'kubernetes.io/arch';

/** Labels that a node must have. The handler of each node sets them from the capabilities of QEMU and CPU. */
export function nodeSelector({ vmi, config }: RenderInput): Record<string, string> {
  const { domain, architecture, nodeSelector: wanted } = vmi.spec;
  const selector: Record<string, string> = {
    [keys.schedulable]: 'true',
    ...(architecture && { [ARCH]: architecture.toLowerCase() }),
    ...config.nodeSelectors,
    ...wanted,
  };
  const isEmulated = config.hasGate('CrossArchitectureVirtualization') && architecture;
  // nodes of other architectures can run the guest, too
  if (isEmulated) delete selector[ARCH];
  const labels = [
    ...(hasDedicatedCpus(vmi) ? [keys.cpuManager] : []),
    ...(config.hasGate('HypervStrictCheck') ? hypervLabels(domain.features) : []),
    ...cpuLabels(vmi),
    ...machineLabels(vmi),
    ...tscLabels(vmi),
    ...(domain.cpu?.realtime ? [keys.realtime] : []),
    ...securityLabels(vmi),
    ...(isEmulated ? [`${keys.emulatedArchPrefix}${architecture}`] : []),
  ];
  for (const label of labels) selector[label] = 'true';
  return selector;
}

function cpuLabels({ spec }: VirtualMachineInstance): string[] {
  const { model, features = [] } = spec.domain.cpu ?? {};
  if (!model) return [];
  const isOfHost = model === 'host-model' || model === 'host-passthrough';
  const required = features.filter(({ policy }) => !policy || policy === 'require');
  return [
    ...(isOfHost ? [] : [`${keys.cpuModelPrefix}${model}`]),
    ...required.map(({ name }) => `${CPU_FEATURE}${name}`),
  ];
}

/** The machine type of a running guest takes precedence over the one in the spec. */
function machineLabels({ spec, status }: VirtualMachineInstance): string[] {
  const type = status?.machine?.type || spec.domain.machine?.type;
  return type ? [`${keys.machineTypePrefix}${type}`] : [];
}

/** Whether the guest needs a fixed TSC frequency: it runs only on nodes that provide one. */
function tscLabels({ spec, status }: VirtualMachineInstance): string[] {
  const frequency = status?.topologyHints?.tscFrequency ?? 0;
  return needsTscFrequency(spec) && frequency > 0 ? [`${keys.tscFrequencyPrefix}${frequency}`] : [];
}

const needsTscFrequency = ({ domain }: VirtualMachineInstance['spec']): boolean =>
  domain.features?.hyperv?.reenlightenment?.enabled === true ||
  (domain.cpu?.features ?? []).some(
    ({ name, policy }) => name === 'invtsc' && (policy === 'require' || policy === 'force'),
  );

function securityLabels({ spec }: VirtualMachineInstance): string[] {
  const security = spec.domain.launchSecurity;
  if (!security) return [];
  const { sev, snp, tdx } = security;
  return [
    ...(sev || snp ? [keys.sev] : []),
    ...(sev?.policy?.encryptedState ? [keys.sevEs] : []),
    ...(snp ? [keys.sevSnp] : []),
    ...(spec.architecture === 's390x' ? [keys.s390Pv] : []),
    ...(tdx ? [keys.tdx] : []),
  ];
}

/** Hyper-V enlightenments that need support of the host's kernel. */
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
  if (!hyperv) return [];
  return [
    ...HYPERV.filter((name) => hyperv[name]?.enabled === true).map((name) => `${keys.hypervPrefix}${name}`),
    ...(hyperv.evmcs && hyperv.evmcs.enabled !== false ? [`${CPU_VENDOR}Intel`] : []),
  ];
}
