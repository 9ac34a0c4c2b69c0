import { keys } from '../../../api/keys';
import type { KvmVerdict } from './kvm-decide';

/** Labels and annotations of the node besides the heartbeat. */
export interface NodeFacts {
  readonly kvm: KvmVerdict;
  /** `host:port` of this handler, for virt-api. */
  readonly endpoint: string;
  /** Machine types of this node's QEMU. */
  readonly machines: readonly string[];
}

const MACHINE_PREFIX = keys.machineTypePrefix;

/** Machine types that guests may request, from the output of `qemu-system-x86_64 -machine help`. */
export function parseMachines(help: string): string[] {
  const names = help.split('\n').map((line) => line.split(/\s+/)[0]);
  return names.filter((name) => /^(pc-)?q35(-\d+\.\d+)?$|^pc$|^pc-i440fx-\d+\.\d+$/.test(name));
}

/** Merge patch of the Node with all fields of the handler. Labels of machine types that no longer exist are removed. */
export function nodePatch(
  facts: NodeFacts,
  before: { labels?: Record<string, string>; annotations?: Record<string, string> },
  schedulable: boolean,
  now: number,
): object {
  const labels: Record<string, string | null> = { [keys.schedulable]: String(schedulable) };
  for (const key of Object.keys(before.labels ?? {})) if (key.startsWith(MACHINE_PREFIX)) labels[key] = null;
  for (const machine of facts.machines) labels[MACHINE_PREFIX + machine] = 'true';
  return {
    metadata: {
      labels,
      annotations: {
        [keys.heartbeat]: new Date(now).toISOString().replace(/\.\d+/, ''),
        [keys.handlerEndpoint]: facts.endpoint,
        [keys.kvmUnusable]: facts.kvm.usable ? null : facts.kvm.cause,
      },
    },
  };
}
