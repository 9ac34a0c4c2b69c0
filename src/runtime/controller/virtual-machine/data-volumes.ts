import type { VirtualMachine } from '../../../api';
import type { DataVolume, DataVolumes } from './observed';
import { reasons } from './reasons';
import type { Problem } from './reasons';

/** How far the disks are that the VM's `dataVolumeTemplates` describe. */
export interface DataVolumeState {
  /** To be created. */
  readonly missing: readonly DataVolume[];
  readonly problem?: Problem;
  /** Still being filled. */
  readonly isProvisioning: boolean;
}

/** No watch tells of a kind that is not installed, nor (yet) of one that is. */
const POLL_MS = 3000;

const READY = ['Succeeded', 'WaitForFirstConsumer', 'PendingPopulation'];

export function dataVolumeState(vm: VirtualMachine, dataVolumes: DataVolumes): DataVolumeState {
  const templates = (vm.spec.dataVolumeTemplates ?? []).filter((template) => template !== null);
  const idle = { missing: [], isProvisioning: false };
  if (templates.length === 0) return idle;
  if (dataVolumes === 'not installed') {
    const names = templates.map(({ metadata }) => `"${metadata?.name}"`).join(', ');
    const message =
      `spec.dataVolumeTemplates (${names}): this cluster has no kind DataVolume (cdi.kubevirt.io/v1beta1); install the ` +
      'importer (CDI), or create a PersistentVolumeClaim with the disk and name it in spec.template.spec.volumes';
    return { ...idle, problem: { reason: reasons.dataVolumesNotInstalled, message, retryMs: 30_000 } };
  }
  const missing = templates
    .filter(({ metadata }) => !dataVolumes.get(metadata?.name ?? ''))
    .map((template) => dataVolumeOf(vm, template));
  const existing = [...dataVolumes.values()].filter((volume) => volume !== undefined);
  const failed = existing.find(({ status }) => status?.phase === 'Failed');
  const pending = existing.filter(({ status }) => !READY.includes(status?.phase ?? ''));
  return {
    missing,
    isProvisioning: missing.length > 0 || pending.length > 0,
    ...(failed && { problem: { reason: reasons.dataVolumeError, message: failure(failed), retryMs: POLL_MS } }),
  };
}

/** When to look again, since nothing tells. */
export const pollMs = (state: DataVolumeState): number | undefined =>
  state.problem?.retryMs ?? (state.isProvisioning ? POLL_MS : undefined);

function dataVolumeOf(
  vm: VirtualMachine,
  template: NonNullable<NonNullable<VirtualMachine['spec']['dataVolumeTemplates']>[number]>,
): DataVolume {
  return {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: {
      name: template.metadata?.name,
      namespace: vm.metadata.namespace,
      labels: { ...template.metadata?.labels, 'kubevirt.io/created-by': vm.metadata.uid ?? '' },
      annotations: { ...template.metadata?.annotations },
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachine',
          name: vm.metadata.name ?? '',
          uid: vm.metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: template.spec,
  };
}

function failure({ metadata, status }: DataVolume): string {
  const said = status?.conditions?.find(({ type, status: is }) => type === 'Running' && is === 'False')?.message;
  return `DataVolume "${metadata.name}" failed${said ? `: ${said}` : ''}; correct its source and delete it to try again`;
}
