import { findCondition } from '../../../api/conditions';
import { keys } from '../../../api/keys';
import type { Node } from '../../../local/core-v1';
import { error, warning, type Check, type Finding } from '../finding';
import type { Facts } from '../facts';
import { isInstalled, runsAsProcesses } from '../platform';
import { grouped, nameOf, spanText, subjectOf } from '../words';

/** Nodes that run guests: whether they are ready, and whether their virt-handler reports. */
export const nodes: Check = { name: 'nodes', reads: ['nodes', 'kubeVirts', 'daemonSets'], find };

/** virt-controller marks a node that has been silent for this long. */
export const HEARTBEAT_LIMIT_MS = 5 * 60_000;

/** Nodes on which virt-handler has run. */
export const guestNodes = ({ nodes: all = [] }: Facts): Node[] =>
  all.filter(({ metadata }) => metadata.labels?.[keys.schedulable] !== undefined);

export const isReady = ({ status }: Node): boolean => findCondition(status?.conditions, 'Ready')?.status === 'True';
const isSchedulable = ({ metadata }: Node): boolean => metadata.labels?.[keys.schedulable] === 'true';

function find(facts: Facts): Finding[] {
  if (!facts.nodes || !isInstalled(facts)) return [];
  const guests = guestNodes(facts);
  if (guests.length === 0) return handlerWorks(facts) ? [none()] : [];
  return [...notReady(guests), ...silent(facts, guests.filter(isReady)), ...unknownCpu(guests)];
}

/** Without a Pod of virt-handler, the check of the programs reports the cause. */
const handlerWorks = (facts: Facts): boolean =>
  runsAsProcesses(facts) || (facts.daemonSets ?? []).some(({ status }) => (status?.numberAvailable ?? 0) > 0);

const none = (): Finding =>
  error(
    'Nodes',
    `virt-handler has marked no node (label ${keys.schedulable}), so no guest can start`,
    'read the log of virt-handler; its ServiceAccount must be allowed to patch nodes',
  );

function notReady(guests: readonly Node[]): Finding[] {
  const down = guests.filter((each) => !isReady(each));
  const causeOf = ({ status }: Node): string => {
    const { reason = 'no condition', message = '' } = findCondition(status?.conditions, 'Ready') ?? {};
    return `the node is not ready: ${reason}${message ? ` (${message})` : ''}`;
  };
  return [...grouped(down, causeOf)].map(([cause, of]) =>
    error(
      subjectOf('Node', of.map(nameOf)),
      cause,
      'check the kubelet of the node; guests of a node that does not come back start elsewhere after the node is deleted or tainted out-of-service',
    ),
  );
}

interface Silent {
  readonly node: Node;
  /** Time since the last report; undefined if it is recent. */
  readonly age: number | undefined;
}

/** A node is silent, or its virt-handler has ended and marked it. */
function silent({ now }: Facts, ready: readonly Node[]): Finding[] {
  const stale = ready.flatMap((node): Silent[] => {
    const heartbeat = node.metadata.annotations?.[keys.heartbeat];
    const age = heartbeat === undefined ? Infinity : now - Date.parse(heartbeat);
    if (age >= HEARTBEAT_LIMIT_MS) return [{ node, age }];
    return isSchedulable(node) ? [] : [{ node, age: undefined }];
  });
  const remedy =
    'check the Pod of virt-handler on the node, and its log: kubectl get pods -A -l kubevirt.io=virt-handler -o wide';
  const causeOf = ({ age }: Silent): string => {
    if (age === undefined) return `virt-handler has set ${keys.schedulable}=false, so no guest starts there`;
    if (age === Infinity) return 'virt-handler has not reported, so no guest starts there';
    return `virt-handler has been silent for ${spanText(age)}, so the state of its guests is not known`;
  };
  return [...grouped(stale, causeOf)].map(([cause, of]) =>
    error(
      subjectOf(
        'Node',
        of.map(({ node }) => nameOf(node)),
      ),
      cause,
      remedy,
    ),
  );
}

function unknownCpu(guests: readonly Node[]): Finding[] {
  const unknown = guests.flatMap((node) => {
    const reason = node.metadata.annotations?.[keys.capabilitiesUnknown];
    return reason === undefined ? [] : [{ name: nameOf(node), reason }];
  });
  return [...grouped(unknown, ({ reason }) => reason)].map(([reason, of]) =>
    warning(
      subjectOf(
        'Node',
        of.map(({ name }) => name),
      ),
      `its CPU is not known, so VMs that require a model or feature are not placed there: ${reason}`,
      'restart virt-handler on the node; its first container asks libvirt for the capabilities',
    ),
  );
}
