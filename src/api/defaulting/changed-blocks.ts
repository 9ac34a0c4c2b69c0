import type { ClusterConfig } from '../cluster-config';
import type { ChangedBlockTrackingStatus, VirtualMachine } from '../generated/kubevirt-v1';
import type { AdmissionContext } from '../kinds/kind';
import { selects, selectorMistake, type LabelSelector } from '../kinds/label-selector';

/** Whether the blocks that a guest writes are tracked for backups: the platform selects by labels of VM or namespace. */
export function changedBlockTracking(
  vm: VirtualMachine,
  { config, find }: Pick<AdmissionContext, 'config' | 'find'>,
): ChangedBlockTrackingStatus | undefined {
  if (!config.hasGate('IncrementalBackup')) return undefined;
  if (isChosen(vm, config, find)) return { state: 'Initializing' };
  return vm.status?.changedBlockTracking?.state ? { state: 'Disabled' } : undefined;
}

function isChosen({ metadata }: VirtualMachine, config: ClusterConfig, find: AdmissionContext['find']): boolean {
  const { virtualMachineLabelSelector: own, namespaceLabelSelector: shared } =
    config.raw.changedBlockTrackingLabelSelectors ?? {};
  if (chooses(own, metadata.labels)) return true;
  const namespace = shared && metadata.namespace ? find('Namespace', undefined, metadata.namespace) : undefined;
  return namespace !== undefined && chooses(shared, namespace.metadata.labels);
}

/** Whether the selector matches. An invalid selector matches nothing. */
function chooses(selector: LabelSelector | null | undefined, labels: Record<string, string> | undefined): boolean {
  return selector ? selectorMistake(selector) === undefined && selects(selector, labels) : false;
}
