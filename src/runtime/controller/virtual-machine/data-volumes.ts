import { keys } from '../../../api/keys';
import { controllerRef } from '../../../api/owner';
import type { VirtualMachine } from '../../../api';
import type { DataVolume, Observed } from './observed';
import { reasons } from '../../../api/reasons';
import type { Problem } from './problem';

/** State of the disks that the VM's `dataVolumeTemplates` describe. */
export interface DataVolumeState {
  /** DataVolumes to create. */
  readonly missing: readonly DataVolume[];
  /** DataVolumes that an earlier VM has left, which become those of the VM. */
  readonly abandoned?: readonly DataVolume[];
  readonly problem?: Problem;
  /** Whether some of them are not filled yet. */
  readonly isProvisioning: boolean;
  /** Whether one of them is bound and filled only when a Pod uses its claim. */
  readonly needsConsumer?: boolean;
}

/** Interval at which the kind and the role are checked, because no event reports that a kind was installed or a role corrected. */
export const RETRY_MS = 30_000;

/**
 * Whether a launcher may use the claim of a DataVolume in this phase. The claim holds the disk in phase `Succeeded`. In
 * `PendingPopulation` it has no volume: the launcher's Pod decides on which node the disk is filled, and waits until the
 * populator binds the complete disk to the claim. In `WaitForFirstConsumer` a launcher would boot from an empty disk.
 */
export function fillOf(
  phase: string | undefined,
): 'filled' | 'filled for a Pod' | 'needs a consumer' | 'failed' | 'being filled' {
  switch (phase) {
    case 'Succeeded':
      return 'filled';
    case 'PendingPopulation':
      return 'filled for a Pod';
    case 'WaitForFirstConsumer':
      return 'needs a consumer';
    case 'Failed':
      return 'failed';
    default:
      return 'being filled';
  }
}

/** Whether a launcher's Pod may be created. */
export const isUsable = (fill: ReturnType<typeof fillOf>): boolean => fill === 'filled' || fill === 'filled for a Pod';

/** Phase of a DataVolume; empty while it has none. */
export const phaseOf = ({ status }: DataVolume): string => status?.phase ?? '';

export function dataVolumeState({
  vm,
  dataVolumes,
  collected,
}: Pick<Observed, 'vm' | 'dataVolumes' | 'collected'>): DataVolumeState {
  const templates = (vm.spec.dataVolumeTemplates ?? [])
    .filter((template) => template !== null)
    .filter(({ metadata }) => !collected.has(metadata?.name ?? ''));
  const idle = { missing: [], isProvisioning: false };
  if (templates.length === 0) return idle;
  if (dataVolumes === 'not installed') {
    const names = templates.map(({ metadata }) => `"${metadata?.name}"`).join(', ');
    const message =
      `spec.dataVolumeTemplates (${names}): this cluster has no kind DataVolume (cdi.kubevirt.io/v1beta1); install the ` +
      'importer (CDI), or create a PersistentVolumeClaim with the disk and name it in spec.template.spec.volumes';
    return { ...idle, problem: { reason: reasons.dataVolumesNotInstalled, message, retryMs: RETRY_MS } };
  }
  if ('unknown' in dataVolumes) {
    const message =
      `spec.dataVolumeTemplates: virt-controller cannot determine whether the disks are filled: ${dataVolumes.unknown}; ` +
      'the VM will start automatically when it can';
    return { ...idle, problem: { reason: reasons.dataVolumesUnknown, message, retryMs: dataVolumes.retryMs } };
  }
  const missing = templates
    .filter(({ metadata }) => !dataVolumes.get(metadata?.name ?? ''))
    .map((template) => dataVolumeOf(vm, template));
  const existing = templates.flatMap(({ metadata }) => dataVolumes.get(metadata?.name ?? '') ?? []);
  const inState = (fill: ReturnType<typeof fillOf>): DataVolume | undefined =>
    existing.find(({ status }) => fillOf(status?.phase) === fill);
  const [failed, unconsumed] = [inState('failed'), inState('needs a consumer')];
  const abandoned = existing.filter(isAbandoned);
  return {
    missing,
    ...(abandoned.length && { abandoned }),
    isProvisioning: missing.length > 0 || existing.some(({ status }) => !isUsable(fillOf(status?.phase))),
    ...(unconsumed && {
      needsConsumer: true,
      problem: { reason: reasons.dataVolumeNeedsConsumer, message: consumerless(unconsumed) },
    }),
    ...(failed && {
      needsConsumer: false,
      problem: { reason: reasons.dataVolumeError, message: failure(failed) },
    }),
  };
}

/**
 * Whether a VM created the DataVolume and its owner reference was removed: a pool keeps the disks of VMs that it deletes.
 * A DataVolume of the user is not adopted, since it would be deleted with the VM.
 */
const isAbandoned = ({ metadata }: DataVolume): boolean =>
  metadata.labels?.[keys.createdBy] !== undefined &&
  !metadata.deletionTimestamp &&
  !metadata.ownerReferences?.some(({ controller }) => controller);

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
      labels: { ...template.metadata?.labels, [keys.createdBy]: vm.metadata.uid ?? '' },
      annotations: { ...template.metadata?.annotations },
      ownerReferences: [controllerRef({ ...vm, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine' })],
    },
    spec: template.spec,
  };
}

function failure({ metadata, status }: DataVolume): string {
  const reported = status?.conditions?.find(({ type, status: is }) => type === 'Running' && is === 'False')?.message;
  return `DataVolume "${metadata.name}" failed${reported ? `: ${reported}` : ''}; correct its source and delete it to try again`;
}

/** Message for the user about a DataVolume that `needs a consumer`. */
export const needsConsumer = (name: string, phase: string): string =>
  `DataVolume "${name}" is filled only when a Pod uses its claim (phase ${phase}), and a guest cannot start from an empty ` +
  `disk; run a Pod that mounts PersistentVolumeClaim "${name}", or create the DataVolume again with the annotation ` +
  `${keys.bindImmediate}: "true"`;

const consumerless = ({ metadata, status }: DataVolume): string =>
  `${needsConsumer(metadata.name ?? '', status?.phase ?? '')} (in spec.dataVolumeTemplates)`;
