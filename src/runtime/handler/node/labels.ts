import { keys } from '../../../api/keys';
import { guestLabels, isGuestLabel } from './guest-labels';
import type { GuestLabelInput } from './guest-labels';
import type { KvmVerdict } from './kvm-decide';

/** Labels and annotations of the node besides the heartbeat. */
export interface NodeFacts {
  readonly kvm: KvmVerdict;
  /** `host:port` of this handler, for virt-api. */
  readonly endpoint: string;
  /** Capabilities of the node, from which its labels are derived. */
  readonly guests: GuestLabelInput;
  /** Reason why the capabilities are not known. */
  readonly unknown?: string;
  /** Whether the kubelet gives containers CPUs of their own. */
  readonly cpuManager: boolean;
  /** Whether this handler has enabled KSM, or is to leave that to others. */
  readonly ksmManaged?: boolean;
}

export interface NodeMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Machine types that guests may request, from the output of `qemu-system-x86_64 -machine help`. */
export function parseMachines(help: string): string[] {
  const names = help.split('\n').map((line) => line.split(/\s+/)[0]);
  return names.filter((name) => /^(pc-)?q35(-\d+\.\d+)?$|^pc$|^pc-i440fx-\d+\.\d+$/.test(name));
}

/** Merge patch of the Node with the fields of the handler that differ, and the heartbeat. */
export function nodePatch(facts: NodeFacts, before: NodeMetadata, schedulable: boolean, now: number): object {
  const labels: Record<string, string | null> = {
    ...(isSkipped(before) ? {} : changedGuestLabels(before, facts)),
    ...changed(before.labels, {
      [keys.schedulable]: String(schedulable),
      [keys.cpuManager]: String(facts.cpuManager),
    }),
  };
  return {
    metadata: {
      ...(Object.keys(labels).length > 0 && { labels }),
      annotations: {
        ...changed(before.annotations, {
          [keys.handlerEndpoint]: facts.endpoint,
          [keys.kvmUnusable]: facts.kvm.usable ? null : facts.kvm.cause,
          [keys.capabilitiesUnknown]: facts.unknown ?? null,
          [keys.ksmManaged]: facts.ksmManaged ? 'true' : null,
        }),
        [keys.heartbeat]: new Date(now).toISOString().replace(/\.\d+/, ''),
      },
    },
  };
}

/** Whether an administrator labels the node. */
const isSkipped = ({ annotations = {} }: NodeMetadata): boolean => keys.skipLabelling in annotations;

/**
 * Labels to set, and with null those to remove: only labels that no one else sets. Labels of a CPU that is not known at the
 * moment are kept, so that a restart does not take VMs their nodes.
 */
function changedGuestLabels(
  { labels = {} }: NodeMetadata,
  { guests, unknown }: NodeFacts,
): Record<string, string | null> {
  const wanted = guestLabels(guests);
  const isReplaced = (key: string): boolean =>
    unknown === undefined ? isGuestLabel(key) : key.startsWith(keys.machineTypePrefix);
  const outdated = Object.keys(labels).filter((key) => isReplaced(key) && !(key in wanted));
  return { ...Object.fromEntries(outdated.map((key) => [key, null])), ...changed(labels, wanted) };
}

function changed<T extends string | null>(
  before: Readonly<Record<string, string>> = {},
  wanted: Readonly<Record<string, T>>,
): Record<string, T> {
  const entries = Object.entries<T>(wanted).filter(([key, value]) => (before[key] ?? null) !== value);
  return Object.fromEntries(entries) as Record<string, T>;
}
