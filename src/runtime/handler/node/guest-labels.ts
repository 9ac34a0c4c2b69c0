import { keys } from '../../../api/keys';
import type { GuestCapabilities, NodeCapabilities } from '../../../api/node-capabilities';

/** Models that are too old for current guests, unless the configuration lists others: KubeVirt's default. */
export const OBSOLETE_MODELS: readonly string[] = [
  ...['486', 'pentium', 'pentium2', 'pentium3', 'pentiumpro', 'coreduo', 'n270', 'core2duo', 'Conroe', 'athlon'],
  ...['phenom', 'qemu64', 'qemu32', 'kvm64', 'kvm32', 'Opteron_G1', 'Opteron_G2'],
];

/** Facts about the node that its kernel knows. */
export interface KernelFacts {
  /** Whether real-time threads may use all of the CPU time. */
  readonly realtime: boolean;
  /** Whether the kernel merges equal pages of guests. */
  readonly ksm: boolean;
}

export interface GuestLabelInput {
  readonly capabilities?: NodeCapabilities;
  readonly kernel: KernelFacts;
  /** Whether guests of this node use KVM. Otherwise they get what QEMU emulates. */
  readonly usesKvm: boolean;
  /** `obsoleteCPUModels` of the configuration. */
  readonly obsolete?: Readonly<Record<string, boolean>>;
  /** Machine types of a node whose capabilities are unknown. */
  readonly machines: readonly string[];
}

/** Labels with these keys, or with these prefixes, are only set by `guestLabels`. */
const OWN_PREFIXES = [
  keys.cpuModelPrefix,
  keys.cpuFeaturePrefix,
  keys.cpuVendorPrefix,
  keys.hostModelPrefix,
  keys.hostFeaturePrefix,
  keys.movableModelPrefix,
  keys.cpuTimerPrefix,
  keys.hypervPrefix,
  keys.machineTypePrefix,
  keys.emulatedArchPrefix,
];
const OWN_KEYS: readonly string[] = [
  keys.obsoleteHostModel,
  keys.realtime,
  keys.sev,
  keys.sevEs,
  keys.sevSnp,
  keys.tdx,
  keys.s390Pv,
  keys.ksmEnabled,
];

/** Whether the label describes what guests of a node can have. All other labels belong to others. */
export const isGuestLabel = (key: string): boolean =>
  OWN_KEYS.includes(key) || OWN_PREFIXES.some((prefix) => key.startsWith(prefix));

const SECURITY = {
  sev: keys.sev,
  'sev-es': keys.sevEs,
  'sev-snp': keys.sevSnp,
  tdx: keys.tdx,
  's390-pv': keys.s390Pv,
} as const;

/** Machine types that guests may request; QEMU has others, such as `isapc`. */
const MACHINE = /^(pc-)?q35(-\d+\.\d+)?$|^pc$|^pc-i440fx-\d+\.\d+$/;

/** Names of 63 characters at most, as labels require. */
const LABEL_NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** Labels that describe what guests of the node can have. virt-controller selects nodes by them. */
export function guestLabels(input: GuestLabelInput): Record<string, string> {
  const { capabilities, kernel, usesKvm } = input;
  const guests = usesKvm ? capabilities?.kvm : capabilities?.qemu;
  const names = [
    ...(capabilities?.machines ?? input.machines)
      .filter((machine) => MACHINE.test(machine))
      .map((machine) => keys.machineTypePrefix + machine),
    ...(capabilities?.architectures ?? []).map((name) => keys.emulatedArchPrefix + name),
    ...(guests ? cpuLabels(guests, input.obsolete) : []),
    ...(kernel.realtime ? [keys.realtime] : []),
    ...(kernel.ksm ? [keys.ksmEnabled] : []),
  ];
  const valid = names.filter((key) => LABEL_NAME.test(key.slice(key.indexOf('/') + 1)));
  const tsc = usesKvm ? capabilities?.tsc : undefined;
  return {
    ...Object.fromEntries(valid.map((key) => [key, 'true'])),
    ...(tsc && {
      [`${keys.cpuTimerPrefix}tsc-frequency`]: String(tsc.frequency),
      [`${keys.cpuTimerPrefix}tsc-scalable`]: String(tsc.scalable),
    }),
  };
}

function cpuLabels(guests: GuestCapabilities, configured: GuestLabelInput['obsolete']): string[] {
  const isObsolete = (model: string): boolean =>
    configured ? configured[model] === true : OBSOLETE_MODELS.includes(model);
  // a name with a version is as old as the name that stands for it
  const obsolete = new Set(
    Object.entries(guests.models).flatMap(([model, canonical]) =>
      isObsolete(model) ? [model, ...(canonical === null ? [] : [canonical])] : [],
    ),
  );
  const models = Object.keys(guests.models).filter((model) => !obsolete.has(model) && !isObsolete(model));
  const { hostModel } = guests;
  const movable = new Set([...models, ...(hostModel && !isObsolete(hostModel.name) ? [hostModel.name] : [])]);
  return [
    ...models.map((model) => keys.cpuModelPrefix + model),
    ...[...movable].map((model) => keys.movableModelPrefix + model),
    ...guests.features.map((name) => keys.cpuFeaturePrefix + name),
    ...guests.hyperv.map((name) => keys.hypervPrefix + name),
    ...guests.security.map((kind) => SECURITY[kind]),
    ...(hostModel ? hostModelLabels(hostModel) : []),
    ...(hostModel && isObsolete(hostModel.name) ? [keys.obsoleteHostModel] : []),
  ];
}

const hostModelLabels = ({ name, vendor, required }: NonNullable<GuestCapabilities['hostModel']>): string[] => [
  keys.hostModelPrefix + name,
  ...(vendor ? [keys.cpuVendorPrefix + vendor] : []),
  ...required.map((feature) => keys.hostFeaturePrefix + feature),
];
