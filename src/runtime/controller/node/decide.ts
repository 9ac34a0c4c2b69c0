import { keys } from '../../../api/keys';
import type { VirtualMachineInstance } from '../../../api';
import { hasEnded, isHandedOver, sinceMs } from '../instance/observed';
import type { Node } from '../instance/observed';
import type { Pod } from '../pod';

/** A handler that is silent for this long cannot speak for its guests. */
export const HEARTBEAT_LIMIT_MS = 5 * 60_000;
/** A node without its handler is looked at this often. */
const RECHECK_MS = 60_000;

export const HEARTBEAT = keys.heartbeat;
export const SCHEDULABLE = keys.schedulable;

export interface Observed {
  readonly node: Node;
  /** VMIs that say they run on this node. */
  readonly vmis: readonly VirtualMachineInstance[];
  /** The launcher Pod of a VMI, if it exists. */
  readonly podOf: (vmi: VirtualMachineInstance) => Pod | undefined;
  readonly now: number;
}

export type Action =
  | { do: 'markUnschedulable'; message: string }
  | { do: 'failVmi'; vmi: VirtualMachineInstance; message: string }
  | { do: 'recheck'; afterMs: number };

/** What a node whose handler went silent leads to. */
export function decide({ node, vmis, podOf, now }: Observed): Action[] {
  const heartbeat = node.metadata.annotations?.[HEARTBEAT];
  // no handler has ever been there
  if (!heartbeat) return [];
  const silence = sinceMs(heartbeat, now);
  if (silence < HEARTBEAT_LIMIT_MS) return [{ do: 'recheck', afterMs: HEARTBEAT_LIMIT_MS - silence }];
  const name = node.metadata.name;
  const cause = `virt-handler of node "${name}" has been silent since ${heartbeat}`;
  const actions: Action[] = [];
  if (node.metadata.labels?.[SCHEDULABLE] === 'true') {
    actions.push({ do: 'markUnschedulable', message: `${cause}; no VM is placed there until it is back` });
  }
  for (const vmi of vmis) {
    if (!isHandedOver(vmi)) continue;
    const pod = podOf(vmi);
    if (pod && !hasEnded(pod)) continue;
    const message = `${cause} and the launcher Pod is gone: the guest is lost; the VM's run strategy decides what follows`;
    actions.push({ do: 'failVmi', vmi, message });
  }
  return [...actions, { do: 'recheck', afterMs: RECHECK_MS }];
}
