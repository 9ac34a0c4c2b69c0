import { keys } from '../../../api/keys';
import type { VirtualMachineInstance } from '../../../api';
import { findCondition, isConditionTrue } from '../../../api/conditions';
import { reasons } from '../../../api/reasons';
import { hasEnded, isHandedOver } from '../instance/observed';
import type { Node } from '../instance/observed';
import type { Pod } from '../pod';

/** After this time without a heartbeat, the handler's reports about its guests are outdated. */
export const HEARTBEAT_LIMIT_MS = 5 * 60_000;
/** After this time without a heartbeat, of which two are missing, a guest on a node that is not ready counts as unknown. */
export const DOUBT_MS = 150_000;
/** Interval at which a node without its handler is checked. */
const RECHECK_MS = 60_000;

export const SCHEDULABLE = keys.schedulable;

export interface Observed {
  readonly node: Node;
  /** VMIs whose status names this node. */
  readonly vmis: readonly VirtualMachineInstance[];
  /** Returns the launcher Pod of a VMI, if it exists. */
  readonly podOf: (vmi: VirtualMachineInstance) => Pod | undefined;
  /** Milliseconds since the last heartbeat; undefined if a handler never ran there. */
  readonly silence: number | undefined;
}

export type Action =
  | { do: 'markUnschedulable'; message: string }
  | { do: 'failVmi'; vmi: VirtualMachineInstance; message: string }
  | { do: 'doubtVmi'; vmi: VirtualMachineInstance; message: string }
  | { do: 'recheck'; afterMs: number };

/**
 * Actions for a node whose handler stopped reporting. Guests of a Node object that was deleted, or that has the taint
 * out-of-service, need none: Kubernetes deletes their Pods, and a VMI without its Pod fails.
 */
export function decide(seen: Observed): Action[] {
  const { node, silence } = seen;
  if (silence === undefined) return [];
  const { name, annotations } = node.metadata;
  const cause = `virt-handler of node "${name}" has been silent since ${annotations?.[keys.heartbeat]}`;
  const doubts = isReady(node) || silence < DOUBT_MS ? [] : doubtsOf(seen, cause);
  if (silence < HEARTBEAT_LIMIT_MS) {
    const next = silence < DOUBT_MS && !isReady(node) ? DOUBT_MS : HEARTBEAT_LIMIT_MS;
    return [...doubts, { do: 'recheck', afterMs: next - silence }];
  }
  return [
    ...markUnschedulable(node, cause),
    ...lossesOf(seen, cause),
    ...doubts,
    { do: 'recheck', afterMs: RECHECK_MS },
  ];
}

/** Whether the kubelet reports. A node without the condition is not doubted. */
const isReady = ({ status }: Node): boolean =>
  findCondition(status?.conditions, 'Ready') === undefined || isConditionTrue(status?.conditions, 'Ready');

const markUnschedulable = ({ metadata }: Node, cause: string): Action[] =>
  metadata.labels?.[SCHEDULABLE] === 'true'
    ? [{ do: 'markUnschedulable', message: `${cause}; VMs are placed there again when it reports` }]
    : [];

/** Guests that no longer exist: their Pods are gone, and no handler reports how they ended. */
function lossesOf({ vmis, podOf }: Observed, cause: string): Action[] {
  const message = `${cause} and the launcher Pod no longer exists: the guest is lost; the VM's run strategy decides whether it starts again`;
  return vmis
    .filter((vmi) => isHandedOver(vmi) && !isAlive(podOf(vmi)))
    .map((vmi) => ({ do: 'failVmi', vmi, message }));
}

/** Guests that may still run on a node that nothing is known about. The handler, when it is back, reports them again. */
function doubtsOf({ node, vmis, podOf }: Observed, cause: string): Action[] {
  const message =
    `${cause} and the node is not ready, so it is not known whether the guest runs; check the machine, its kubelet and ` +
    'its network. If the machine is permanently off, add the taint node.kubernetes.io/out-of-service=nodeshutdown:NoExecute ' +
    `to the Node object "${node.metadata.name}", or delete that object: then the run strategy of the VM decides whether it ` +
    'starts on another node';
  return vmis
    .filter((vmi) => isHandedOver(vmi) && isAlive(podOf(vmi)) && !isDoubted(vmi))
    .map((vmi) => ({ do: 'doubtVmi', vmi, message }));
}

const isAlive = (pod: Pod | undefined): boolean => pod !== undefined && !hasEnded(pod);

const isDoubted = ({ status }: VirtualMachineInstance): boolean => {
  const ready = findCondition(status?.conditions, 'Ready');
  return ready?.status === 'False' && ready.reason === reasons.nodeUnresponsive;
};
