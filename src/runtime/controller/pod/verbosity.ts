import type { ClusterConfig } from '../../../api/cluster-config';
import type { VirtualMachineInstance } from '../../../api';

/** Above this, libvirt and virtiofsd tell everything too. */
export const EXTENSIVE_VERBOSITY = 5;

/** The label `logVerbosity` of one VMI beats the cluster's. @throws when it is no whole number */
export function verbosityOf(
  { metadata }: VirtualMachineInstance,
  config: ClusterConfig,
): { level: number; text: string; isOfVmi: boolean } {
  const label = metadata.labels?.logVerbosity;
  const cluster = config.logVerbosity.virtLauncher;
  if (label === undefined) return { level: cluster, text: String(cluster), isOfVmi: false };
  if (!/^\d+$/.test(label)) {
    throw new Error(`label logVerbosity: "${label}" is no whole number; write one, like "${cluster}"`);
  }
  return { level: Number(label), text: label, isOfVmi: true };
}

export const hasLabelTrue = ({ metadata }: VirtualMachineInstance, name: string): boolean =>
  metadata.labels?.[name]?.toLowerCase() === 'true';
