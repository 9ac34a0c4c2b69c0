import type { ClusterConfig } from '../../../api/cluster-config';
import { compareQuantities, parseQuantity } from '../../../api/quantity';
import type { Quantity, VirtualMachineInstance } from '../../../api';
import type { ClaimInfo } from './claims';

/**
 * Input for a launcher Pod. Optional fields come from other cluster objects than the VMI; their defaults apply where these
 * objects do not exist, so a caller that reads none of them gets the usual Pod.
 */
export interface RenderInput {
  readonly vmi: VirtualMachineInstance;
  readonly config: ClusterConfig;
  readonly launcherImage: string;
  /** Existing claims of the VMI's namespace, by name. A claim that is not in the map counts as Filesystem. */
  readonly claims: ReadonlyMap<string, ClaimInfo>;
  /**
   * NetworkAttachmentDefinitions that the VMI's networks refer to, by `namespace/name`. Read only if the gate
   * ExternalNetResourceInjection is off; a network whose definition is not in the map is then rejected.
   * Default: every definition exists and needs no device.
   */
  readonly attachmentDefinitions?: ReadonlyMap<string, AttachmentDefinition>;
  /** Reason why definitions could not be read, as the end of a sentence. Default: they were. */
  readonly definitionsUnknown?: string;
  /**
   * Labels of the VMI's namespace: read for `autoCPULimitNamespaceLabelSelector` and for the ratio of automatic memory
   * limits. Default: none.
   */
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** Whether Pods of the namespace must follow Kubernetes' policy `restricted`. Default: false. */
  readonly isRestricted?: boolean;
  /** Resources (`cpu`, `memory`) whose limits are counted by a ResourceQuota of the namespace. Default: none. */
  readonly limitedByQuota?: ReadonlySet<string>;
  /** Claim with the VMI's TPM, EFI variables and changed blocks. Default: `persistent-state-for-NAME`. */
  readonly stateClaim?: string;
  /** Image of hook sidecars that do not set one: it runs the script of their ConfigMap. Default: the field stays empty. */
  readonly sidecarImage?: string;
}

/** The fields of a NetworkAttachmentDefinition that the renderer reads. */
export interface AttachmentDefinition {
  /** Annotation `k8s.v1.cni.cncf.io/resourceName`: the device that the Pod needs from its node. */
  readonly resourceName?: string;
}

type Vmi = VirtualMachineInstance;

export const hasDedicatedCpus = ({ spec }: Vmi): boolean => spec.domain.cpu?.dedicatedCpuPlacement === true;

/** Whether the user set limits equal to the requests. A memory limit alone counts: the request will follow it. */
function requestsGuaranteed({ spec }: Vmi): boolean {
  const { requests = {}, limits = {} } = spec.domain.resources ?? {};
  const isEqual = (name: string): boolean =>
    !isZero(requests[name]) && compareQuantities(requests[name], limits[name] ?? '0') === 0;
  return isEqual('cpu') && (isEqual('memory') || (isZero(requests.memory) && !isZero(limits.memory)));
}

/** Whether the Pod is Guaranteed. One container with different requests and limits would change its QoS class. */
export const isGuaranteed = (vmi: Vmi): boolean => hasDedicatedCpus(vmi) || requestsGuaranteed(vmi);

export const isZero = (amount: Quantity | undefined): boolean =>
  amount === undefined || parseQuantity(amount).nanos === 0n;

export const hasTpm = ({ spec }: Vmi): boolean =>
  spec.domain.devices.tpm !== undefined && spec.domain.devices.tpm.enabled !== false;

/** Whether a GPU, host device or network comes from a ResourceClaim; without a claim, it comes from a device plugin. */
export const isClaimed = (device: { claimName?: string; requestName?: string }): boolean =>
  device.claimName !== undefined || device.requestName !== undefined;

export const pullPolicyOf = ({ config }: Pick<RenderInput, 'config'>): string =>
  config.imagePullPolicy || 'IfNotPresent';

/** `[namespace, name]` of a network whose name may contain its namespace. */
export function qualified(name: string, { metadata }: Vmi): [string, string] {
  const slash = name.indexOf('/');
  return slash < 0 ? [metadata.namespace ?? '', name] : [name.slice(0, slash), name.slice(slash + 1)];
}
