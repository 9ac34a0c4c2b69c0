import type { ClusterConfig } from '../../../api/cluster-config';
import type { VirtualMachineInstance } from '../../../api';

/** Above this verbosity, libvirt and virtiofsd log everything, too. */
export const EXTENSIVE_VERBOSITY = 5;

/** Log verbosity: the VM's label `logVerbosity`, else the cluster's. @throws when the label is not a whole number */
export function verbosityOf(
  { metadata }: VirtualMachineInstance,
  config: ClusterConfig,
): { level: number; text: string; isOfVmi: boolean } {
  const label = metadata.labels?.logVerbosity;
  const cluster = config.logVerbosity.virtLauncher;
  if (label === undefined) return { level: cluster, text: String(cluster), isOfVmi: false };
  if (!/^\d+$/.test(label)) {
    throw new Error(`label logVerbosity: "${label}" is not a whole number; set it to one, for example "${cluster}"`);
  }
  return { level: Number(label), text: label, isOfVmi: true };
}

export const hasLabelTrue = ({ metadata }: VirtualMachineInstance, name: string): boolean =>
  metadata.labels?.[name]?.toLowerCase() === 'true';
