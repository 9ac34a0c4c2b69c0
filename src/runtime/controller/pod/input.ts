import type { ClusterConfig } from '../../../api/cluster-config';
import { compareQuantities, parseQuantity } from '../../../api/quantity';
import type { Quantity, VirtualMachineInstance } from '../../../api';
import type { ClaimInfo } from './claims';

/**
 * All that a launcher Pod is made from. What is optional comes from objects of the cluster besides the VMI; each default
 * is what holds where nobody made such an object, so a caller that does not look still gets the usual Pod.
 */
export interface RenderInput {
  readonly vmi: VirtualMachineInstance;
  readonly config: ClusterConfig;
  readonly launcherImage: string;
  /** The claims of the VMI's namespace that exist, by name. A claim that is not here counts as a file system. */
  readonly claims: ReadonlyMap<string, ClaimInfo>;
  /**
   * NetworkAttachmentDefinitions that the VMI's networks name, by `namespace/name`. They are read only where the gate
   * ExternalNetResourceInjection is off; a network whose definition is not in the map is then refused.
   * Default: every definition exists and needs no device.
   */
  readonly attachmentDefinitions?: ReadonlyMap<string, AttachmentDefinition>;
  /** Why the map is empty whatever exists, as the end of a sentence. Default: it is not. */
  readonly definitionsUnknown?: string;
  /**
   * Labels of the VMI's namespace: read for `autoCPULimitNamespaceLabelSelector` and for the ratio of automatic memory
   * limits. Default: none.
   */
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** Resources (`cpu`, `memory`) whose limits a ResourceQuota of the namespace counts. Default: none. */
  readonly limitedByQuota?: ReadonlySet<string>;
  /** The claim that keeps the VMI's TPM, EFI variables and changed blocks. Default: `persistent-state-for-NAME`. */
  readonly stateClaim?: string;
  /** Image of hook sidecars that name none: it runs the script of their ConfigMap. Default: the field stays empty. */
  readonly sidecarImage?: string;
}

/** A NetworkAttachmentDefinition, as little of it as is read. */
export interface AttachmentDefinition {
  /** Its annotation `k8s.v1.cni.cncf.io/resourceName`: the device that a Pod needs of its node. */
  readonly resourceName?: string;
}

type Vmi = VirtualMachineInstance;

export const hasDedicatedCpus = ({ spec }: Vmi): boolean => spec.domain.cpu?.dedicatedCpuPlacement === true;

/** The user asked for limits that equal the requests. A memory limit alone counts: the request will follow it. */
function wantsGuaranteed({ spec }: Vmi): boolean {
  const { requests = {}, limits = {} } = spec.domain.resources ?? {};
  const isEqual = (name: string): boolean =>
    !isZero(requests[name]) && compareQuantities(requests[name], limits[name] ?? '0') === 0;
  return isEqual('cpu') && (isEqual('memory') || (isZero(requests.memory) && !isZero(limits.memory)));
}

/** One container without equal requests and limits would take the whole Pod out of its class. */
export const isGuaranteed = (vmi: Vmi): boolean => hasDedicatedCpus(vmi) || wantsGuaranteed(vmi);

export const isZero = (amount: Quantity | undefined): boolean =>
  amount === undefined || parseQuantity(amount).nanos === 0n;

export const hasTpm = ({ spec }: Vmi): boolean =>
  spec.domain.devices.tpm !== undefined && spec.domain.devices.tpm.enabled !== false;

/** A GPU, host device or network from a ResourceClaim; an entry without a claim comes from a device plugin. */
export const isClaimed = (device: { claimName?: string; requestName?: string }): boolean =>
  device.claimName !== undefined || device.requestName !== undefined;

export const pullPolicyOf = ({ config }: Pick<RenderInput, 'config'>): string =>
  config.imagePullPolicy || 'IfNotPresent';

/** `[namespace, name]` of a network that may be named with its namespace. */
export function qualified(name: string, { metadata }: Vmi): [string, string] {
  const slash = name.indexOf('/');
  return slash < 0 ? [metadata.namespace ?? '', name] : [name.slice(0, slash), name.slice(slash + 1)];
}
